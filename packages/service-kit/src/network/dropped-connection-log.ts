import type { Log } from '../telemetry/log.js';

const DROP_LOG_INTERVAL_MS = 60_000;

/** Logs each address with dropped connections, at most one line a minute for each. */
export class DroppedConnectionLog {
  /** The time of the last line of each address, the oldest first. */
  readonly #loggedAtMs = new Map<string, number>();

  /** The clock is monotonic and in milliseconds. */
  constructor(
    private readonly log: Pick<Log, 'warn'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Logs a connection that was dropped because its address holds the maximum. */
  logDrop(address: string, limit: number): void {
    const atMs = this.now();
    for (const [logged, loggedAtMs] of this.#loggedAtMs) {
      if (atMs - loggedAtMs < DROP_LOG_INTERVAL_MS) break;
      this.#loggedAtMs.delete(logged);
    }
    if (this.#loggedAtMs.has(address)) return;
    this.#loggedAtMs.set(address, atMs);
    this.log.warn('connections.dropped', { address, limit, setting: 'CONNECTIONS_PER_ADDRESS' });
  }
}
