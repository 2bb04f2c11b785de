import type { CancelTask, SimulationClock } from '../clock/simulation-clock.js';

/** How many times a reconnect storm dials before it ends: more than a gateway admits within a minute. */
export const RECONNECT_STORM_TRIES = 12;

/** The delay before the next try, in real milliseconds. */
interface ReconnectBackoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** From 0 to 1. Spreads the tries of many connections over time. */
  readonly jitter: () => number;
}

/** Where a persistent connection leads, and when it is retried. */
export interface PersistentConnectionOptions {
  readonly addresses: readonly string[];
  readonly clock: SimulationClock;
  readonly backoff: ReconnectBackoff;
}

/**
 * Keeps one connection to a gateway open. After a failure it tries the next address, with increasing delays while all
 * refuse.
 */
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

  /**
   * Disconnects, and reconnects after this many real milliseconds. In a storm it first connects and disconnects this
   * many times.
   */
  interrupt(forMs: number, stormTries = 0): void {
    if (this.#isStopped) return;
    this.#stormTriesLeft = stormTries;
    this.#closeConnection();
    this.#retryAfter(forMs);
  }

  isConnected(): boolean {
    return this.#connection !== null && this.isOpen(this.#connection);
  }

  /** Opens a connection. Its events arrive later, never before this has returned. */
  protected abstract openConnection(address: string): Line;
  /** Closes a connection that is no longer used. */
  protected abstract destroyConnection(connection: Line): void;
  protected abstract isOpen(connection: Line): boolean;

  /** Whether events of this connection still count. */
  protected isCurrent(connection: Line): boolean {
    return this.#connection === connection;
  }

  /** The gateway has admitted the connection. False: a storm closes it again. */
  protected acceptConnection(connection: Line): boolean {
    if (this.#continueStorm(connection)) return false;
    this.#failures = 0;
    return true;
  }

  /** The connection has ended. It is retried later, or at once when another gateway is available. */
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

  /** In a storm, the next try follows at once, with any result of this one. */
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
