import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import type { RpcCallback } from './acquirer-rpc.js';

/** A call over gRPC, as `called` makes it. */
type GuardedCall<R> = (options: { readonly deadline: Date }, callback: RpcCallback<R>) => void;

/** Unanswered calls in a row after which the circuit opens. */
const UNANSWERED_MAX = 5;
/** An acquirer that answers with any other status is reachable. */
const UNANSWERED_STATUSES: ReadonlySet<status> = new Set([status.DEADLINE_EXCEEDED, status.UNAVAILABLE]);

/** What a circuit needs to know. */
interface CircuitOptions {
  /** How long the acquirer is left alone between two trials. */
  readonly pauseMs: number;
  /** Called when the circuit opens or closes. */
  readonly onChange?: (isOpen: boolean) => void;
  /** Monotonic. */
  readonly nowMs?: () => number;
}

/**
 * A circuit breaker for the calls of one process to one acquirer. After five calls in a row without an answer it is open:
 * calls fail at once with UNAVAILABLE and are not sent, except for one trial at a time, once per pause. The first answer
 * closes it. So an acquirer that hangs holds one slot of a worker and not all of them, for ten seconds each (ADR 0052).
 */
export class AcquirerCircuit {
  readonly #pauseMs: number;
  readonly #onChange: (isOpen: boolean) => void;
  readonly #nowMs: () => number;
  #unansweredInRow = 0;
  #trialFromMs = 0;
  #isTrialRunning = false;

  constructor({ pauseMs, onChange = () => undefined, nowMs = () => performance.now() }: CircuitOptions) {
    this.#pauseMs = pauseMs;
    this.#onChange = onChange;
    this.#nowMs = nowMs;
  }

  get isOpen(): boolean {
    return this.#unansweredInRow >= UNANSWERED_MAX;
  }

  /** The same call, which is sent only while the circuit admits it. */
  guard<R>(call: GuardedCall<R>): GuardedCall<R> {
    return (options, callback) => {
      const isTrial = this.isOpen;
      if (isTrial && (this.#isTrialRunning || this.#nowMs() < this.#trialFromMs)) {
        // With an error nobody reads the response.
        Reflect.apply(callback, null, [createNotSentError()]);
        return;
      }
      if (isTrial) this.#isTrialRunning = true;
      try {
        call(options, (error, response) => {
          if (isTrial) this.#isTrialRunning = false;
          this.#recordOutcome(error !== null && UNANSWERED_STATUSES.has(error.code));
          callback(error, response);
        });
      } catch (error) {
        if (isTrial) this.#isTrialRunning = false;
        throw error;
      }
    };
  }

  #recordOutcome(isUnanswered: boolean): void {
    const wasOpen = this.isOpen;
    this.#unansweredInRow = isUnanswered ? this.#unansweredInRow + 1 : 0;
    // Counted from the last silence, so that calls which were under way when it opened do not hasten the trial.
    if (this.isOpen) this.#trialFromMs = this.#nowMs() + this.#pauseMs;
    if (wasOpen !== this.isOpen) this.#onChange(this.isOpen);
  }
}

function createNotSentError(): ServiceError {
  const details = 'not sent: the acquirer does not answer, and is tried by one call at a time';
  return Object.assign(new Error(`${status.UNAVAILABLE} UNAVAILABLE: ${details}`), {
    code: status.UNAVAILABLE,
    details,
    metadata: new Metadata(),
  });
}
