import { InterceptingCall, status, type Interceptor } from '@grpc/grpc-js';
import { observeGrpcClientCall } from '../metrics/request-metrics.js';
import { endSpan, startChild } from '../telemetry/span.js';
import { currentTrace, formatTraceparent } from '../telemetry/trace.js';

/** Counts, times and traces every call of a client, and sends its trace: `interceptors: [observeClientCalls]`. */
export const observeClientCalls: Interceptor = (options, nextCall) => {
  const { path, requestStream, responseStream } = options.method_definition;
  const rpc = path.slice(1);
  const child = startChild();
  const trace = child ?? currentTrace();
  const startedAtMs = performance.now();
  return new InterceptingCall(nextCall(options), {
    start: (metadata, _, next) => {
      // The caller's own metadata may serve other calls at the same time.
      const sent = metadata.clone();
      if (trace !== null) sent.set('traceparent', formatTraceparent(trace));
      next(sent, {
        onReceiveStatus: (end, passOn) => {
          const seconds = (performance.now() - startedAtMs) / 1_000;
          observeGrpcClientCall(rpc, status[end.code], requestStream || responseStream ? null : seconds);
          if (child !== null) {
            const attributes = {
              'rpc.system.name': 'grpc',
              'rpc.method': rpc,
              'rpc.response.status_code': status[end.code],
            };
            endSpan(
              { name: rpc, kind: 'client' },
              { trace: child, startedAtMs },
              { attributes, hasFailed: end.code !== status.OK },
            );
          }
          passOn(end);
        },
      });
    },
  });
};
