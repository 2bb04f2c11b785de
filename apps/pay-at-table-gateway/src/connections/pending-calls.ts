/** The remaining time of a call, on the process's monotonic clock. */
interface RemainingTime {
  getRemainingMs(): number;
}

interface PendingCall<Kind, Outcome> {
  readonly callName: Kind;
  /** What the call is about; empty when that does not matter to its answer. */
  readonly subject: string;
  readonly settle: (outcome: Outcome) => void;
}

/** The numbers of concurrent and of queued calls on one connection. */
export interface CallLimits {
  readonly runningMax: number;
  readonly queuedMax: number;
  /** The longest time in the queue; the time of the caller when left out. */
  readonly queueTimeoutMs?: number;
}

/**
 * The calls of one connection. A limited number is unanswered at a time, the others wait in a queue. Each call ends once:
 * by its answer, by its deadline, or by the end of the connection. No call is repeated.
 */
export class PendingCalls<Kind, Outcome> {
  readonly #pending = new Map<string, PendingCall<Kind, Outcome>>();
  readonly #queue: ((isGranted: boolean) => void)[] = [];
  #running = 0;
  #isDraining = false;
  #onIdle: (() => void) | null = null;

  constructor(private readonly limits: CallLimits) {}

  /** Whether a call is unanswered. */
  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  /** Whether new calls are refused. */
  isDraining(): boolean {
    return this.#isDraining;
  }

  /** Waits for a slot; false when none became free in time. The caller returns it by `releaseSlot`. */
  async acquireSlot(deadline: RemainingTime): Promise<boolean> {
    const { runningMax, queuedMax, queueTimeoutMs = Number.POSITIVE_INFINITY } = this.limits;
    if (this.#isDraining) return false;
    if (this.#running < runningMax) {
      this.#running += 1;
      return true;
    }
    if (this.#queue.length >= queuedMax) return false;
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => {
          this.#queue.splice(this.#queue.indexOf(grantSlot), 1);
          resolve(false);
        },
        Math.min(queueTimeoutMs, deadline.getRemainingMs()),
      );
      const grantSlot = (isGranted: boolean): void => {
        clearTimeout(timer);
        resolve(isGranted);
      };
      this.#queue.push(grantSlot);
    });
  }

  /** Passes the slot to the call that has waited longest. */
  releaseSlot(): void {
    const grantSlot = this.#queue.shift();
    if (grantSlot === undefined) this.#running -= 1;
    else grantSlot(true);
  }

  /** Sends a call and awaits its answer; `timeoutOutcome` is the outcome without an answer in time. */
  awaitAnswer(
    callId: string,
    call: {
      readonly callName: Kind;
      readonly subject?: string;
      readonly deadline: RemainingTime;
      readonly timeoutOutcome: Outcome;
    },
    send: (settle: (outcome: Outcome) => void) => void,
  ): Promise<Outcome> {
    return new Promise((resolve) => {
      const settle = (outcome: Outcome): void => {
        clearTimeout(timer);
        if (this.#pending.delete(callId)) resolve(outcome);
        if (this.#pending.size === 0) this.#onIdle?.();
      };
      const timer = setTimeout(() => {
        settle(call.timeoutOutcome);
      }, call.deadline.getRemainingMs());
      this.#pending.set(callId, { callName: call.callName, subject: call.subject ?? '', settle });
      send(settle);
    });
  }

  /** The unanswered call with this id, or null. */
  findCall(callId: string): PendingCall<Kind, Outcome> | null {
    return this.#pending.get(callId) ?? null;
  }

  /** The only unanswered call; null when there is none, or more than one. */
  findOnlyCall(): PendingCall<Kind, Outcome> | null {
    return this.#pending.size === 1 ? ([...this.#pending.values()][0] ?? null) : null;
  }

  /** Refuses new calls. Resolves when all calls are answered, at the latest after `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    this.#stopAccepting();
    if (this.#pending.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      timer = setTimeout(resolve, graceMs);
    });
    clearTimeout(timer);
  }

  /** Ends every unanswered call with this outcome, because the connection has ended. */
  settleAll(outcome: Outcome): void {
    this.#stopAccepting();
    for (const { settle } of [...this.#pending.values()]) settle(outcome);
  }

  #stopAccepting(): void {
    this.#isDraining = true;
    for (const grantSlot of this.#queue.splice(0)) grantSlot(false);
  }
}
