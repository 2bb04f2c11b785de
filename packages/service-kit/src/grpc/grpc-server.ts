import {
  Server,
  type ServerCredentials,
  type ServiceDefinition,
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type ServerDuplexStream,
  type ServerWritableStream,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import {
  Server as NestServer,
  Transport,
  type CustomTransportStrategy,
  type MessageHandler,
} from '@nestjs/microservices';
import { assert, Defect } from '@pos/core/refusals';
import { PERMISSIONS, type Permission } from '@pos/core/identity';
import { bindGrpcServer, closeGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { HealthImplementation } from 'grpc-health-check';
import { isObservable, lastValueFrom } from 'rxjs';
import { ConfigError } from '../config/config.js';
import type { ConnectionLimits } from '../network/connection-limit.js';
import { RPC_PERMISSION, type GrpcService, type RpcDefinition } from './grpc-controller.js';
import type { GrpcAuthenticator, GrpcPartnerCheck } from './grpc-auth.js';
import type { GrpcCall } from './grpc-call.js';
import { limitGrpcConnections } from './grpc-connections.js';
import { chooseServerCredentials } from './grpc-encryption.js';
import { addReflection } from './grpc-reflection.js';
import { deferDecodingErrors, requireReadable } from './grpc-request-decoding.js';
import { GrpcCallRunner, awaitWithSignal, type RpcResult } from './grpc-call-runner.js';
import { readMessages, writeMessages } from './grpc-streams.js';
import { PROCESS_SHUTDOWN } from '../lifecycle/process-shutdown.js';
import { formatHostPort } from '../network/listen-address.js';
import { NetworkList } from '../network/network-list.js';
import { ProxiedPort } from '../network/proxied-port.js';
import { findAdmittedNetworks, type PortEncryption } from '../network/port-encryption.js';
import type { Log } from '../telemetry/log.js';

/** The options of one gRPC port. */
export interface GrpcServerOptions {
  readonly connections?: ConnectionLimits;
  /** An address or a name; IPv6 with or without brackets. */
  readonly host: string;
  /** 0 opens a free one. */
  readonly port: number;
  readonly services: readonly GrpcService[];
  readonly authenticate: GrpcAuthenticator;
  /** Refuses calls for the partners that their metadata names. Without it every partner may call. */
  readonly checkPartners?: GrpcPartnerCheck;
  readonly log: Log;
  /** The descriptor image. With it the port serves reflection; do not set it in production. */
  readonly reflectionImage?: Uint8Array;
  /** How the port is encrypted. Without it only loopback is opened. */
  readonly encryption?: PortEncryption;
  /** Whether the connections of the trusted proxies begin with a PROXY header. No other connections are served then. */
  readonly proxyHeaders?: boolean;
  /** The default deadline of one-message calls. */
  readonly deadlineMs?: number;
  readonly closeTimeoutMs?: number;
  /** Aborted before the process ends: the health service says so. The process's own when left out. */
  readonly shutdown?: AbortSignal;
}

const NO_ENCRYPTION: PortEncryption = { tls: null, trustedProxies: [] };
const CALL_DEADLINE_MS = 30_000;
const CLOSE_TIMEOUT_MS = 25_000;
/**
 * A longer message ends its stream. Shorter ones above the limit of their rpc are refused later, and the stream
 * continues.
 */
const RECEIVED_BYTES_MAX = 4 * 1024 * 1024;
const RESPONSE_BYTES_MAX = 4 * 1024 * 1024;
const STREAMS_PER_CONNECTION_MAX = 512;
const KEEPALIVE_MS = 30_000;
const KEEPALIVE_TIMEOUT_MS = 20_000;

type RpcMethod = (request: unknown, call: GrpcCall) => Promise<unknown>;

/**
 * One gRPC port as a Nest transport: the generated codecs, and for each method the trace, credentials, deadline, status
 * and one log line. Every port serves the standard health service.
 */
export class GrpcServer extends NestServer implements CustomTransportStrategy {
  override readonly transportId = Transport.GRPC;
  readonly #options: GrpcServerOptions;
  readonly #server: Server;
  readonly #health = new HealthImplementation({ '': 'SERVING' });
  readonly #callRunner: GrpcCallRunner;
  readonly #admitted: NetworkList | null;
  readonly #credentials: ServerCredentials;
  readonly #proxiedPort: ProxiedPort | null;
  readonly #serviceNames = new Set<string>();
  #port: number | null = null;
  #isClosing = false;

  /** Throws `ConfigError` for a port in plain text that other machines can reach. */
  constructor(options: GrpcServerOptions) {
    super();
    this.#options = options;
    const { host, encryption = NO_ENCRYPTION } = options;
    this.#admitted = findAdmittedNetworks({ host, certSetting: 'GRPC_TLS_CERT' }, encryption);
    this.#credentials = chooseServerCredentials({
      ...{ host, hostSetting: 'HOST', tls: encryption.tls, tlsSetting: 'GRPC_TLS_CERT' },
      isEncryptedElsewhere: this.#admitted !== null,
    });
    this.#callRunner = new GrpcCallRunner({
      ...options,
      findClient: (peer) => this.#proxiedPort?.findClient(peer) ?? peer,
    });
    this.#server = new Server({
      'grpc.max_receive_message_length': RECEIVED_BYTES_MAX,
      'grpc.max_send_message_length': RESPONSE_BYTES_MAX,
      'grpc.max_concurrent_streams': STREAMS_PER_CONNECTION_MAX,
      'grpc.keepalive_time_ms': KEEPALIVE_MS,
      'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
    });
    this.#proxiedPort = options.proxyHeaders === true ? this.#createProxiedPort(encryption) : null;
    (options.shutdown ?? PROCESS_SHUTDOWN).addEventListener('abort', this.#announceClose, { once: true });
  }

  /** The port that was opened. */
  get port(): number {
    assert(this.#port !== null, 'the gRPC port is not open');
    return this.#port;
  }

  async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      this.#addServices();
      this.#port = await this.#bind();
      callback();
    } catch (error) {
      callback(error);
    }
  }

  /** Clients that watch the health of the port move to another process; calls are still accepted. */
  readonly #announceClose = (): void => {
    for (const name of ['', ...this.#serviceNames]) this.#health.setStatus(name, 'NOT_SERVING');
  };

  /** Accepts no new calls, ends streams, waits for running calls up to the limit, then closes the rest. */
  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#proxiedPort?.close();
    this.#announceClose();
    (this.#options.shutdown ?? PROCESS_SHUTDOWN).removeEventListener('abort', this.#announceClose);
    this.#callRunner.stopStreams();
    await closeGrpcServer(this.#server, this.#options.closeTimeoutMs ?? CLOSE_TIMEOUT_MS);
    this.#options.encryption?.tls?.close();
  }

  on(): never {
    throw new Defect('the gRPC port has no events');
  }

  unwrap<T>(): T {
    throw new Defect('the gRPC server is not handed out');
  }

  #addServices(): void {
    const names = this.#serviceNames;
    for (const service of this.#options.services) {
      const rpcs: Record<string, RpcDefinition> = {};
      const methods: Record<string, UntypedHandleCall> = {};
      for (const [name, rpc] of Object.entries(service)) {
        const handler = this.messageHandlers.get(rpc.path);
        if (handler === undefined) throw new Defect(`no controller of the module is bound to ${rpc.path}`);
        rpcs[name] = deferDecodingErrors(rpc);
        methods[name] = this.#createHandler(rpc, toRpcMethod(handler), readPermission(handler, rpc));
        names.add(parseServiceName(rpc));
      }
      // The generated definition has the same members under its own types.
      this.#server.addService(rpcs as unknown as ServiceDefinition, methods);
    }
    for (const name of names) this.#health.setStatus(name, 'SERVING');
    this.#health.addToServer(this.#server);
    if (this.#options.reflectionImage !== undefined) {
      addReflection(this.#server, this.#options.reflectionImage, [...names]);
    }
  }

  async #bind(): Promise<number> {
    const { host, port, connections, log } = this.#options;
    if (this.#proxiedPort !== null) return this.#proxiedPort.open(host, port);
    const boundPort = await bindGrpcServer(this.#server, formatHostPort(host, port), this.#credentials);
    limitGrpcConnections(this.#server, { log, admitted: this.#admitted, ...connections });
    return boundPort;
  }

  /** grpc-js serves the connections that this port accepts. Throws `ConfigError` without proxies. */
  #createProxiedPort({ trustedProxies }: PortEncryption): ProxiedPort {
    if (trustedProxies.length === 0) {
      throw new ConfigError(['TRUSTED_PROXIES: is not set, and GRPC_PROXY_HEADERS is true']);
    }
    const { connections = {}, log } = this.#options;
    const injector = this.#server.createConnectionInjector(this.#credentials);
    return new ProxiedPort({
      ...{ proxies: new NetworkList(trustedProxies), connections, log },
      serve: (socket) => {
        injector.injectConnection(socket);
      },
    });
  }

  #createHandler(rpc: RpcDefinition, method: RpcMethod, permission: Permission | null): UntypedHandleCall {
    if (rpc.requestStream && rpc.responseStream) return this.#createBidirectionalHandler(rpc, method, permission);
    if (rpc.requestStream) return this.#createClientStreamHandler(rpc, method, permission);
    if (rpc.responseStream) return this.#createServerStreamHandler(rpc, method, permission);
    return this.#createUnaryHandler(rpc, method, permission);
  }

  #createUnaryHandler(
    rpc: RpcDefinition,
    method: RpcMethod,
    permission: Permission | null,
  ): handleUnaryCall<unknown, unknown> {
    return (raw, callback) => {
      const running = this.#callRunner.runCall(
        { rpc, raw, permission, timeoutMs: this.#options.deadlineMs ?? CALL_DEADLINE_MS },
        (call) => awaitWithSignal(call, method(requireReadable(raw.request), call)),
      );
      void running.then((end) => {
        if ('answer' in end) callback(null, end.answer);
        else callback(end.failure);
      });
    };
  }

  #createClientStreamHandler(
    rpc: RpcDefinition,
    method: RpcMethod,
    permission: Permission | null,
  ): handleClientStreamingCall<unknown, unknown> {
    return (raw, callback) => {
      const running = this.#callRunner.runCall({ rpc, raw, permission, timeoutMs: Infinity }, (call) =>
        awaitWithSignal(call, method(readMessages(raw, call.signal), call)),
      );
      void running.then((end) => {
        if ('answer' in end) callback(null, end.answer);
        else callback(end.failure);
      });
    };
  }

  #createServerStreamHandler(
    rpc: RpcDefinition,
    method: RpcMethod,
    permission: Permission | null,
  ): handleServerStreamingCall<unknown, unknown> {
    return (raw) => {
      const running = this.#callRunner.runCall({ rpc, raw, permission, timeoutMs: Infinity }, async (call) =>
        writeMessages(raw, requireIterable(await method(requireReadable(raw.request), call), rpc), call.signal),
      );
      void running.then((end) => {
        endStreamWith(raw, end);
      });
    };
  }

  #createBidirectionalHandler(
    rpc: RpcDefinition,
    method: RpcMethod,
    permission: Permission | null,
  ): handleBidiStreamingCall<unknown, unknown> {
    return (raw) => {
      const running = this.#callRunner.runCall({ rpc, raw, permission, timeoutMs: Infinity }, async (call) =>
        writeMessages(raw, requireIterable(await method(readMessages(raw, call.signal), call), rpc), call.signal),
      );
      void running.then((end) => {
        endStreamWith(raw, end);
      });
    };
  }
}

function endStreamWith(
  raw: ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>,
  end: RpcResult,
): void {
  if ('failure' in end) raw.emit('error', end.failure);
  else raw.end();
}

function toRpcMethod(handler: MessageHandler): RpcMethod {
  return async (request, call) => {
    const result: unknown = await handler(request, call);
    return isObservable(result) ? lastValueFrom(result) : result;
  };
}

function readPermission(handler: MessageHandler, rpc: RpcDefinition): Permission | null {
  const declaredPermission: unknown = handler.extras?.[RPC_PERMISSION];
  if (declaredPermission === null) return null;
  const permission = PERMISSIONS.find((known) => known === declaredPermission);
  assert(permission !== undefined, `${rpc.path} is not bound by BindGrpc`);
  return permission;
}

function parseServiceName(rpc: RpcDefinition): string {
  return rpc.path.split('/')[1] ?? '';
}

function requireIterable(result: unknown, rpc: RpcDefinition): AsyncIterable<unknown> {
  assert(
    typeof result === 'object' && result !== null && Symbol.asyncIterator in result,
    `${rpc.path} answers with no stream`,
  );
  return result as AsyncIterable<unknown>;
}
