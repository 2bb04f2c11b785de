/** How old what was heard of the database's clock may be. */
const FRESH_MS = 1_000;

/**
 * The database's clock as this process has heard it: read there within the last second, and gone on since by the
 * process's own. It lags by what the answer took and is never ahead, so that whoever goes by it lets go of what is his too
 * early rather than too late, and of what is another's too late.
 */
export class HeardTime {
  #heard: { readonly atMs: number; readonly heardAtMs: number } | null = null;

  constructor(private readonly monotonic: () => number = () => performance.now()) {}

  /** The database has just told its time. Of two tellings the one that lags less counts, for as long as it is fresh. */
  hear(databaseNow: Date): void {
    const known = this.now();
    const atMs = databaseNow.getTime();
    if (known === null || atMs >= known.getTime()) this.#heard = { atMs, heardAtMs: this.monotonic() };
  }

  /** To the millisecond; null when nothing was heard for a second. */
  now(): Date | null {
    if (this.#heard === null) return null;
    const elapsedMs = this.monotonic() - this.#heard.heardAtMs;
    return elapsedMs > FRESH_MS ? null : new Date(this.#heard.atMs + Math.floor(elapsedMs));
  }
}
