import {
  Server,
  type ServerCredentials,
  type ServiceDefinition,
  status,
  type sendUnaryData,
  type ServerUnaryCall,
  type StatusObject,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { bindGrpcServer, closeGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { INTERNAL_VALUES_MAX } from '@pos/grpc-contracts/message-values';
import type { ConnectionLimits } from '../network/connection-limit.js';
import { limitGrpcConnections } from '../grpc/grpc-connections.js';
import { toEndStatus, isUnexpectedError } from '../grpc/grpc-errors.js';
import { deferDecodingErrors, requireMessage } from '../grpc/grpc-request-decoding.js';
import { formatHostPort } from '../network/listen-address.js';
import type { Log } from '../telemetry/log.js';
import { observeGrpcCall } from '../metrics/request-metrics.js';
import { continueOrBeginTrace, endSpan } from '../telemetry/span.js';
import { runInTrace } from '../telemetry/trace.js';
import { requireCaller } from './caller-requirement.js';
import type { Callers } from './internal-callers.js';

const INTERNAL_MESSAGE_BYTES_MAX = 5 * 1024 * 1024;
const INTERNAL_CLOSE_TIMEOUT_MS = 5_000;

/** A failed call, in the form in which gRPC ends it. */
export type InternalFailure = Partial<StatusObject> & { readonly code: status };

/**
 * Runs an rpc between processes of the service: caller, trace, and failures as gRPC statuses. The work receives the apps
 * that the caller proves to be.
 */
export function handleInternalCall<Request, Response extends object>(
  { log }: { readonly log: Log },
  rpc: string,
  work: (request: Request, callers: Callers) => Promise<Response | InternalFailure>,
): (call: ServerUnaryCall<Request, Response>, done: sendUnaryData<Response>) => void {
  return (call, done) => {
    const [traceparent] = call.metadata.get('traceparent');
    const trace = continueOrBeginTrace(typeof traceparent === 'string' ? traceparent : null);
    const startedAtMs = performance.now();
    const observe = (code: status): void => {
      observeGrpcCall(rpc, status[code], (performance.now() - startedAtMs) / 1_000);
      const attributes = { 'rpc.system.name': 'grpc', 'rpc.response.status_code': status[code] };
      endSpan({ name: rpc, kind: 'server' }, { trace, startedAtMs }, { attributes, hasFailed: code !== status.OK });
    };
    void runInTrace(trace, async () => {
      try {
        const names = requireCaller(call, log);
        const answer = await work(requireMessage(call.request), names);
        observe('code' in answer ? answer.code : status.OK);
        if ('code' in answer) done(answer);
        else done(null, answer);
      } catch (error) {
        if (isUnexpectedError(error)) log.error('internal.failed', { rpc, error });
        const end = toEndStatus(error, trace.traceId);
        observe(end.code);
        done(end);
      }
    });
  };
}

/** An open internal port. */
export interface InternalServer {
  readonly port: number;
  readonly close: () => Promise<void>;
  /** Sets what the standard health service answers under a name. */
  readonly setHealth: (service: string, isServing: boolean) => void;
}

/** Opens a gRPC port for the other processes of the service, on an internal address. */
export async function startInternalServer({
  host,
  port,
  credentials,
  name,
  definition,
  implementation,
  connections,
}: {
  readonly host: string;
  readonly port: number;
  /** From `InternalIdentity`. */
  readonly credentials: ServerCredentials;
  /** The full name of the service, for its health status. */
  readonly name: string;
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
  readonly connections: ConnectionLimits;
}): Promise<InternalServer> {
  const server = new Server({
    'grpc.max_receive_message_length': INTERNAL_MESSAGE_BYTES_MAX,
    'grpc.max_send_message_length': INTERNAL_MESSAGE_BYTES_MAX,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
  });
  // Refusals of this port may carry their own typed trailer, so it uses the generated server directly.
  server.addService(addMessageLimits(definition), implementation);
  const health = new HealthImplementation({ '': 'SERVING', [name]: 'SERVING' });
  health.addToServer(server);
  const boundPort = await bindGrpcServer(server, formatHostPort(host, port), credentials);
  limitGrpcConnections(server, connections);
  return {
    port: boundPort,
    close: () => closeGrpcServer(server, INTERNAL_CLOSE_TIMEOUT_MS),
    setHealth: (service, isServing) => {
      health.setStatus(service, isServing ? 'SERVING' : 'NOT_SERVING');
    },
  };
}

function addMessageLimits(definition: ServiceDefinition): ServiceDefinition {
  const rpcs = Object.entries(definition).map(([name, rpc]) => [name, deferDecodingErrors(rpc, INTERNAL_VALUES_MAX)]);
  return Object.fromEntries(rpcs) as ServiceDefinition;
}
