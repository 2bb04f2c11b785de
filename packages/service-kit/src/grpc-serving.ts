import { status, type Metadata } from '@grpc/grpc-js';
import type { Permission } from '@pos/core/permissions';
import { Refusal } from '@pos/core/refusal';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RpcDefinition } from './bind-grpc.js';
import type { Authenticate } from './grpc-auth.js';
import { GrpcCall } from './grpc-call.js';
import { endStatusOf, GrpcFailure, isUnplanned, type EndStatus } from './grpc-errors.js';
import type { Log } from './log.js';
import { continueTrace, inTrace, type Trace } from './trace.js';

/** What the four kinds of call have in common. */
export interface RawCall {
  readonly metadata: Metadata;
  getPeer(): string;
  getDeadline(): Date | number;
  once(event: 'cancelled', listener: () => void): unknown;
}

/** One call as it arrived: its rpc, what that asks for, and how long it may take when the caller does not say. */
export interface Arrival {
  readonly rpc: RpcDefinition;
  readonly raw: RawCall;
  readonly permission: Permission | null;
  readonly limitMs: number;
}

/** How a call ended: with the method's answer, or with a status for what was thrown. */
export type End = { readonly answer: unknown } | { readonly failure: EndStatus };

/** Everything around an rpc method: trace, credentials, deadline, the status of what it throws, one line of log. */
export class GrpcServing {
  readonly #authenticate: Authenticate;
  readonly #log: Log;
  readonly #streams = new Set<AbortController>();
  #isStopping = false;

  constructor({ authenticate, log }: { authenticate: Authenticate; log: Log }) {
    this.#authenticate = authenticate;
    this.#log = log;
  }

  /** Tells every running stream, and each that still arrives, that the server is going away. */
  stopStreams(): void {
    this.#isStopping = true;
    for (const life of this.#streams) life.abort(goingAway());
  }

  /** Serves one call. Never rejects. */
  async serve(arrival: Arrival, work: (call: GrpcCall) => Promise<unknown>): Promise<End> {
    const { rpc, raw, permission } = arrival;
    const isStream = rpc.requestStream || rpc.responseStream;
    const trace = continueTrace(firstText(raw.metadata, 'traceparent'));
    const { call, life, settle } = this.#begin(arrival, trace);
    if (isStream) this.#streams.add(life);
    if (isStream && this.#isStopping) life.abort(goingAway());
    return inTrace(trace, async () => {
      const startedAt = performance.now();
      let thrown: unknown = null;
      let end: End;
      let letBe = (): void => undefined;
      try {
        await call.admit(permission);
        if (isWatching(arrival)) letBe = endWithKey(call, life);
        end = { answer: await work(call) };
        if (isStream) {
          // A cancelled stream looks ended first and cancelled a moment later.
          await nextTurn();
          if (life.signal.aborted) throw reasonOf(life.signal);
        }
      } catch (error) {
        thrown = error;
        end = { failure: endStatusOf(error, trace.traceId) };
      } finally {
        letBe();
        settle();
        this.#streams.delete(life);
      }
      this.#tell({ call, end, thrown, tookMs: Math.round(performance.now() - startedAt) });
      return end;
    });
  }

  #begin({ rpc, raw, limitMs }: Arrival, trace: Trace): { call: GrpcCall; life: AbortController; settle: () => void } {
    const life = new AbortController();
    let isOver = false;
    raw.once('cancelled', () => {
      // A call that was answered looks cancelled too when its stream closes; nobody listens to it any more.
      if (!isOver) life.abort(new GrpcFailure(status.CANCELLED, 'the call was cancelled'));
    });
    const call = new GrpcCall({
      rpc: rpc.path.slice(1),
      trace,
      peer: raw.getPeer(),
      signal: life.signal,
      metadata: raw.metadata,
      deadlineAtMs: Math.min(Number(raw.getDeadline()), Date.now() + limitMs),
      authenticate: this.#authenticate,
    });
    const timer = atDeadline(call.remainingMs(), () => {
      life.abort(new GrpcFailure(status.DEADLINE_EXCEEDED, 'no answer within the deadline'));
    });
    const settle = (): void => {
      isOver = !(rpc.requestStream || rpc.responseStream);
      clearTimeout(timer);
    };
    return { call, life, settle };
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
    if (thrown !== null && isUnplanned(thrown)) this.#log.error('grpc.answered', { ...fields, error: thrown });
    else this.#log.info('grpc.answered', fields);
  }
}

/** Who only listens: nobody else looks after such a stream. Those that talk have a keeper. */
function isWatching({ rpc, permission }: Arrival): boolean {
  return rpc.responseStream && !rpc.requestStream && permission !== null;
}

/** A deleted key must stop working within a second, and the key ring answers for nine tenths of one by itself. */
const READMIT_MS = 100;

/** Ends a stream whose key is deleted or may no more do this; only a no ends it, not a database that is away. */
function endWithKey(call: GrpcCall, life: AbortController): () => void {
  let isAsking = false;
  const ask = async (): Promise<void> => {
    try {
      await call.readmit();
    } catch (error) {
      if (error instanceof Refusal && ENDING.has(error.code)) life.abort(error);
    } finally {
      isAsking = false;
    }
  };
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    void ask();
  }, READMIT_MS);
  return () => {
    clearInterval(timer);
  };
}

const ENDING: ReadonlySet<string> = new Set(['unauthenticated', 'permission_missing']);

function goingAway(): GrpcFailure {
  return new GrpcFailure(status.UNAVAILABLE, 'the server is going away');
}

/** The answer of the method, unless nobody waits for it first; the method sees the signal and is left to end by itself. */
export async function whileAwaited(call: GrpcCall, answering: Promise<unknown>): Promise<unknown> {
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

function firstText(metadata: Metadata, name: string): string | null {
  const [value] = metadata.get(name);
  return typeof value === 'string' ? value : null;
}
