/** Takes a piece of work back that has not begun. Harmless when it has. */
export type Cancel = () => void;

/** Time as the simulated world has it. Nothing in this package reads a clock but through this. */
export interface WorldClock {
  /** The moment, for what compares moments. */
  now(): Date;
  /** What is written on receipts, bills and bookings. Stands still in a seeded world, so that bytes repeat. */
  stamp(): Date;
  /** Does the work after this much simulated time: the scale divides it. */
  after(simulatedMs: number, work: () => void): Cancel;
  /** Does the work after this much real time: reconnects, heartbeats and faults that were ordered in real milliseconds. */
  afterReal(realMs: number, work: () => void): Cancel;
  /** How long simulated milliseconds really last. */
  realMs(simulatedMs: number): number;
}

/** The clock of the running sandbox. `standingAt` freezes the stamps. */
export function wallClock({ timeScale, standingAt }: { timeScale: number; standingAt: Date | null }): WorldClock {
  const afterReal = (realMs: number, work: () => void): Cancel => {
    const timer = setTimeout(work, realMs);
    return () => {
      clearTimeout(timer);
    };
  };
  return {
    now: () => new Date(),
    stamp: () => standingAt ?? new Date(),
    after: (simulatedMs, work) => afterReal(simulatedMs / timeScale, work),
    afterReal,
    realMs: (simulatedMs) => simulatedMs / timeScale,
  };
}

/** A clock that moves only when told to: the whole day of a machine runs in one test. */
export class ManualClock implements WorldClock {
  #at: number;
  #ordered = 0;
  #waiting: { readonly at: number; readonly order: number; readonly work: () => void }[] = [];

  constructor(at: Date) {
    this.#at = at.getTime();
  }

  now(): Date {
    return new Date(this.#at);
  }

  stamp(): Date {
    return new Date(this.#at);
  }

  after(simulatedMs: number, work: () => void): Cancel {
    const waiting = { at: this.#at + simulatedMs, order: ++this.#ordered, work };
    this.#waiting.push(waiting);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
    };
  }

  afterReal(realMs: number, work: () => void): Cancel {
    return this.after(realMs, work);
  }

  realMs(simulatedMs: number): number {
    return simulatedMs;
  }

  /** Lets time pass, doing what falls due in its order; promises that follow get their turn after each piece. */
  async advance(byMs: number): Promise<void> {
    const until = this.#at + byMs;
    await settled();
    for (;;) {
      const due = this.#waiting
        .filter(({ at }) => at <= until)
        .sort((left, right) => left.at - right.at || left.order - right.order)[0];
      if (due === undefined) break;
      this.#waiting = this.#waiting.filter((other) => other !== due);
      this.#at = due.at;
      due.work();
      await settled();
    }
    this.#at = until;
  }
}

const TURNS_PER_PIECE = 20;

async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS_PER_PIECE; turn += 1) await Promise.resolve();
}
