import type { SimulationClock } from '../clock/simulation-clock.js';

/** The caller of an operation. Waiter 0 means no waiter. */
export interface LockRequestor {
  readonly kind: 'cardMachine' | 'consumerDevice';
  readonly terminalId: string | null;
  readonly waiterId: number | null;
}

/** A lock on a session or, with an id and an expiry, on its order. */
export interface EposLock {
  readonly sessionId: string;
  readonly requestor: LockRequestor;
  readonly lockedAt: Date;
  /** Null for a lock of the pay-at-table contract, which has no id and no end. */
  readonly order: { readonly lockId: string; readonly expiresAt: Date } | null;
}

/** How far ahead the clock of a fault `wrong-clock` is: every lock looks expired to it. */
export const WRONG_CLOCK_MS = 3_600_000;

/**
 * The locks of the restaurant, one per session in both contracts. A lock after its expiry does not count. The EPOS
 * decides that by its own clock, which a fault can make wrong.
 */
export class EposLockTable {
  readonly #clock: SimulationClock;
  readonly #locks = new Map<string, EposLock>();
  isClockWrong = false;

  constructor(clock: SimulationClock) {
    this.#clock = clock;
  }

  /** The valid lock of the session, or null. */
  findLock(sessionId: string): EposLock | null {
    const lock = this.#locks.get(sessionId);
    if (lock === undefined) return null;
    const now = this.#clock.now().getTime() + (this.isClockWrong ? WRONG_CLOCK_MS : 0);
    return lock.order !== null && lock.order.expiresAt.getTime() <= now ? null : lock;
  }

  storeLock(sessionId: string, { requestor, order }: Pick<EposLock, 'requestor' | 'order'>): void {
    this.#locks.set(sessionId, { sessionId, requestor, order, lockedAt: this.#clock.getTimestamp() });
  }

  deleteLock(sessionId: string): void {
    this.#locks.delete(sessionId);
  }

  /** All valid locks. */
  listLocks(): EposLock[] {
    return [...this.#locks.keys()].flatMap((sessionId) => this.findLock(sessionId) ?? []);
  }

  clearLocks(): void {
    this.#locks.clear();
  }

  /** Expired locks too: whether a lock is valid is decided at each read. */
  getState(): EposLock[] {
    return [...this.#locks.values()];
  }

  restore(locks: readonly EposLock[]): void {
    this.#locks.clear();
    for (const lock of locks) this.#locks.set(lock.sessionId, lock);
  }
}
