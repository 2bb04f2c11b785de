/** How old what was heard of the database's clock may be. */
const FRESH_MS = 1_000;

/**
 * The database's clock as this process has heard it: asked for within the last second, and gone on since by the
 * process's own. It lags by what the answer took, which is less than that second, and is never ahead: whoever goes by it
 * lets go of what is his too early rather than too late, and of what is another's too late.
 */
export class DatabaseClock {
  #sample: { readonly atMs: number; readonly receivedAtMs: number; readonly requestedAtMs: number } | null = null;

  constructor(private readonly monotonic: () => number = () => performance.now()) {}

  /** The moment on the process's own clock, for whoever asks the database next. */
  readMonotonic(): number {
    return this.monotonic();
  }

  /**
   * The database has just told its time to one who asked then: a process that stood still before it heard the answer has
   * heard nothing new. Of two tellings the one that lags less counts, for as long as it is fresh.
   */
  receive(databaseNow: Date, requestedAtMs: number): void {
    const current = this.now();
    const atMs = databaseNow.getTime();
    if (current === null || atMs >= current.getTime())
      this.#sample = { atMs, receivedAtMs: this.monotonic(), requestedAtMs };
  }

  /** To the millisecond; null when nothing was heard that was asked for within a second. */
  now(): Date | null {
    if (this.#sample === null) return null;
    const { atMs, receivedAtMs, requestedAtMs } = this.#sample;
    const now = this.monotonic();
    return now - requestedAtMs > FRESH_MS ? null : new Date(atMs + Math.floor(now - receivedAtMs));
  }
}
