/** One answer of the database: its time, in whole milliseconds, and the process's times around the query. */
export interface TimeSample {
  readonly databaseMs: number;
  readonly requestedAtMs: number;
  readonly receivedAtMs: number;
}

/** Samples until the first use, at most: under load a single round trip is long. */
const SAMPLES_MIN = 5;
const EXACT_MS = 2;
/** Clocks drift, so an old bound does not hold for ever. */
const BOUND_AGE_MS_MAX = 60_000;

/**
 * Converts times of the process's monotonic clock to those of the database. Each sample bounds the difference of the
 * two clocks from below and above; the narrowest bounds of the last minute count. So an entry that is dated here
 * has its place among rows that the database has dated, also where single round trips are slow.
 */
export class DatabaseTime {
  #low = Number.NEGATIVE_INFINITY;
  #high = Number.POSITIVE_INFINITY;
  #since = 0;
  #samples = 0;

  addSample({ databaseMs, requestedAtMs, receivedAtMs }: TimeSample): void {
    const low = databaseMs - receivedAtMs;
    // The database has cut the fraction of its millisecond.
    const high = databaseMs + 1 - requestedAtMs;
    // Bounds that exclude each other: one of the clocks was set.
    const isStale = receivedAtMs - this.#since > BOUND_AGE_MS_MAX || low > this.#high || high < this.#low;
    this.#low = isStale ? low : Math.max(this.#low, low);
    this.#high = isStale ? high : Math.min(this.#high, high);
    this.#samples = isStale ? 1 : this.#samples + 1;
    if (isStale) this.#since = receivedAtMs;
  }

  /** Whether the bounds are narrow, or more samples would not help. */
  isExact(): boolean {
    return this.#samples >= SAMPLES_MIN || this.#high - this.#low <= EXACT_MS;
  }

  /** The database's time at a monotonic time, in whole milliseconds. Needs a sample. */
  toDatabaseMs(atMs: number): number {
    return Math.floor(atMs + (this.#low + this.#high) / 2);
  }
}
