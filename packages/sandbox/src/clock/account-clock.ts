import type { CancelTask, SimulationClock } from './simulation-clock.js';

interface ScheduledTask {
  /** By the clock that this one rests upon. */
  dueAt: number;
  cancel: CancelTask;
  readonly sequence: number;
  readonly work: () => void;
}

/** A smaller lead is the time that a message took. */
const CLOCK_STEP_MIN_MS = 1_000;

/**
 * Time as the simulated machines of one account have it: when the service's time of the account goes forward by a leap, what
 * the machines wait for comes nearer by the same stretch.
 */
export class AccountClock implements SimulationClock {
  readonly #base: SimulationClock;
  readonly #onAdvance: (byMs: number) => void;
  readonly #tasks = new Set<ScheduledTask>();
  #lastSequence = 0;
  #offsetMs: number | null = null;

  /** `advanced` is called with each leap, before the work that comes due by it. */
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

  /** Takes the time that the service has told of the account; told by each machine, a leap counts once. */
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
      // What came due before it may have called it off.
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
