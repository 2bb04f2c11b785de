import {
  Server,
  ServerCredentials,
  status,
  type Metadata,
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
import { assert, Defect } from '@pos/core/assert';
import { PERMISSIONS, type Permission } from '@pos/core/permissions';
import { HealthImplementation } from 'grpc-health-check';
import { isObservable, lastValueFrom } from 'rxjs';
import { RPC_PERMISSION, type GrpcService, type RpcDefinition } from './bind-grpc.js';
import type { Authenticate } from './grpc-auth.js';
import { GrpcCall } from './grpc-call.js';
import { endStatusOf, GrpcFailure, isUnplanned, type EndStatus } from './grpc-errors.js';
import { addReflection } from './grpc-reflection.js';
import { messagesOf, writeAll } from './grpc-streams.js';
import type { Log } from './log.js';
import { continueTrace, inTrace } from './trace.js';

/** What one gRPC port serves, and for whom. */
export interface GrpcDoorOptions {
  /** Such as `0.0.0.0:50051`; port 0 takes a free one. */
  readonly address: string;
  readonly services: readonly GrpcService[];
  readonly authenticate: Authenticate;
  readonly log: Log;
  /** The descriptor image: given outside production, the port answers reflection; in production leave it out. */
  readonly reflectionImage?: Uint8Array;
  /** Plain text when left out. */
  readonly credentials?: ServerCredentials;
  /** For one-message calls that name no deadline. */
  readonly deadlineMs?: number;
  readonly closeLimitMs?: number;
}

const DEADLINE_MS = 30_000;
const CLOSE_LIMIT_MS = 25_000;
const REQUEST_BYTES_MAX = 1024 * 1024;
const RESPONSE_BYTES_MAX = 4 * 1024 * 1024;
const METADATA_BYTES_MAX = 16 * 1024;
const STREAMS_PER_CONNECTION_MAX = 512;
const KEEPALIVE_MS = 30_000;
const KEEPALIVE_TIMEOUT_MS = 20_000;

/** What the four kinds of call have in common. */
interface RawCall {
  readonly metadata: Metadata;
  getPeer(): string;
  getDeadline(): Date | number;
  once(event: 'cancelled', listener: () => void): unknown;
}

type Method = (request: unknown, call: GrpcCall) => Promise<unknown>;

/**
 * One gRPC port as a Nest transport: the generated codecs, and around each method the trace, credentials, deadline,
 * statuses and one line of log. The standard health service answers on every port.
 */
export class GrpcDoor extends NestServer implements CustomTransportStrategy {
  override readonly transportId = Transport.GRPC;
  readonly #options: GrpcDoorOptions;
  readonly #server: Server;
  readonly #health = new HealthImplementation({ '': 'SERVING' });
  readonly #streams = new Set<AbortController>();
  #port: number | null = null;
  #isClosing = false;

  constructor(options: GrpcDoorOptions) {
    super();
    this.#options = options;
    this.#server = new Server({
      'grpc.max_receive_message_length': REQUEST_BYTES_MAX,
      'grpc.max_send_message_length': RESPONSE_BYTES_MAX,
      'grpc.max_metadata_size': METADATA_BYTES_MAX,
      'grpc.max_concurrent_streams': STREAMS_PER_CONNECTION_MAX,
      'grpc.keepalive_time_ms': KEEPALIVE_MS,
      'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
    });
  }

  /** The port that was really taken. */
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

  /** Takes no new calls, tells streams to end, waits for running calls up to the limit, then cuts what is left. */
  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#health.setStatus('', 'NOT_SERVING');
    for (const stream of this.#streams) stream.abort(new GrpcFailure(status.UNAVAILABLE, 'the server is going away'));
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#options.closeLimitMs ?? CLOSE_LIMIT_MS);
      this.#server.tryShutdown(() => {
        resolve();
      });
    });
    clearTimeout(timer);
    this.#server.forceShutdown();
  }

  on(): never {
    throw new Defect('the gRPC port has no events');
  }

  unwrap<T>(): T {
    throw new Defect('the gRPC server is not handed out');
  }

  #addServices(): void {
    const names = new Set<string>();
    for (const service of this.#options.services) {
      const methods: Record<string, UntypedHandleCall> = {};
      for (const [name, rpc] of Object.entries(service)) {
        const handler = this.messageHandlers.get(rpc.path);
        if (handler === undefined) throw new Defect(`no controller of the module is bound to ${rpc.path}`);
        methods[name] = this.#handlerOf(rpc, methodOf(handler), permissionOf(handler, rpc));
        names.add(serviceName(rpc));
      }
      // The generated definition has the same members under types of its own.
      this.#server.addService(service as unknown as ServiceDefinition, methods);
    }
    for (const name of names) this.#health.setStatus(name, 'SERVING');
    this.#health.addToServer(this.#server);
    if (this.#options.reflectionImage !== undefined) {
      addReflection(this.#server, this.#options.reflectionImage, [...names]);
    }
  }

  #bind(): Promise<number> {
    const { address, credentials = ServerCredentials.createInsecure() } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.bindAsync(address, credentials, (error, port) => {
        if (error === null) resolve(port);
        else reject(error);
      });
    });
  }

  #handlerOf(rpc: RpcDefinition, method: Method, permission: Permission | null): UntypedHandleCall {
    if (rpc.requestStream && rpc.responseStream) return this.#bidirectional(rpc, method, permission);
    if (rpc.requestStream) return this.#manyIn(rpc, method, permission);
    if (rpc.responseStream) return this.#manyOut(rpc, method, permission);
    return this.#unary(rpc, method, permission);
  }

  #unary(rpc: RpcDefinition, method: Method, permission: Permission | null): handleUnaryCall<unknown, unknown> {
    return (raw, callback) => {
      const serving = this.#serve({ rpc, raw, permission, limitMs: this.#options.deadlineMs ?? DEADLINE_MS }, (call) =>
        whileAwaited(call, method(raw.request, call)),
      );
      void serving.then((end) => {
        if ('answer' in end) callback(null, end.answer);
        else callback(end.failure);
      });
    };
  }

  #manyIn(
    rpc: RpcDefinition,
    method: Method,
    permission: Permission | null,
  ): handleClientStreamingCall<unknown, unknown> {
    return (raw, callback) => {
      const serving = this.#serve({ rpc, raw, permission, limitMs: Infinity }, (call) =>
        whileAwaited(call, method(messagesOf(raw, call.signal), call)),
      );
      void serving.then((end) => {
        if ('answer' in end) callback(null, end.answer);
        else callback(end.failure);
      });
    };
  }

  #manyOut(
    rpc: RpcDefinition,
    method: Method,
    permission: Permission | null,
  ): handleServerStreamingCall<unknown, unknown> {
    return (raw) => {
      const serving = this.#serve({ rpc, raw, permission, limitMs: Infinity }, async (call) =>
        writeAll(raw, iterable(await method(raw.request, call), rpc), call.signal),
      );
      void serving.then((end) => {
        endStream(raw, end);
      });
    };
  }

  #bidirectional(
    rpc: RpcDefinition,
    method: Method,
    permission: Permission | null,
  ): handleBidiStreamingCall<unknown, unknown> {
    return (raw) => {
      const serving = this.#serve({ rpc, raw, permission, limitMs: Infinity }, async (call) =>
        writeAll(raw, iterable(await method(messagesOf(raw, call.signal), call), rpc), call.signal),
      );
      void serving.then((end) => {
        endStream(raw, end);
      });
    };
  }

  /** Everything around one call; never rejects. */
  async #serve(
    {
      rpc,
      raw,
      permission,
      limitMs,
    }: { rpc: RpcDefinition; raw: RawCall; permission: Permission | null; limitMs: number },
    work: (call: GrpcCall) => Promise<unknown>,
  ): Promise<End> {
    const trace = continueTrace(firstText(raw.metadata, 'traceparent'));
    const life = new AbortController();
    const isStream = rpc.requestStream || rpc.responseStream;
    const deadlineAtMs = Math.min(Number(raw.getDeadline()), Date.now() + limitMs);
    const call = new GrpcCall({
      rpc: rpc.path.slice(1),
      trace,
      peer: raw.getPeer(),
      signal: life.signal,
      metadata: raw.metadata,
      deadlineAtMs,
      authenticate: this.#options.authenticate,
    });
    raw.once('cancelled', () => {
      life.abort(new GrpcFailure(status.CANCELLED, 'the call was cancelled'));
    });
    const timer = atDeadline(call.remainingMs(), () => {
      life.abort(new GrpcFailure(status.DEADLINE_EXCEEDED, 'no answer within the deadline'));
    });
    if (isStream) this.#streams.add(life);
    // A call that arrives while the port closes has missed the round that told the others.
    if (this.#isClosing) life.abort(new GrpcFailure(status.UNAVAILABLE, 'the server is going away'));
    return inTrace(trace, async () => {
      const startedAt = performance.now();
      let end: End;
      let thrown: unknown = null;
      try {
        await call.admit(permission);
        end = { answer: await work(call) };
        if (isStream && life.signal.aborted) throw reasonOf(life.signal);
      } catch (error) {
        thrown = error;
        end = { failure: endStatusOf(error, trace.traceId) };
      } finally {
        clearTimeout(timer);
        this.#streams.delete(life);
      }
      this.#tell({ call, end, thrown, tookMs: Math.round(performance.now() - startedAt) });
      return end;
    });
  }

  #tell({ call, end, thrown, tookMs }: { call: GrpcCall; end: End; thrown: unknown; tookMs: number }): void {
    const code = 'failure' in end ? end.failure.code : status.OK;
    const fields = {
      rpc: call.rpc,
      status: status[code],
      took_ms: tookMs,
      peer: call.peer,
      account_id: call.callerOrNull?.scope.accountId,
      key_id: call.callerOrNull?.keyId,
      ...('failure' in end && { detail: end.failure.details }),
    };
    if (thrown !== null && isUnplanned(thrown)) this.#options.log.error('grpc.answered', { ...fields, error: thrown });
    else this.#options.log.info('grpc.answered', fields);
  }
}

