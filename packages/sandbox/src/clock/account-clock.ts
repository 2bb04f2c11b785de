import type { CancelTask, SimulationClock } from './simulation-clock.js';

interface ScheduledTask {
  /** By the base clock. */
  dueAt: number;
  cancel: CancelTask;
  readonly sequence: number;
  readonly work: () => void;
}

/** A smaller difference is the time that a message took. */
const CLOCK_STEP_MIN_MS = 1_000;

/**
 * The time of one account's simulated world. When the service's clock of the account steps forward, pending tasks fall
 * due earlier by the same amount, and timestamps show the account's time.
 */
export class AccountClock implements SimulationClock {
  readonly #base: SimulationClock;
  readonly #onAdvance: (byMs: number) => void;
  readonly #tasks = new Set<ScheduledTask>();
  #lastSequence = 0;
  #lastServiceMs = -Infinity;
  #offsetMs: number | null = null;
  /** How far the account's time is ahead of the timestamps of the base clock. */
  #timestampLeadMs = 0;
  /** The time, by the base clock, at which a task was due that a step runs now. */
  #replayedAtMs: number | null = null;

  /** `onAdvance` is called at each step, before the tasks that fall due by it. */
  constructor(base: SimulationClock, onAdvance: (byMs: number) => void) {
    this.#base = base;
    this.#onAdvance = onAdvance;
  }

  /** By the base clock. A task that a step has made due runs at its own time, which is past. */
  now(): Date {
    return this.#replayedAtMs === null ? this.#base.now() : new Date(this.#replayedAtMs);
  }

  /** The account's time. */
  getTimestamp(): Date {
    return new Date(this.#base.getTimestamp().getTime() + this.#timestampLeadMs);
  }

  toRealMs(simulatedMs: number): number {
    return this.#base.toRealMs(simulatedMs);
  }

  schedule(simulatedMs: number, work: () => void): CancelTask {
    return this.scheduleRealTime(this.toRealMs(simulatedMs), work);
  }

  scheduleRealTime(realMs: number, work: () => void): CancelTask {
    const task: ScheduledTask = {
      dueAt: this.now().getTime() + realMs,
      cancel: () => undefined,
      sequence: (this.#lastSequence += 1),
      work,
    };
    this.#scheduleTask(task);
    return () => {
      task.cancel();
      this.#tasks.delete(task);
    };
  }

  /**
   * Takes the service's time of the account. Machines and calls report it, and a step counts once: an older time is a
   * message that was overtaken.
   */
  observeServiceTime(serviceTime: Date): void {
    const serviceMs = serviceTime.getTime();
    if (serviceMs < this.#lastServiceMs) return;
    this.#lastServiceMs = serviceMs;
    const leadMs = serviceMs - this.#base.now().getTime();
    const previousMs = this.#offsetMs;
    this.#offsetMs = leadMs;
    if (previousMs === null) {
      // The timestamps of a seeded world stand still; those of any other one follow the account from here on.
      const isTicking = Math.abs(this.#base.getTimestamp().getTime() - this.#base.now().getTime()) < CLOCK_STEP_MIN_MS;
      if (isTicking && leadMs >= CLOCK_STEP_MIN_MS) this.#timestampLeadMs = leadMs;
    } else if (leadMs - previousMs >= CLOCK_STEP_MIN_MS) {
      this.#timestampLeadMs += leadMs - previousMs;
      this.#advance(leadMs - previousMs);
    }
  }

  /** Runs what falls due, also what such a task schedules in turn, each at its own time and in their order. */
  #advance(byMs: number): void {
    this.#onAdvance(byMs);
    for (const task of this.#tasks) {
      task.cancel();
      task.dueAt -= byMs;
    }
    const now = this.#base.now().getTime();
    try {
      for (let next = this.#findNextTask(now); next !== null; next = this.#findNextTask(now)) {
        next.cancel();
        this.#replayedAtMs = next.dueAt;
        this.#runTask(next);
      }
    } finally {
      this.#replayedAtMs = null;
    }
    for (const task of this.#tasks) this.#scheduleTask(task);
  }

  #findNextTask(until: number): ScheduledTask | null {
    const [next] = [...this.#tasks]
      .filter(({ dueAt }) => dueAt <= until)
      .sort((left, right) => left.dueAt - right.dueAt || left.sequence - right.sequence);
    return next ?? null;
  }

  #scheduleTask(task: ScheduledTask): void {
    this.#tasks.add(task);
    task.cancel();
    const inMs = Math.max(0, task.dueAt - this.#base.now().getTime());
    task.cancel = this.#base.scheduleRealTime(inMs, () => {
      this.#runTask(task);
    });
  }

  #runTask(task: ScheduledTask): void {
    this.#tasks.delete(task);
    task.work();
  }
}
