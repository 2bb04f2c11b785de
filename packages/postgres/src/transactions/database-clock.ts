/** The largest age of a received database time. */
const FRESH_MS = 1_000;

/**
 * The database's clock as this process has received it: requested within the last second, and continued by the
 * process's own clock. It lags by the time that the answer took, which is less than that second, and is never ahead.
 * So a process that uses it releases its own leases too early rather than too late, and takes those of others too
 * late.
 */
export class DatabaseClock {
  #sample: { readonly atMs: number; readonly receivedAtMs: number; readonly requestedAtMs: number } | null = null;

  constructor(private readonly monotonic: () => number = () => performance.now()) {}

  /** The time of the process's own clock, to be passed to `receive` after the next database answer. */
  readMonotonic(): number {
    return this.monotonic();
  }

  /**
   * Stores the database time that was requested at `requestedAtMs`. A process that was paused before it received the
   * answer has no new time. Of two answers the one that lags less counts, as long as it is fresh.
   */
  receive(databaseNow: Date, requestedAtMs: number): void {
    const current = this.now();
    const atMs = databaseNow.getTime();
    if (current === null || atMs >= current.getTime())
      this.#sample = { atMs, receivedAtMs: this.monotonic(), requestedAtMs };
  }

  /** To the millisecond; null if no time was received that was requested within the last second. */
  now(): Date | null {
    if (this.#sample === null) return null;
    const { atMs, receivedAtMs, requestedAtMs } = this.#sample;
    const now = this.monotonic();
    return now - requestedAtMs > FRESH_MS ? null : new Date(atMs + Math.floor(now - receivedAtMs));
  }
}
