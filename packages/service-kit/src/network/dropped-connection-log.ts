import type { Log } from '../telemetry/log.js';

const DROP_LOG_INTERVAL_MS = 60_000;

/** Writes one line a minute at most for each address whose connections are dropped, however many they are. */
export class DroppedConnectionLog {
  /** When each address was logged last, the oldest line first. */
  readonly #loggedAtMs = new Map<string, number>();

  /** The clock is monotonic and in milliseconds. */
  constructor(
    private readonly log: Pick<Log, 'warn'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A connection was dropped, because its address holds as many as it may. */
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
