import type { SimulationClock } from '../clock/simulation-clock.js';

/** Who asks. Waiter 0 is no waiter. */
export interface Requestor {
  readonly kind: 'cardMachine' | 'consumerDevice';
  readonly terminalId: string | null;
  readonly waiterId: number | null;
}

/** A lock on a session or, with an id and an end, on the order that stands for it. */
export interface EposLock {
  readonly sessionId: string;
  readonly requestor: Requestor;
  readonly lockedAt: Date;
  /** Null for a lock of the pay-at-table contract, which has no id and no end. */
  readonly order: { readonly lockId: string; readonly expiresAt: Date } | null;
}

/** An EPOS whose clock is wrong is this far ahead: every lock looks expired to it. */
export const WRONG_CLOCK_MS = 3_600_000;

/**
 * The locks of the restaurant, one per session whichever contract it was asked in. A lock past its expiry is none; an EPOS
 * judges that by its own clock, and a fault may put that wrong.
 */
export class EposLockTable {
  readonly #clock: SimulationClock;
  readonly #locks = new Map<string, EposLock>();
  isClockWrong = false;

  constructor(clock: SimulationClock) {
    this.#clock = clock;
  }

  /** The lock that lives now, or null. */
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

  /** All that live. */
  listLocks(): EposLock[] {
    return [...this.#locks.keys()].flatMap((sessionId) => this.findLock(sessionId) ?? []);
  }

  clearLocks(): void {
    this.#locks.clear();
  }

  /** Expired ones too: whether a lock lives is judged when it is looked at. */
  getState(): EposLock[] {
    return [...this.#locks.values()];
  }

  restore(locks: readonly EposLock[]): void {
    this.#locks.clear();
    for (const lock of locks) this.#locks.set(lock.sessionId, lock);
  }
}
