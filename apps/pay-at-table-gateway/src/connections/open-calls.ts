/** A moment by which something has to have happened, on the process's monotonic clock. */
interface RemainingTime {
  getRemainingMs(): number;
}

interface PendingCall<Kind, Outcome> {
  readonly callName: Kind;
  readonly settle: (outcome: Outcome) => void;
}

/** How many calls one EPOS is asked at once, and how many wait for their turn. */
export interface CallLimits {
  readonly runningMax: number;
  readonly queuedMax: number;
  /** How long a call waits for its turn at most; as long as its caller when left out. */
  readonly queueTimeoutMs?: number;
}

/**
 * The calls that one connection carries: so many outstanding at once, the others wait in line. Each ends once: by its
 * answer, by its deadline, or by the end of the connection; none is made again.
 */
export class PendingCalls<Kind, Outcome> {
  readonly #pending = new Map<string, PendingCall<Kind, Outcome>>();
  readonly #queue: ((isGranted: boolean) => void)[] = [];
  #running = 0;
  #isDraining = false;
  #onIdle: (() => void) | null = null;

  constructor(private readonly limits: CallLimits) {}

  /** The other side is at work on a call. */
  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  /** No call is taken any more. */
  isDraining(): boolean {
    return this.#isDraining;
  }

  /** Waits for a place; false when none became free. The caller gives it back by `leave`. */
  async acquireSlot(deadline: RemainingTime): Promise<boolean> {
    const { runningMax, queuedMax, queueTimeoutMs: queueTimeoutMs = Number.POSITIVE_INFINITY } = this.limits;
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

  /** Hands the place on to the call that has waited longest. */
  releaseSlot(): void {
    const grantSlot = this.#queue.shift();
    if (grantSlot === undefined) this.#running -= 1;
    else grantSlot(true);
  }

  /** Awaits the answer to a call that is sent by `send`; `late` is its outcome when none came in time. */
  awaitAnswer(
    callId: string,
    call: { readonly callName: Kind; readonly deadline: RemainingTime; readonly timeoutOutcome: Outcome },
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
      this.#pending.set(callId, { callName: call.callName, settle });
      send(settle);
    });
  }

  /** The call that is outstanding under this id; null for one that is not, or no longer. */
  findCall(callId: string): PendingCall<Kind, Outcome> | null {
    return this.#pending.get(callId) ?? null;
  }

  /** The one call that is outstanding; null when there are none or several. */
  findOnlyCall(): PendingCall<Kind, Outcome> | null {
    return this.#pending.size === 1 ? ([...this.#pending.values()][0] ?? null) : null;
  }

  /** Takes no more calls. Resolves when those outstanding are answered, at the latest after the grace. */
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

  /** The connection is over: every call that is outstanding ends so. */
  settleAll(outcome: Outcome): void {
    this.#stopAccepting();
    for (const { settle } of [...this.#pending.values()]) settle(outcome);
  }

  #stopAccepting(): void {
    this.#isDraining = true;
    for (const grantSlot of this.#queue.splice(0)) grantSlot(false);
  }
}
