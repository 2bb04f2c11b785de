/** Cancels a task that has not begun. Does nothing when it has. */
export type CancelTask = () => void;

/** Time in the simulated world. This package reads clocks only through this interface. */
export interface SimulationClock {
  /** The current time, for comparisons. */
  now(): Date;
  /** Timestamp for receipts, bills and bookings. It is constant in a seeded world, so that the bytes repeat. */
  getTimestamp(): Date;
  /** Runs the work after this much simulated time: the scale divides it. */
  schedule(simulatedMs: number, work: () => void): CancelTask;
  /**
   * Runs the work after this much real time: reconnects, heartbeats and faults that are configured in real
   * milliseconds.
   */
  scheduleRealTime(realMs: number, work: () => void): CancelTask;
  /** Converts simulated to real milliseconds. */
  toRealMs(simulatedMs: number): number;
}

/** The clock of the running sandbox. `standingAt` freezes the timestamps. */
export function createWallClock({
  timeScale,
  frozenAt,
}: {
  timeScale: number;
  frozenAt: Date | null;
}): SimulationClock {
  const afterReal = (realMs: number, work: () => void): CancelTask => {
    const timer = setTimeout(work, realMs);
    // What the simulated world waits for keeps no process alive: its servers and connections do.
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  };
  return {
    now: () => new Date(),
    getTimestamp: () => frozenAt ?? new Date(),
    schedule: (simulatedMs, work) => afterReal(simulatedMs / timeScale, work),
    scheduleRealTime: afterReal,
    toRealMs: (simulatedMs) => simulatedMs / timeScale,
  };
}

/** A clock that moves only on request, so that a whole day of a machine runs in one test. */
export class ManualClock implements SimulationClock {
  #nowMs: number;
  #lastSequence = 0;
  #tasks: { readonly at: number; readonly order: number; readonly work: () => void }[] = [];

  constructor(at: Date) {
    this.#nowMs = at.getTime();
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  getTimestamp(): Date {
    return new Date(this.#nowMs);
  }

  schedule(simulatedMs: number, work: () => void): CancelTask {
    const task = { at: this.#nowMs + simulatedMs, order: ++this.#lastSequence, work };
    this.#tasks.push(task);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task);
    };
  }

  scheduleRealTime(realMs: number, work: () => void): CancelTask {
    return this.schedule(realMs, work);
  }

  toRealMs(simulatedMs: number): number {
    return simulatedMs;
  }

  /** Advances the time and runs due tasks in their order. Promises that follow get their turn after each task. */
  async advanceBy(byMs: number): Promise<void> {
    const until = this.#nowMs + byMs;
    await settlePromises();
    for (;;) {
      const dueTask = this.#tasks
        .filter(({ at }) => at <= until)
        .sort((left, right) => left.at - right.at || left.order - right.order)[0];
      if (dueTask === undefined) break;
      this.#tasks = this.#tasks.filter((other) => other !== dueTask);
      this.#nowMs = dueTask.at;
      dueTask.work();
      await settlePromises();
    }
    this.#nowMs = until;
  }
}

const MICROTASK_TURNS = 20;

async function settlePromises(): Promise<void> {
  for (let turn = 0; turn < MICROTASK_TURNS; turn += 1) await Promise.resolve();
}
