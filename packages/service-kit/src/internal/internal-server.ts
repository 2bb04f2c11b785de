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
import { INTERNAL_VALUES_MAX } from '@pos/grpc-contracts/message-values';
import { ConfigError } from '../config/config.js';
import type { ConnectionLimits } from '../network/connection-limit.js';
import { limitGrpcConnections } from '../grpc/grpc-connections.js';
import { toEndStatus, GrpcFailure, isUnexpectedError } from '../grpc/grpc-errors.js';
import { deferDecodingErrors, requireMessage } from '../grpc/grpc-request-decoding.js';
import { isLoopback } from '../network/internet-address.js';
import { formatHostPort } from '../network/listen-address.js';
import type { Log } from '../telemetry/log.js';
import type { Secret } from '../config/secret.js';
import { continueTrace, runInTrace } from '../telemetry/trace.js';

const INTERNAL_MESSAGE_BYTES_MAX = 5 * 1024 * 1024;
const INTERNAL_CLOSE_TIMEOUT_MS = 5_000;
const LOOPBACK = '127.0.0.1';

/** A failed call, in the form in which gRPC ends it. */
export type InternalFailure = Partial<StatusObject> & { readonly code: status };

/** The keys that admit a caller. Without a key every caller is admitted, because only this machine reaches the port. */
export interface InternalAuthentication {
  readonly internalKeys: readonly Secret[];
  readonly log: Log;
}

/** Runs an rpc between processes of the service: credential, trace, and failures as gRPC statuses. */
export function handleInternalCall<Request, Response extends object>(
  { internalKeys, log }: InternalAuthentication,
  rpc: string,
  work: (request: Request) => Promise<Response | InternalFailure>,
): (call: ServerUnaryCall<Request, Response>, done: sendUnaryData<Response>) => void {
  return (call, done) => {
    const [traceparent] = call.metadata.get('traceparent');
    const trace = continueTrace(typeof traceparent === 'string' ? traceparent : null);
    void runInTrace(trace, async () => {
      try {
        requireInternalKey(internalKeys, call.metadata);
        const answer = await work(requireMessage(call.request));
        if ('code' in answer) done(answer);
        else done(null, answer);
      } catch (error) {
        if (isUnexpectedError(error)) log.error('internal.failed', { rpc, error });
        done(toEndStatus(error, trace.traceId));
      }
    });
  };
}

/** Opens a gRPC port for the other processes of the service, on an internal address. */
export async function startInternalServer({
  host,
  port,
  name,
  definition,
  implementation,
  connections,
}: {
  readonly host: string;
  readonly port: number;
  /** The full name of the service, for its health status. */
  readonly name: string;
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
  readonly connections: ConnectionLimits;
}): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = new Server({
    'grpc.max_receive_message_length': INTERNAL_MESSAGE_BYTES_MAX,
    'grpc.max_send_message_length': INTERNAL_MESSAGE_BYTES_MAX,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
  });
  // Refusals of this port may carry their own typed trailer, so it uses the generated server directly.
  server.addService(addMessageLimits(definition), implementation);
  new HealthImplementation({ '': 'SERVING', [name]: 'SERVING' }).addToServer(server);
  const boundPort = await new Promise<number>((resolve, reject) => {
    server.bindAsync(formatHostPort(host, port), ServerCredentials.createInsecure(), (error, listeningPort) => {
      if (error === null) {
        limitGrpcConnections(server, connections);
        resolve(listeningPort);
      } else reject(error);
    });
  });
  return { port: boundPort, close: () => closeServer(server) };
}

/** The settings of an internal port. */
interface InternalPortSettings {
  readonly NODE_ENV: string;
  readonly INTERNAL_HOST?: string | undefined;
  readonly ADVERTISED_ADDRESS?: string | undefined;
  readonly INTERNAL_KEY?: Secret | undefined;
  readonly INTERNAL_KEY_ACCEPTED?: Secret | undefined;
}

/**
 * The host of the internal port, loopback by default. In production it throws `ConfigError` when no host is set and
 * other settings show that processes of other machines need the port, because they could not reach it.
 */
export function readInternalHost({
  NODE_ENV,
  INTERNAL_HOST: host,
  ADVERTISED_ADDRESS: advertised,
  INTERNAL_KEY: key,
}: InternalPortSettings): string {
  if (host !== undefined || NODE_ENV !== 'production') return host ?? LOOPBACK;
  if (advertised !== undefined && !isLoopback(advertised.replace(/:\d+$/, ''))) {
    throw new ConfigError([
      'INTERNAL_HOST: is not set, and the port would be opened on loopback, where nobody reaches it by ADVERTISED_ADDRESS',
    ]);
  }
  if (key !== undefined) {
    throw new ConfigError([
      `INTERNAL_HOST: is not set, and INTERNAL_KEY is: set it to the address that others reach, or to ${LOOPBACK}`,
    ]);
  }
  return LOOPBACK;
}

/**
 * The keys that the internal port accepts; this process sends the first one. Throws `ConfigError` for a port that other
 * machines can reach without a key, and for a second key without a first.
 */
export function readInternalKeys(settings: InternalPortSettings): readonly Secret[] {
  const { INTERNAL_KEY: key, INTERNAL_KEY_ACCEPTED: accepted } = settings;
  if (key === undefined) {
    if (!isLoopback(readInternalHost(settings)))
      throw new ConfigError(['INTERNAL_KEY: is not set, and INTERNAL_HOST is not a loopback address']);
    if (accepted !== undefined) throw new ConfigError(['INTERNAL_KEY_ACCEPTED: is set, and INTERNAL_KEY is not']);
    return [];
  }
  return accepted === undefined ? [key] : [key, accepted];
}

function addMessageLimits(definition: ServiceDefinition): ServiceDefinition {
  const rpcs = Object.entries(definition).map(([name, rpc]) => [name, deferDecodingErrors(rpc, INTERNAL_VALUES_MAX)]);
  return Object.fromEntries(rpcs) as ServiceDefinition;
}

function requireInternalKey(internalKeys: readonly Secret[], metadata: Metadata): void {
  const [credential] = metadata.get('authorization');
  const given = Buffer.from(typeof credential === 'string' ? credential : '');
  const isMatchingKey = (key: Secret): boolean => {
    const expected = Buffer.from(`Basic ${key.reveal()}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  if (internalKeys.length === 0 || internalKeys.some(isMatchingKey)) return;
  throw new GrpcFailure(status.UNAUTHENTICATED, 'metadata authorization is not the internal key');
}

async function closeServer(server: Server): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, INTERNAL_CLOSE_TIMEOUT_MS);
    server.tryShutdown(() => {
      resolve();
    });
  });
  clearTimeout(timer);
  server.forceShutdown();
}