type End = { readonly answer: unknown } | { readonly failure: EndStatus };

function endStream(raw: ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>, end: End): void {
  if ('failure' in end) raw.emit('error', end.failure);
  else raw.end();
}

/** The answer of the method, unless nobody waits for it first; the method sees the signal and is left to end by itself. */
async function whileAwaited(call: GrpcCall, answering: Promise<unknown>): Promise<unknown> {
  let stop = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    stop = () => {
      reject(reasonOf(call.signal));
    };
    if (call.signal.aborted) stop();
    call.signal.addEventListener('abort', stop, { once: true });
  });
  // Whichever loses the race may still reject; that is nobody's failure.
  answering.catch(() => undefined);
  try {
    return await Promise.race([answering, ended]);
  } finally {
    call.signal.removeEventListener('abort', stop);
  }
}

// A timer set further off than this fires at once.
const TIMER_MS_MAX = 2 ** 31 - 1;

function atDeadline(remainingMs: number, late: () => void): NodeJS.Timeout | undefined {
  return remainingMs > TIMER_MS_MAX ? undefined : setTimeout(late, remainingMs);
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new GrpcFailure(status.CANCELLED, 'the call was cancelled');
}

function methodOf(handler: MessageHandler): Method {
  return async (request, call) => {
    const result: unknown = await handler(request, call);
    return isObservable(result) ? lastValueFrom(result) : result;
  };
}

function permissionOf(handler: MessageHandler, rpc: RpcDefinition): Permission | null {
  const named: unknown = handler.extras?.[RPC_PERMISSION];
  if (named === null) return null;
  const permission = PERMISSIONS.find((known) => known === named);
  assert(permission !== undefined, `${rpc.path} is not bound by BindGrpc`);
  return permission;
}

function serviceName(rpc: RpcDefinition): string {
  return rpc.path.split('/')[1] ?? '';
}

function firstText(metadata: Metadata, name: string): string | null {
  const [value] = metadata.get(name);
  return typeof value === 'string' ? value : null;
}

function iterable(result: unknown, rpc: RpcDefinition): AsyncIterable<unknown> {
  assert(
    typeof result === 'object' && result !== null && Symbol.asyncIterator in result,
    `${rpc.path} answers with no stream`,
  );
  return result as AsyncIterable<unknown>;
}
