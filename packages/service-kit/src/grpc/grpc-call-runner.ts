import { status, type Metadata } from '@grpc/grpc-js';
import type { Permission } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RpcDefinition } from './grpc-controller.js';
import type { GrpcAuthenticator, GrpcPartnerCheck } from './grpc-auth.js';
import { GrpcCall } from './grpc-call.js';
import { toEndStatus, GrpcFailure, isUnexpectedError, type GrpcEndStatus } from './grpc-errors.js';
import type { Log } from '../telemetry/log.js';
import { observeGrpcCall } from '../metrics/request-metrics.js';
import { continueOrBeginTrace, endSpan } from '../telemetry/span.js';
import { runInTrace, type Trace } from '../telemetry/trace.js';

/** The common part of the four kinds of call. */
export interface GrpcJsCall {
  readonly metadata: Metadata;
  getPeer(): string;
  getDeadline(): Date | number;
  once(event: 'cancelled', listener: () => void): unknown;
}

/** A call as it arrived: its rpc, the required permission, and the default deadline. */
export interface IncomingCall {
  readonly rpc: RpcDefinition;
  readonly raw: GrpcJsCall;
  readonly permission: Permission | null;
  readonly timeoutMs: number;
}

/** The end of a call: the method's answer, or a status for its error. */
export type RpcResult = { readonly answer: unknown } | { readonly failure: GrpcEndStatus };

/** Runs an rpc method with trace, credentials, deadline, status of errors and one log line. */
export class GrpcCallRunner {
  readonly #authenticate: GrpcAuthenticator;
  readonly #checkPartners: GrpcPartnerCheck | null;
  readonly #log: Log;
  readonly #findClient: (peer: string) => string;
  readonly #streams = new Set<AbortController>();
  #isStopping = false;

  constructor({
    authenticate,
    checkPartners = null,
    log,
    findClient = (peer) => peer,
  }: {
    authenticate: GrpcAuthenticator;
    checkPartners?: GrpcPartnerCheck | null;
    log: Log;
    /** The client of a connection by its peer, where the peer is a proxy. */
    findClient?: (peer: string) => string;
  }) {
    this.#authenticate = authenticate;
    this.#checkPartners = checkPartners;
    this.#log = log;
    this.#findClient = findClient;
  }

  /** Ends every running stream, and each that still arrives, because the server stops. */
  stopStreams(): void {
    this.#isStopping = true;
    for (const abortController of this.#streams) abortController.abort(createGoingAwayFailure());
  }

  /** Serves one call. Never rejects. */
  async runCall(incoming: IncomingCall, work: (call: GrpcCall) => Promise<unknown>): Promise<RpcResult> {
    const { rpc, raw, permission } = incoming;
    const isStream = rpc.requestStream || rpc.responseStream;
    const trace = continueOrBeginTrace(readMetadataText(raw.metadata, 'traceparent'));
    const { call, abortController, settle } = this.#beginCall(incoming, trace);
    if (isStream) this.#streams.add(abortController);
    if (isStream && this.#isStopping) abortController.abort(createGoingAwayFailure());
    return runInTrace(trace, async () => {
      const startedAt = performance.now();
      let cause: unknown = null;
      let end: RpcResult;
      let stopWatchingKey = (): void => undefined;
      try {
        await call.admitCaller(permission);
        if (isListenOnlyStream(incoming)) stopWatchingKey = watchKey(call, abortController);
        end = { answer: await work(call) };
        if (isStream) {
          // A cancelled stream first looks ended, and cancelled a moment later.
          await nextTurn();
          if (abortController.signal.aborted) throw getAbortError(abortController.signal);
        }
      } catch (error) {
        cause = error;
        end = { failure: toEndStatus(error, trace.traceId) };
      } finally {
        stopWatchingKey();
        settle();
        this.#streams.delete(abortController);
      }
      observeCall(call, { end, startedAtMs: startedAt, isStream });
      this.#logCall({ call, end, cause, tookMs: Math.round(performance.now() - startedAt) });
      return end;
    });
  }

  #beginCall(
    { rpc, raw, timeoutMs }: IncomingCall,
    trace: Trace,
  ): { call: GrpcCall; abortController: AbortController; settle: () => void } {
    const abortController = new AbortController();
    let isFinished = false;
    raw.once('cancelled', () => {
      // An answered call also looks cancelled when its stream closes; its signal has no effect any more.
      if (!isFinished) abortController.abort(new GrpcFailure(status.CANCELLED, 'the call was cancelled'));
    });
    const call = new GrpcCall({
      rpc: rpc.path.slice(1),
      trace,
      peer: this.#findClient(raw.getPeer()),
      signal: abortController.signal,
      metadata: raw.metadata,
      deadlineAtMs: Math.min(Number(raw.getDeadline()), Date.now() + timeoutMs),
      authenticate: this.#authenticate,
      checkPartners: this.#checkPartners,
    });
    const timer = scheduleDeadline(call.getRemainingMs(), () => {
      abortController.abort(new GrpcFailure(status.DEADLINE_EXCEEDED, 'no answer within the deadline'));
    });
    const settle = (): void => {
      isFinished = !(rpc.requestStream || rpc.responseStream);
      clearTimeout(timer);
    };
    return { call, abortController, settle };
  }

  #logCall({ call, end, cause, tookMs }: { call: GrpcCall; end: RpcResult; cause: unknown; tookMs: number }): void {
    const code = 'failure' in end ? end.failure.code : status.OK;
    const fields = {
      rpc: call.rpc,
      status: status[code],
      took_ms: tookMs,
      peer: call.peer,
      account_id: call.callerIfAdmitted?.scope.accountId,
      key_id: call.callerIfAdmitted?.keyId,
      ...('failure' in end && { detail: end.failure.details }),
    };
    if (cause !== null && isUnexpectedError(cause)) this.#log.error('grpc.answered', { ...fields, error: cause });
    else this.#log.info('grpc.answered', fields);
  }
}

