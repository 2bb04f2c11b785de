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
 * The time of one account's simulated machines. When the service's clock of the account steps forward, the machines'
 * pending tasks fall due earlier by the same amount.
 */
export class AccountClock implements SimulationClock {
  readonly #base: SimulationClock;
  readonly #onAdvance: (byMs: number) => void;
  readonly #tasks = new Set<ScheduledTask>();
  #lastSequence = 0;
  #offsetMs: number | null = null;

  /** `onAdvance` is called at each step, before the tasks that fall due by it. */
  constructor(base: SimulationClock, onAdvance: (byMs: number) => void) {
    this.#base = base;
    this.#onAdvance = onAdvance;
  }

  now(): Date {
    return this.#base.now();
  }

  getTimestamp(): Date {
    return this.#base.getTimestamp();
  }

  toRealMs(simulatedMs: number): number {
    return this.#base.toRealMs(simulatedMs);
  }

  schedule(simulatedMs: number, work: () => void): CancelTask {
    return this.scheduleRealTime(this.toRealMs(simulatedMs), work);
  }

  scheduleRealTime(realMs: number, work: () => void): CancelTask {
    const task: ScheduledTask = {
      dueAt: this.#base.now().getTime() + realMs,
      cancel: () => undefined,
      sequence: (this.#lastSequence += 1),
      work,
    };
    this.#scheduleTask(task, realMs);
    return () => {
      task.cancel();
      this.#tasks.delete(task);
    };
  }

  /** Takes the service's time of the account. Every machine reports it, and a step counts once. */
  observeServiceTime(serviceTime: Date): void {
    const leadMs = serviceTime.getTime() - this.#base.now().getTime();
    const previousMs = this.#offsetMs ?? leadMs;
    this.#offsetMs = leadMs;
    if (leadMs - previousMs < CLOCK_STEP_MIN_MS) return;
    this.#advance(leadMs - previousMs);
  }

  #advance(byMs: number): void {
    this.#onAdvance(byMs);
    const now = this.#base.now().getTime();
    const tasks = [...this.#tasks].sort((left, right) => left.dueAt - right.dueAt || left.sequence - right.sequence);
    for (const task of tasks) task.dueAt -= byMs;
    for (const task of tasks) {
      // An earlier task may have canceled it.
      if (!this.#tasks.has(task)) continue;
      task.cancel();
      if (task.dueAt > now) this.#scheduleTask(task, task.dueAt - now);
      else this.#runTask(task);
    }
  }

  #scheduleTask(task: ScheduledTask, realMs: number): void {
    this.#tasks.add(task);
    task.cancel = this.#base.scheduleRealTime(realMs, () => {
      this.#runTask(task);
    });
  }

  #runTask(task: ScheduledTask): void {
    this.#tasks.delete(task);
    task.work();
  }
}
