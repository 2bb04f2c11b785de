import type { Cancel, WorldClock } from './clock.js';

interface Waiting {
  /** By the clock that this one rests upon. */
  dueAt: number;
  cancel: Cancel;
  readonly order: number;
  readonly work: () => void;
}

/** A smaller lead is the time that a message took. */
const LEAD_MIN_MS = 1_000;

/**
 * Time as the simulated machines of one account have it: when the service's time of the account goes forward by a leap, what
 * the machines wait for comes nearer by the same stretch.
 */
export class AccountClock implements WorldClock {
  readonly #base: WorldClock;
  readonly #advanced: (byMs: number) => void;
  readonly #waiting = new Set<Waiting>();
  #ordered = 0;
  #leadMs: number | null = null;

  /** `advanced` is called with each leap, before the work that comes due by it. */
  constructor(base: WorldClock, advanced: (byMs: number) => void) {
    this.#base = base;
    this.#advanced = advanced;
  }

  now(): Date {
    return this.#base.now();
  }

  stamp(): Date {
    return this.#base.stamp();
  }

  realMs(simulatedMs: number): number {
    return this.#base.realMs(simulatedMs);
  }

  after(simulatedMs: number, work: () => void): Cancel {
    return this.afterReal(this.realMs(simulatedMs), work);
  }

  afterReal(realMs: number, work: () => void): Cancel {
    const waiting: Waiting = {
      dueAt: this.#base.now().getTime() + realMs,
      cancel: () => undefined,
      order: (this.#ordered += 1),
      work,
    };
    this.#wait(waiting, realMs);
    return () => {
      waiting.cancel();
      this.#waiting.delete(waiting);
    };
  }

  /** Takes the time that the service has told of the account; told by each machine, a leap counts once. */
  observe(serviceTime: Date): void {
    const leadMs = serviceTime.getTime() - this.#base.now().getTime();
    const before = this.#leadMs ?? leadMs;
    this.#leadMs = leadMs;
    if (leadMs - before < LEAD_MIN_MS) return;
    this.#advance(leadMs - before);
  }

  #advance(byMs: number): void {
    this.#advanced(byMs);
    const now = this.#base.now().getTime();
    const all = [...this.#waiting].sort((left, right) => left.dueAt - right.dueAt || left.order - right.order);
    for (const waiting of all) waiting.dueAt -= byMs;
    for (const waiting of all) {
      // What came due before it may have called it off.
      if (!this.#waiting.has(waiting)) continue;
      waiting.cancel();
      if (waiting.dueAt > now) this.#wait(waiting, waiting.dueAt - now);
      else this.#run(waiting);
    }
  }

  #wait(waiting: Waiting, realMs: number): void {
    this.#waiting.add(waiting);
    waiting.cancel = this.#base.afterReal(realMs, () => {
      this.#run(waiting);
    });
  }

  #run(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    waiting.work();
  }
}
