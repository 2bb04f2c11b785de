import type { CancelTask, SimulationClock } from '../clock/simulation-clock.js';

/** How often a reconnect storm dials before it calms down: more than a gateway lets in within a minute. */
export const RECONNECT_STORM_TRIES = 12;

/** How long to wait before the next try. Real milliseconds. */
interface ReconnectBackoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** From 0 to 1: spreads the tries of many over time. */
  readonly jitter: () => number;
}

/** Where a line that is kept open leads, and when it is tried again. */
export interface PersistentConnectionOptions {
  readonly addresses: readonly string[];
  readonly clock: SimulationClock;
  readonly backoff: ReconnectBackoff;
}

/** Keeps one line to a gateway open: the next address when one fails, later and later while none lets it in. */
export abstract class PersistentConnection<Line extends object> {
  protected readonly clock: SimulationClock;
  readonly #options: PersistentConnectionOptions;
  #connection: Line | null = null;
  #cancelRetry: CancelTask | null = null;
  #isStopped = true;
  #tries = 0;
  #failures = 0;
  #stormTriesLeft = 0;

  protected constructor(connectionOptions: PersistentConnectionOptions) {
    this.#options = connectionOptions;
    this.clock = connectionOptions.clock;
  }

  start(): void {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    this.#dial();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#closeConnection();
  }

  /** Pulls the plug, and puts it back after so many real milliseconds; in a storm it first goes in and out so many times. */
  interrupt(forMs: number, stormTries = 0): void {
    if (this.#isStopped) return;
    this.#stormTriesLeft = stormTries;
    this.#closeConnection();
    this.#retryAfter(forMs);
  }

  isConnected(): boolean {
    return this.#connection !== null && this.isOpen(this.#connection);
  }

  /** Begins a line. What it brings is told later, never before this has returned. */
  protected abstract openConnection(address: string): Line;
  /** Takes down a line that is not used any more. */
  protected abstract destroyConnection(connection: Line): void;
  protected abstract isOpen(connection: Line): boolean;

  /** Whether what happens on this line still counts. */
  protected isCurrent(connection: Line): boolean {
    return this.#connection === connection;
  }

  /** The gateway has let the line in. False: a storm takes it down again. */
  protected acceptConnection(connection: Line): boolean {
    if (this.#continueStorm(connection)) return false;
    this.#failures = 0;
    return true;
  }

  /** The line has ended: it is tried again later, or at once where another gateway stands ready. */
  protected handleEnd(connection: Line, isExpected = false): void {
    if (this.#connection !== connection || this.#continueStorm(connection)) return;
    this.#closeConnection();
    if (this.#isStopped) return;
    if (isExpected && this.#failures === 0) {
      this.#retryAfter(0);
      return;
    }
    const { firstMs, maxMs, jitter } = this.#options.backoff;
    const delayMs = Math.min(firstMs * 2 ** this.#failures, maxMs);
    this.#failures += 1;
    this.#retryAfter(delayMs * (0.75 + 0.5 * jitter()));
  }

  #dial(): void {
    const { addresses } = this.#options;
    const address = addresses[this.#tries % addresses.length];
    this.#tries += 1;
    if (address !== undefined) this.#connection = this.openConnection(address);
  }

  /** In a storm, whatever has become of this try, the next one is made at once. */
  #continueStorm(connection: Line): boolean {
    if (this.#connection !== connection || this.#stormTriesLeft === 0) return false;
    this.#stormTriesLeft -= 1;
    this.#closeConnection();
    this.#retryAfter(0);
    return true;
  }

  #retryAfter(realMs: number): void {
    this.#cancelRetry?.();
    this.#cancelRetry = this.clock.scheduleRealTime(realMs, () => {
      this.#cancelRetry = null;
      this.#dial();
    });
  }

  #closeConnection(): void {
    const connection = this.#connection;
    if (connection === null) return;
    this.#connection = null;
    this.destroyConnection(connection);
  }
}
