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
    if (!this.#isDue(address)) return;
    this.log.warn('connections.dropped', { address, limit, setting: 'CONNECTIONS_PER_ADDRESS' });
  }

  /** Logs a connection that was dropped because it does not come from a proxy, and the port is not encrypted. */
  logStranger(address: string): void {
    if (!this.#isDue(address)) return;
    this.log.warn('connections.not_from_proxy', { address, setting: 'TRUSTED_PROXIES' });
  }

  /** Logs a connection of a proxy that did not begin with a PROXY header. */
  logBadHeader(address: string): void {
    if (!this.#isDue(address)) return;
    this.log.warn('connections.without_proxy_header', { address, setting: 'GRPC_PROXY_HEADERS' });
  }

  #isDue(address: string): boolean {
    const atMs = this.now();
    for (const [logged, loggedAtMs] of this.#loggedAtMs) {
      if (atMs - loggedAtMs < DROP_LOG_INTERVAL_MS) break;
      this.#loggedAtMs.delete(logged);
    }
    if (this.#loggedAtMs.has(address)) return false;
    this.#loggedAtMs.set(address, atMs);
    return true;
  }
}
