/** A moment on the process's monotonic clock, and the time limit of a call that is sent before it. */
export class Deadline {
  readonly #expiresAtMs: number;
  readonly #callTimeoutMs: number;
  /** The longest wait for a connection before the call is sent. */
  readonly connectLimitMs: number;

  private constructor(atMs: number, { callMs = Number.POSITIVE_INFINITY, connectMs = Number.POSITIVE_INFINITY } = {}) {
    this.#expiresAtMs = atMs;
    this.#callTimeoutMs = callMs;
    this.connectLimitMs = connectMs;
  }

  static createAfter(ms: number): Deadline {
    return new Deadline(performance.now() + ms);
  }

  getRemainingMs(): number {
    return Math.max(0, this.#expiresAtMs - performance.now());
  }

  /** The same moment with a time limit for the call itself, without its time in the queue. */
  limitCall(ms: number, connectMs = Number.POSITIVE_INFINITY): Deadline {
    return new Deadline(this.#expiresAtMs, { callMs: ms, connectMs });
  }

  /** The deadline of the answer to a call that is sent now. */
  startCall(): Deadline {
    const endsAtMs = Math.min(this.#expiresAtMs, performance.now() + this.#callTimeoutMs);
    return new Deadline(endsAtMs, { connectMs: this.connectLimitMs });
  }
}
