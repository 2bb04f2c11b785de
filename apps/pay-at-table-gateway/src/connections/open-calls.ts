/** A moment by which something has to have happened, on the process's monotonic clock. */
interface Until {
  leftMs(): number;
}

interface Open<Kind, Outcome> {
  readonly kind: Kind;
  readonly settle: (outcome: Outcome) => void;
}

/** How many calls one EPOS is asked at once, and how many wait for their turn. */
export interface CallPlaces {
  readonly atOnce: number;
  readonly waiting: number;
  /** How long a call waits for its turn at most; as long as its caller when left out. */
  readonly waitMs?: number;
}

/**
 * The calls that one connection carries: so many outstanding at once, the others wait in line. Each ends once: by its
 * answer, by its deadline, or by the end of the connection; none is made again.
 */
export class OpenCalls<Kind, Outcome> {
  readonly #open = new Map<string, Open<Kind, Outcome>>();
  readonly #line: ((isTurn: boolean) => void)[] = [];
  #running = 0;
  #isRetired = false;
  #whenIdle: (() => void) | null = null;

  constructor(private readonly places: CallPlaces) {}

  /** The other side is at work on a call. */
  get isBusy(): boolean {
    return this.#open.size > 0;
  }

  /** No call is taken any more. */
  isRetired(): boolean {
    return this.#isRetired;
  }

  /** Waits for a place; false when there was none to be had. Whoever got one gives it back by `leave`. */
  async enter(deadline: Until): Promise<boolean> {
    const { atOnce, waiting, waitMs = Number.POSITIVE_INFINITY } = this.places;
    if (this.#isRetired) return false;
    if (this.#running < atOnce) {
      this.#running += 1;
      return true;
    }
    if (this.#line.length >= waiting) return false;
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => {
          this.#line.splice(this.#line.indexOf(turn), 1);
          resolve(false);
        },
        Math.min(waitMs, deadline.leftMs()),
      );
      const turn = (isTurn: boolean): void => {
        clearTimeout(timer);
        resolve(isTurn);
      };
      this.#line.push(turn);
    });
  }

  /** Hands the place on to the call that has waited longest. */
  leave(): void {
    const turn = this.#line.shift();
    if (turn === undefined) this.#running -= 1;
    else turn(true);
  }

  /** Awaits the answer to a call that is sent by `send`; `late` is its outcome when none came in time. */
  await(
    callId: string,
    call: { readonly kind: Kind; readonly deadline: Until; readonly late: Outcome },
    send: (settle: (outcome: Outcome) => void) => void,
  ): Promise<Outcome> {
    return new Promise((resolve) => {
      const settle = (outcome: Outcome): void => {
        clearTimeout(timer);
        if (this.#open.delete(callId)) resolve(outcome);
        if (this.#open.size === 0) this.#whenIdle?.();
      };
      const timer = setTimeout(() => {
        settle(call.late);
      }, call.deadline.leftMs());
      this.#open.set(callId, { kind: call.kind, settle });
      send(settle);
    });
  }

  /** The call that is outstanding under this id; null for one that is not, or no longer. */
  find(callId: string): Open<Kind, Outcome> | null {
    return this.#open.get(callId) ?? null;
  }

  /** The one call that is outstanding; null when there are none or several. */
  only(): Open<Kind, Outcome> | null {
    return this.#open.size === 1 ? ([...this.#open.values()][0] ?? null) : null;
  }

  /** Takes no more calls. Resolves when those outstanding are answered, at the latest after the grace. */
  async retire(graceMs: number): Promise<void> {
    this.#end();
    if (this.#open.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
      timer = setTimeout(resolve, graceMs);
    });
    clearTimeout(timer);
  }

  /** The connection is over: every call that is outstanding ends so. */
  break(outcome: Outcome): void {
    this.#end();
    for (const { settle } of [...this.#open.values()]) settle(outcome);
  }

  #end(): void {
    this.#isRetired = true;
    for (const turn of this.#line.splice(0)) turn(false);
  }
}
