import { type Bill, computeOutstanding, type EposErrorCode } from '@pos/core/tables';
import { exceeds, isPositive, type Money } from '@pos/core/money';
import type { SimulationClock } from '../clock/simulation-clock.js';
import type { Dish } from '../restaurant/menu.js';
import { type EposLock, EposLockTable, type LockRequestor } from './epos-locks.js';
import {
  getBillOrEmpty,
  isPayable,
  type DiningSession,
  type Restaurant,
  type RestaurantTable,
  type TableStatus,
} from '../restaurant/restaurant.js';

/** The EPOS refuses with one of the contract's codes; the reason is for staff. */
export class EposRefusal extends Error {
  constructor(
    readonly code: EposErrorCode,
    readonly reason: string,
  ) {
    super(`${code}: ${reason}`);
  }
}

export interface SessionFilter {
  readonly isFinished: boolean | null;
  readonly hasTable: boolean | null;
  readonly isPayable: boolean | null;
  readonly tableNames: readonly string[];
}

/** A payment as it is recorded at the EPOS. */
export interface RecordPaymentRequest {
  readonly id: string;
  readonly sessionId: string;
  readonly base: Money;
  readonly gratuity: Money;
  readonly cashback: Money;
  readonly isSuccessful: boolean;
  readonly attemptedAt: Date;
  readonly method: 'cardPresent' | 'remote';
  readonly acquirerTransactionId: string;
}

export interface RecordedPayment extends RecordPaymentRequest {
  readonly recordedAt: Date;
}

const STORED_ATTEMPTS_MAX = 1_000;

/**
 * The reference EPOS: what an EPOS has to do behind the pay-at-table contract, and nothing more. Each operation
 * checks in the order that the contract names its errors, and either happens as a whole or throws an EposRefusal.
 */
export class ReferenceEpos {
  readonly restaurant: Restaurant;
  /** Shared with the orders of the same sessions. */
  readonly locks: EposLockTable;
  readonly #clock: SimulationClock;
  readonly #payments = new Map<string, RecordedPayment>();
  #unsuccessfulAttempts: RecordedPayment[] = [];

  constructor(parts: { readonly restaurant: Restaurant; readonly clock: SimulationClock }) {
    this.restaurant = parts.restaurant;
    this.#clock = parts.clock;
    this.locks = new EposLockTable(parts.clock);
  }

  /** Refuses an unknown waiter; called before every operation. */
  requireKnownWaiter(requestor: LockRequestor): void {
    const { kind, waiterId } = requestor;
    if (kind === 'consumerDevice' || waiterId === null || waiterId === 0) return;
    if (this.restaurant.findWaiter(waiterId) === null) {
      throw new EposRefusal('WAITER_INCORRECT_WAITER_ID', `There is no waiter ${waiterId}`);
    }
  }

  listSessions(filter: SessionFilter): DiningSession[] {
    const matchesFilter = (wanted: boolean | null, actual: boolean): boolean => wanted === null || wanted === actual;
    return this.restaurant
      .sessions()
      .filter(
        (session) =>
          matchesFilter(filter.isFinished, session.finishedAt !== null) &&
          matchesFilter(filter.hasTable, session.tableName !== null) &&
          matchesFilter(filter.isPayable, isPayable(session)) &&
          (filter.tableNames.length === 0 ||
            (session.tableName !== null && filter.tableNames.includes(session.tableName))),
      );
  }

  getSession(sessionId: string): DiningSession {
    const session = this.restaurant.findSession(sessionId);
    if (session === null) throw new EposRefusal('SESSION_NO_SUCH_SESSION', `There is no session ${sessionId}`);
    return session;
  }

  listTables(statuses: readonly TableStatus[]): RestaurantTable[] {
    return this.restaurant.tables().filter(({ status }) => statuses.length === 0 || statuses.includes(status));
  }

  getTable(name: string): RestaurantTable {
    const table = this.restaurant.tables().find((each) => each.name === name);
    if (table === undefined) throw new EposRefusal('SESSION_NO_SUCH_SESSION', `There is no table ${name}`);
    return table;
  }

  getBill(sessionId: string): Bill {
    const { bill, name } = this.getSession(sessionId);
    if (bill === null) throw new EposRefusal('BILL_NO_SUCH_BILL', `${name} has not ordered yet`);
    return bill;
  }

  /** The bills of these sessions, or of all open ones; unknown sessions are left out. */
  listBills(sessionIds: readonly string[]): Bill[] {
    const sessions =
      sessionIds.length === 0
        ? this.restaurant.sessions().filter(({ finishedAt }) => finishedAt === null)
        : sessionIds.flatMap((id) => this.restaurant.findSession(id) ?? []);
    return sessions.flatMap(({ bill }) => bill ?? []);
  }

  /** One lock per session for all callers: the EPOS does not know which devices belong together. */
  lockSession(sessionId: string, requestor: LockRequestor): Bill {
    const session = this.getSession(sessionId);
    const held = this.locks.findLock(session.id);
    if (held !== null) {
      const since = held.lockedAt.toISOString();
      throw new EposRefusal('SESSION_ALREADY_LOCKED', `Locked by ${describeRequestor(held.requestor)} since ${since}`);
    }
    this.locks.storeLock(session.id, { requestor, order: null });
    return getBillOrEmpty(session, this.restaurant.currencyCode);
  }

