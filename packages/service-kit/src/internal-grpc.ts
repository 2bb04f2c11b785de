import { timingSafeEqual } from 'node:crypto';
import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
  type sendUnaryData,
  type ServerUnaryCall,
  type StatusObject,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { endStatusOf, GrpcFailure, isUnplanned } from './grpc-errors.js';
import type { Log } from './log.js';
import type { Secret } from './secret.js';
import { continueTrace, inTrace } from './trace.js';

const MESSAGE_BYTES_MAX = 5 * 1024 * 1024;
const CLOSE_LIMIT_MS = 5_000;

/** A call that ends without an answer, in the form gRPC sends. */
export type InternalEnd = Partial<StatusObject> & { readonly code: status };

/** Who may call: whoever shows the key; anybody where it is null, because nobody else can reach the port. */
export interface InternalAdmission {
  readonly internalKey: Secret | null;
  readonly log: Log;
}

/** One rpc between processes of the service: credential, trace, and failures in the words of gRPC. */
export function servedInternally<Request, Response extends object>(
  { internalKey, log }: InternalAdmission,
  rpc: string,
  work: (request: Request) => Promise<Response | InternalEnd>,
): (call: ServerUnaryCall<Request, Response>, done: sendUnaryData<Response>) => void {
  return (call, done) => {
    const [traceparent] = call.metadata.get('traceparent');
    const trace = continueTrace(typeof traceparent === 'string' ? traceparent : null);
    void inTrace(trace, async () => {
      try {
        if (internalKey !== null) requireKey(internalKey, call.metadata);
        const answer = await work(call.request);
        if ('code' in answer) done(answer);
        else done(null, answer);
      } catch (error) {
        if (isUnplanned(error)) log.error('internal.failed', { rpc, error });
        done(endStatusOf(error, trace.traceId));
      }
    });
  };
}

/** Opens a gRPC port for the other processes of the service, on an address that nobody else reaches. */
export async function openInternalPort({
  host,
  port,
  name,
  definition,
  implementation,
}: {
  readonly host: string;
  readonly port: number;
  /** The full name of the service, for its health. */
  readonly name: string;
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
}): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = new Server({
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
  });
  // A refusal of a call may carry a typed trailer of its own, so this port is bound to the generated server directly.
  server.addService(definition, implementation);
  new HealthImplementation({ '': 'SERVING', [name]: 'SERVING' }).addToServer(server);
  const open = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, taken) => {
      if (error === null) resolve(taken);
      else reject(error);
    });
  });
  return { port: open, close: () => close(server) };
}

function requireKey(internalKey: Secret, metadata: Metadata): void {
  const [shown] = metadata.get('authorization');
  const given = Buffer.from(typeof shown === 'string' ? shown : '');
  const wanted = Buffer.from(`Basic ${internalKey.reveal()}`);
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
  throw new GrpcFailure(status.UNAUTHENTICATED, 'metadata authorization is not the internal key');
}

async function close(server: Server): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_LIMIT_MS);
    server.tryShutdown(() => {
      resolve();
    });
  });
  clearTimeout(timer);
  server.forceShutdown();
}
