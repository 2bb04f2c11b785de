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
import { INTERNAL_VALUES_MAX } from '@pos/grpc-contracts/message-values';
import { ConfigError } from '../config/config.js';
import type { ConnectionLimits } from '../network/connection-limit.js';
import { limitGrpcConnections } from '../grpc/grpc-connections.js';
import { toEndStatus, isUnexpectedError } from '../grpc/grpc-errors.js';
import { deferDecodingErrors, requireMessage } from '../grpc/grpc-request-decoding.js';
import { isLoopback } from '../network/internet-address.js';
import { formatHostPort } from '../network/listen-address.js';
import type { Log } from '../telemetry/log.js';
import type { Secret } from '../config/secret.js';
import { observeGrpcCall } from '../metrics/request-metrics.js';
import { continueOrBeginTrace, endSpan } from '../telemetry/span.js';
import { runInTrace } from '../telemetry/trace.js';
import type { CallerAuthenticator } from './caller-authenticator.js';
import type { Callers } from './internal-callers.js';
import { keepMessageBytes } from './message-bytes.js';

const INTERNAL_MESSAGE_BYTES_MAX = 5 * 1024 * 1024;
const INTERNAL_CLOSE_TIMEOUT_MS = 5_000;
const LOOPBACK = '127.0.0.1';

/** A failed call, in the form in which gRPC ends it. */
export type InternalFailure = Partial<StatusObject> & { readonly code: status };

/** What admits the callers of an internal port. */
export interface InternalAuthentication {
  readonly callers: CallerAuthenticator;
  readonly log: Log;
}

/**
 * Runs an rpc between processes of the service: caller, trace, and failures as gRPC statuses. The work receives the apps
 * that the caller proves to be; null where no caller has to be named.
 */
export function handleInternalCall<Request, Response extends object>(
  { callers, log }: InternalAuthentication,
  rpc: string,
  work: (request: Request, callers: Callers | null) => Promise<Response | InternalFailure>,
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
        const names = await callers.requireCaller(call);
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
  const boundPort = await new Promise<number>((resolve, reject) => {
    server.bindAsync(formatHostPort(host, port), credentials, (error, listeningPort) => {
      if (error === null) {
        limitGrpcConnections(server, connections);
        resolve(listeningPort);
      } else reject(error);
    });
  });
  return {
    port: boundPort,
    close: () => closeServer(server),
    setHealth: (service, isServing) => {
      health.setStatus(service, isServing ? 'SERVING' : 'NOT_SERVING');
    },
  };
}

/** The settings of an internal port. */
interface InternalPortSettings {
  readonly NODE_ENV: string;
  readonly INTERNAL_HOST?: string | undefined;
  readonly ADVERTISED_ADDRESS?: string | undefined;
  readonly INTERNAL_KEY?: Secret | undefined;
  readonly INTERNAL_KEY_ACCEPTED?: Secret | undefined;
  readonly INTERNAL_TLS_CERT?: string | undefined;
  readonly INTERNAL_TLS_BY_MESH: boolean;
}

/**
 * Checks the settings of an internal port before anything is started. Throws `ConfigError` for a port that other machines
 * can reach without encryption or without named callers, and for one that they cannot reach where they should.
 */
export function requireSafeInternalPort(settings: InternalPortSettings): void {
  const host = readInternalHost(settings);
  if (!isLoopback(host) && settings.INTERNAL_TLS_CERT === undefined && !settings.INTERNAL_TLS_BY_MESH) {
    throw new ConfigError([
      'INTERNAL_TLS_CERT: is not set, and INTERNAL_HOST is not a loopback address; only where a service mesh encrypts, INTERNAL_TLS_BY_MESH and INTERNAL_KEY take its place',
    ]);
  }
  readInternalKeys(settings);
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
  INTERNAL_TLS_CERT: certificate,
}: InternalPortSettings): string {
  if (host !== undefined || NODE_ENV !== 'production') return host ?? LOOPBACK;
  if (advertised !== undefined && !isLoopback(advertised.replace(/:\d+$/, ''))) {
    throw new ConfigError([
      'INTERNAL_HOST: is not set, and the port would be opened on loopback, where nobody reaches it by ADVERTISED_ADDRESS',
    ]);
  }
  if (key !== undefined || certificate !== undefined) {
    const setting = key === undefined ? 'INTERNAL_TLS_CERT' : 'INTERNAL_KEY';
    throw new ConfigError([
      `INTERNAL_HOST: is not set, and ${setting} is: set it to the address that others reach, or to ${LOOPBACK}`,
    ]);
  }
  return LOOPBACK;
}

/**
 * The keys of the tokens that the internal port accepts; this process signs with the first one. Throws `ConfigError` for a
 * port that other machines can reach without a key or certificates, and for a second key without a first.
 */
export function readInternalKeys(settings: InternalPortSettings): readonly Secret[] {
  const { INTERNAL_KEY: key, INTERNAL_KEY_ACCEPTED: accepted } = settings;
  if (key === undefined) {
    if (!isLoopback(readInternalHost(settings)) && settings.INTERNAL_TLS_CERT === undefined)
      throw new ConfigError(['INTERNAL_KEY: is not set, and INTERNAL_HOST is not a loopback address']);
    if (accepted !== undefined) throw new ConfigError(['INTERNAL_KEY_ACCEPTED: is set, and INTERNAL_KEY is not']);
    return [];
  }
  return accepted === undefined ? [key] : [key, accepted];
}

function addMessageLimits(definition: ServiceDefinition): ServiceDefinition {
  const rpcs = Object.entries(definition).map(([name, rpc]) => [
    name,
    keepMessageBytes(deferDecodingErrors(rpc, INTERNAL_VALUES_MAX)),
  ]);
  return Object.fromEntries(rpcs) as ServiceDefinition;
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
