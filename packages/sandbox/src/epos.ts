import { outstanding, type Bill } from '@pos/core/bill';
import type { EposErrorCode } from '@pos/core/epos-error';
import { exceeds, isPositive, type Money } from '@pos/core/money';
import type { WorldClock } from './clock.js';
import { type EposLock, EposLocks, type Requestor } from './epos-locks.js';
import {
  billOrEmpty,
  isPayable,
  type DiningSession,
  type Restaurant,
  type RestaurantTable,
  type TableStatus,
} from './restaurant.js';

/** The EPOS says no, in one of the contract's codes; the reason is for staff. */
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

/** A payment as it is told to the EPOS. */
export interface PaymentToRecord {
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

export interface RecordedPayment extends PaymentToRecord {
  readonly recordedAt: Date;
}

const ATTEMPTS_KEPT_MAX = 1_000;

/**
 * The reference EPOS: what an EPOS has to do behind the pay-at-table contract, and nothing more. Each operation
 * checks in the order that the contract names its errors, and either happens as a whole or throws an EposRefusal.
 */
export class ReferenceEpos {
  readonly restaurant: Restaurant;
  /** Shared with the orders that stand for the same sessions. */
  readonly held: EposLocks;
  readonly #clock: WorldClock;
  readonly #payments = new Map<string, RecordedPayment>();
  #unsuccessful: RecordedPayment[] = [];

  constructor(parts: { readonly restaurant: Restaurant; readonly clock: WorldClock }) {
    this.restaurant = parts.restaurant;
    this.#clock = parts.clock;
    this.held = new EposLocks(parts.clock);
  }

  /** Refuses a waiter nobody knows; asked before every operation. */
  admit(requestor: Requestor): void {
    const { kind, waiterId } = requestor;
    if (kind === 'consumerDevice' || waiterId === null || waiterId === 0) return;
    if (this.restaurant.findWaiter(waiterId) === null) {
      throw new EposRefusal('WAITER_INCORRECT_WAITER_ID', `There is no waiter ${waiterId}`);
    }
  }

  listSessions(filter: SessionFilter): DiningSession[] {
    const agrees = (wanted: boolean | null, is: boolean): boolean => wanted === null || wanted === is;
    return this.restaurant
      .sessions()
      .filter(
        (session) =>
          agrees(filter.isFinished, session.finishedAt !== null) &&
          agrees(filter.hasTable, session.tableName !== null) &&
          agrees(filter.isPayable, isPayable(session)) &&
          (filter.tableNames.length === 0 ||
            (session.tableName !== null && filter.tableNames.includes(session.tableName))),
      );
  }

  getSession(sessionId: string): DiningSession {
    const session = this.restaurant.find(sessionId);
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
        : sessionIds.flatMap((id) => this.restaurant.find(id) ?? []);
    return sessions.flatMap(({ bill }) => bill ?? []);
  }

  /** One lock per session, whoever asks: the EPOS does not know whose device is whose. */
  lock(sessionId: string, requestor: Requestor): Bill {
    const session = this.getSession(sessionId);
    const held = this.held.find(session.id);
    if (held !== null) {
      const since = held.lockedAt.toISOString();
      throw new EposRefusal('SESSION_ALREADY_LOCKED', `Locked by ${whoIs(held.requestor)} since ${since}`);
    }
    this.held.put(session.id, { requestor, order: null });
    return billOrEmpty(session, this.restaurant.currencyCode);
  }

  unlock(sessionId: string): void {
    const session = this.getSession(sessionId);
    if (!this.#isLocked(session)) throw new EposRefusal('SESSION_NOT_LOCKED', `${session.name} is not locked`);
    this.held.drop(session.id);
    this.restaurant.leave(session);
  }

  /** Books a payment once for each payment id; the session stays locked. */
  record(payment: PaymentToRecord): void {
    const session = this.getSession(payment.sessionId);
    if (!this.#isLocked(session)) throw new EposRefusal('SESSION_NOT_LOCKED', `${session.name} is not locked`);
    const recorded = { ...payment, recordedAt: this.#clock.stamp() };
    if (!payment.isSuccessful) {
      this.#unsuccessful = [...this.#unsuccessful, recorded].slice(-ATTEMPTS_KEPT_MAX);
      return;
    }
    const known = this.#payments.get(payment.id);
    if (known !== undefined) throw repeated(known, payment);
    const reason = obstacle(session, payment);
    if (reason !== null) throw new EposRefusal('PAYMENT_NOT_RECORDED', reason);
    this.#payments.set(payment.id, recorded);
    this.restaurant.pay(session, payment.base);
  }

  locks(): EposLock[] {
    return this.held.list();
  }

  payments(): RecordedPayment[] {
    return [...this.#payments.values()];
  }

  unsuccessfulAttempts(): readonly RecordedPayment[] {
    return this.#unsuccessful;
  }

  /** Takes the lock off a session, whoever holds it; who has paid leaves. */
  letGo(sessionId: string): void {
    const session = this.getSession(sessionId);
    if (this.held.find(session.id) === null) return;
    this.held.drop(session.id);
    this.restaurant.leave(session);
  }

  /** As after a power cut of an EPOS that keeps its locks in memory. */
  forgetLocks(): void {
    this.held.clear();
  }

  reset(): void {
    this.held.clear();
    this.#payments.clear();
    this.#unsuccessful = [];
    this.restaurant.open();
  }

  state() {
    return {
      restaurant: this.restaurant.state(),
      locks: this.held.state(),
      payments: this.payments(),
      unsuccessful: this.#unsuccessful,
    };
  }

  restore({ restaurant, locks, payments, unsuccessful }: ReturnType<ReferenceEpos['state']>): void {
    this.restaurant.restore(restaurant);
    this.held.restore(locks);
    this.#payments.clear();
    for (const payment of payments) this.#payments.set(payment.id, payment);
    this.#unsuccessful = unsuccessful;
  }

  /** The lock of an order is somebody else's: this contract does not know its id. */
  #isLocked({ id }: DiningSession): boolean {
    const lock = this.held.find(id);
    return lock !== null && lock.order === null;
  }
}

function repeated(known: RecordedPayment, payment: PaymentToRecord): EposRefusal {
  const isSame =
    known.sessionId === payment.sessionId &&
    known.base.currencyCode === payment.base.currencyCode &&
    known.base.value === payment.base.value &&
    known.gratuity.value === payment.gratuity.value &&
    known.cashback.value === payment.cashback.value &&
    known.attemptedAt.getTime() === payment.attemptedAt.getTime();
  return isSame
    ? new EposRefusal('PAYMENT_ALREADY_RECORDED', 'This payment is on the bill already')
    : new EposRefusal('PAYMENT_NOT_RECORDED', 'Another payment with this id is on the bill');
}

function obstacle({ bill, name }: DiningSession, { base }: PaymentToRecord): string | null {
  if (bill === null) return `${name} has not ordered yet`;
  if (base.currencyCode !== bill.total.currencyCode) return `The bill is in ${bill.total.currencyCode}`;
  if (!isPositive(base)) return 'A payment of nothing';
  return exceeds(base, outstanding(bill)) ? `More than the ${outstanding(bill).value} that is outstanding` : null;
}

function whoIs({ kind, terminalId }: Requestor): string {
  return kind === 'consumerDevice' ? 'a guest' : `machine ${terminalId ?? 'unknown'}`;
}
