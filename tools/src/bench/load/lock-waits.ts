import { setTimeout as pause } from 'node:timers/promises';

/** The mean number of sessions that wait for a lock of a row or relation, while each side runs. */
export interface LockWaits {
  readonly ours: number;
  readonly floor: number;
}

const SAMPLE_EVERY_MS = 20;
const WAITING = `select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock'`;

/** Counts the sessions that wait for a lock, every few milliseconds. */
export class LockWaitSampler {
  /** The side that runs now. */
  side: keyof LockWaits = 'floor';
  #samples: Record<keyof LockWaits, number[]> = { ours: [], floor: [] };
  #running: Promise<void> = Promise.resolve();
  #isWanted = false;

  constructor(private readonly query: (text: string) => Promise<readonly { readonly waiting: number }[]>) {}

  start(): void {
    this.#samples = { ours: [], floor: [] };
    this.#isWanted = true;
    this.#running = this.#run();
  }

  /** Ends the samples; not a number for a side without any. */
  async stop(): Promise<LockWaits> {
    this.#isWanted = false;
    await this.#running;
    return { ours: computeMean(this.#samples.ours), floor: computeMean(this.#samples.floor) };
  }

  async #run(): Promise<void> {
    while (this.#isWanted) {
      const { side } = this;
      const [row] = await this.query(WAITING);
      this.#samples[side].push(row?.waiting ?? Number.NaN);
      await pause(SAMPLE_EVERY_MS);
    }
  }
}

function computeMean(samples: readonly number[]): number {
  return samples.reduce((sum, each) => sum + each, 0) / samples.length;
}