  /** The staff put dishes on a bill. A locked bill is being paid and does not change. */
  addCourse(sessionId: string, dishes: readonly Dish[]): void {
    const session = this.getSession(sessionId);
    if (this.locks.findLock(session.id) !== null) {
      throw new EposRefusal('SESSION_ALREADY_LOCKED', `${session.name} is paying now`);
    }
    if (session.finishedAt !== null) throw new EposRefusal('PAYMENT_NOT_RECORDED', `${session.name} has left`);
    this.restaurant.addCourse(session, dishes);
  }

  unlockSession(sessionId: string): void {
    const session = this.getSession(sessionId);
    if (!this.#isLocked(session)) throw new EposRefusal('SESSION_NOT_LOCKED', `${session.name} is not locked`);
    this.locks.deleteLock(session.id);
    this.restaurant.finishIfPaid(session);
  }

  /** Books a payment once for each payment id; the session stays locked. */
  recordPayment(payment: RecordPaymentRequest): void {
    const session = this.getSession(payment.sessionId);
    if (!this.#isLocked(session)) throw new EposRefusal('SESSION_NOT_LOCKED', `${session.name} is not locked`);
    const recorded = { ...payment, recordedAt: this.#clock.getTimestamp() };
    if (!payment.isSuccessful) {
      this.#unsuccessfulAttempts = [...this.#unsuccessfulAttempts, recorded].slice(-STORED_ATTEMPTS_MAX);
      return;
    }
    const existing = this.#payments.get(payment.id);
    if (existing !== undefined) throw createRepeatedRefusal(existing, payment);
    const reason = findObstacle(session, payment);
    if (reason !== null) throw new EposRefusal('PAYMENT_NOT_RECORDED', reason);
    this.#payments.set(payment.id, recorded);
    this.restaurant.addPayment(session, payment.base);
  }

  listLocks(): EposLock[] {
    return this.locks.listLocks();
  }

  listPayments(): RecordedPayment[] {
    return [...this.#payments.values()];
  }

  listUnsuccessfulAttempts(): readonly RecordedPayment[] {
    return this.#unsuccessfulAttempts;
  }

  /** Removes the lock of a session, regardless of its holder. A party that has paid leaves. */
  releaseLock(sessionId: string): void {
    const session = this.getSession(sessionId);
    if (this.locks.findLock(session.id) === null) return;
    this.locks.deleteLock(session.id);
    this.restaurant.finishIfPaid(session);
  }

  /** Deletes all locks, like a power cut of an EPOS that has its locks in memory. */
  clearLocks(): void {
    this.locks.clearLocks();
  }

  reset(): void {
    this.locks.clearLocks();
    this.#payments.clear();
    this.#unsuccessfulAttempts = [];
    this.restaurant.reopen();
  }

  getState() {
    return {
      restaurant: this.restaurant.getState(),
      locks: this.locks.getState(),
      payments: this.listPayments(),
      unsuccessful: this.#unsuccessfulAttempts,
    };
  }

  restore({ restaurant, locks, payments, unsuccessful }: ReturnType<ReferenceEpos['getState']>): void {
    this.restaurant.restore(restaurant);
    this.locks.restore(locks);
    this.#payments.clear();
    for (const payment of payments) this.#payments.set(payment.id, payment);
    this.#unsuccessfulAttempts = unsuccessful;
  }

  /** A lock of an order belongs to another caller: this contract has no lock ids. */
  #isLocked({ id }: DiningSession): boolean {
    const lock = this.locks.findLock(id);
    return lock !== null && lock.order === null;
  }
}

function createRepeatedRefusal(existing: RecordedPayment, payment: RecordPaymentRequest): EposRefusal {
  const isSame =
    existing.sessionId === payment.sessionId &&
    existing.base.currencyCode === payment.base.currencyCode &&
    existing.base.value === payment.base.value &&
    existing.gratuity.value === payment.gratuity.value &&
    existing.cashback.value === payment.cashback.value &&
    existing.attemptedAt.getTime() === payment.attemptedAt.getTime();
  return isSame
    ? new EposRefusal('PAYMENT_ALREADY_RECORDED', 'This payment is on the bill already')
    : new EposRefusal('PAYMENT_NOT_RECORDED', 'Another payment with this id is on the bill');
}

function findObstacle({ bill, name }: DiningSession, { base }: RecordPaymentRequest): string | null {
  if (bill === null) return `${name} has not ordered yet`;
  if (base.currencyCode !== bill.total.currencyCode) return `The bill is in ${bill.total.currencyCode}`;
  if (!isPositive(base)) return 'A payment of nothing';
  return exceeds(base, computeOutstanding(bill))
    ? `More than the ${computeOutstanding(bill).value} that is outstanding`
    : null;
}

function describeRequestor({ kind, terminalId }: LockRequestor): string {
  return kind === 'consumerDevice' ? 'a payer' : `machine ${terminalId ?? 'unknown'}`;
}
