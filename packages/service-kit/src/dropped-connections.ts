import type { Log } from './log.js';

const TOLD_EACH_MS = 60_000;

/** Writes one line a minute at most for each address whose connections are dropped, however many they are. */
export class DroppedConnections {
  /** When each address was told of last, the oldest line first. */
  readonly #toldAtMs = new Map<string, number>();

  /** The clock is monotonic and in milliseconds. */
  constructor(
    private readonly log: Pick<Log, 'warn'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A connection was dropped, because its address holds as many as it may. */
  tell(address: string, limit: number): void {
    const atMs = this.now();
    for (const [told, toldAtMs] of this.#toldAtMs) {
      if (atMs - toldAtMs < TOLD_EACH_MS) break;
      this.#toldAtMs.delete(told);
    }
    if (this.#toldAtMs.has(address)) return;
    this.#toldAtMs.set(address, atMs);
    this.log.warn('connections.dropped', { address, limit, setting: 'CONNECTIONS_PER_ADDRESS' });
  }
}
