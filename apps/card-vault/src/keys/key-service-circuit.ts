/** Unanswered calls in a row after which the circuit opens. */
const UNANSWERED_MAX = 5;
/** How long the service is left alone between two trials. */
const PAUSE_MS = 2_000;

/**
 * A circuit breaker for the calls of this process to the key service. After five calls in a row without an answer, calls
 * fail at once, except for one trial each pause: requests of payers do not wait for a service that hangs.
 */
export class KeyServiceCircuit {
  readonly #onChange: (isOpen: boolean) => void;
  readonly #nowMs: () => number;
  #unansweredInRow = 0;
  #trialFromMs = 0;

  constructor({
    onChange,
    nowMs = () => performance.now(),
  }: {
    /** Called when the circuit opens or closes. */
    readonly onChange: (isOpen: boolean) => void;
    /** Monotonic. */
    readonly nowMs?: () => number;
  }) {
    this.#onChange = onChange;
    this.#nowMs = nowMs;
  }

  get isOpen(): boolean {
    return this.#unansweredInRow >= UNANSWERED_MAX;
  }

  /** Whether a call may be sent now. While the circuit is open, the call that may is the trial of this pause. */
  admitCall(): boolean {
    if (!this.isOpen) return true;
    const nowMs = this.#nowMs();
    if (nowMs < this.#trialFromMs) return false;
    this.#trialFromMs = nowMs + PAUSE_MS;
    return true;
  }

  recordCall(isAnswered: boolean): void {
    const wasOpen = this.isOpen;
    this.#unansweredInRow = isAnswered ? 0 : this.#unansweredInRow + 1;
    if (this.isOpen) this.#trialFromMs = this.#nowMs() + PAUSE_MS;
    if (wasOpen !== this.isOpen) this.#onChange(this.isOpen);
  }
}