function observeCall(
  { rpc, trace }: GrpcCall,
  { end, startedAtMs, isStream }: { readonly end: RpcResult; readonly startedAtMs: number; readonly isStream: boolean },
): void {
  const code = status['failure' in end ? end.failure.code : status.OK];
  observeGrpcCall(rpc, code, isStream ? null : (performance.now() - startedAtMs) / 1_000);
  const attributes = { 'rpc.system.name': 'grpc', 'rpc.response.status_code': code };
  endSpan({ name: rpc, kind: 'server' }, { trace, startedAtMs }, { attributes, hasFailed: 'failure' in end });
}

/**
 * Streams without messages from the caller have no other check of their key. Bidirectional streams check it themselves.
 */
function isListenOnlyStream({ rpc, permission }: IncomingCall): boolean {
  return rpc.responseStream && !rpc.requestStream && permission !== null;
}

/** A deleted key must stop working within a second, and the key cache serves it for nine tenths of one. */
const KEY_CHECK_INTERVAL_MS = 100;

/** Ends a stream whose key is deleted or has lost the permission. An outage of the database does not end it. */
function watchKey(call: GrpcCall, abortController: AbortController): () => void {
  let isChecking = false;
  const checkKey = async (): Promise<void> => {
    try {
      await call.recheckKey();
    } catch (error) {
      if (error instanceof Refusal && ENDING_REFUSALS.has(error.code)) abortController.abort(error);
    } finally {
      isChecking = false;
    }
  };
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void checkKey();
  }, KEY_CHECK_INTERVAL_MS);
  return () => {
    clearInterval(timer);
  };
}

const ENDING_REFUSALS: ReadonlySet<string> = new Set(['unauthenticated', 'permission_missing']);

function createGoingAwayFailure(): GrpcFailure {
  return new GrpcFailure(status.UNAVAILABLE, 'the server is going away');
}

/** The method's answer, or the abort of the call if that is first. The method sees the signal and ends by itself. */
export async function awaitWithSignal(call: GrpcCall, answer: Promise<unknown>): Promise<unknown> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      reject(getAbortError(call.signal));
    };
    if (call.signal.aborted) stop();
    call.signal.addEventListener('abort', stop, { once: true });
  });
  // The promise that loses the race may still reject, which is no error.
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    call.signal.removeEventListener('abort', stop);
  }
}

// `setTimeout` fires at once for a longer time.
const TIMER_MS_MAX = 2 ** 31 - 1;

function scheduleDeadline(remainingMs: number, onDeadline: () => void): NodeJS.Timeout | undefined {
  return remainingMs > TIMER_MS_MAX ? undefined : setTimeout(onDeadline, remainingMs);
}

function getAbortError(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new GrpcFailure(status.CANCELLED, 'the call was cancelled');
}

function readMetadataText(metadata: Metadata, name: string): string | null {
  const [value] = metadata.get(name);
  return typeof value === 'string' ? value : null;
}
