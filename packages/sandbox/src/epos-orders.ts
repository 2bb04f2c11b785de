import { outstanding } from '@pos/core/bill';
import { exceeds, isPositive, isSameAmount, type Money } from '@pos/core/money';
import type { EposDataParams } from '@pos/rest-contracts/epos-data';
import type { EposOrder, NewOrder, OrderSearch } from '@pos/rest-contracts/epos-data-orders';
import type { WorldClock } from './clock.js';
import type { ReferenceEpos } from './epos.js';
import type { Requestor } from './epos-locks.js';
import { EposDataRefusal } from './epos-data-refusal.js';
import { billOfOrder, type BookedOnOrder, type OrderMore, presentOrder } from './epos-order-view.js';
import { pageOf, type Page } from './epos-pages.js';
import { findTable } from './epos-tables.js';
import type { IntentProof } from './intent-reader.js';
import { isPayable, type DiningSession } from './restaurant.js';
import type { Seed } from './seed.js';

/** A payment that was recorded on an order over the EPOS Data API. */
export interface RecordedOnOrder extends BookedOnOrder {
  readonly orderId: string;
  readonly intentId: string;
  readonly recordedAt: Date;
}

/** What orders need of the restaurant around them. */
export interface OrdersPlace {
  readonly epos: ReferenceEpos;
  readonly clock: WorldClock;
  readonly seed: Seed;
  readonly accountId: string;
  /** The lock capabilities are registered: a payment is recorded under a lock only. */
  readonly needsLocks: boolean;
  readonly partyOf: (session: DiningSession) => string | null;
}

/**
 * The orders of the restaurant: each stands for a session, under its id, with the same bill. Each operation happens as a
 * whole or throws an EposDataRefusal.
 */
export class EposOrders {
  readonly #place: OrdersPlace;
  readonly #asked = new Map<string, NewOrder>();
  readonly #canceled = new Set<string>();
  readonly #changedAt = new Map<string, Date>();
  readonly #payments = new Map<string, RecordedOnOrder>();

  constructor(place: OrdersPlace) {
    this.#place = place;
  }

  get(orderId: string): EposOrder {
    return this.#present(this.#find(orderId));
  }

  list(): EposOrder[] {
    return this.#place.epos.restaurant.sessions().map((session) => this.#present(session));
  }

  search({ details, payableOnly = false, cursor }: OrderSearch): Page<EposOrder> {
    const wanted = Object.entries(details?.dineIn ?? {}).filter(([, value]) => value !== undefined);
    return pageOf(this.list(), {
      idOf: ({ id = '' }) => id,
      matches: (order) => {
        const at = new Map<string, unknown>(Object.entries(order.details.dineIn ?? {}));
        return (!payableOnly || order.payable === true) && wanted.every(([member, value]) => at.get(member) === value);
      },
      cursor,
    });
  }

  /** Whether the service made this order, not the restaurant. */
  isMade(orderId: string): boolean {
    return this.#asked.has(orderId);
  }

  /** Makes the order once for each id of the service. */
  create(asked: NewOrder): EposOrder {
    const { restaurant } = this.#place.epos;
    const known = [...this.#asked].find(([, { serviceOrderId }]) => serviceOrderId === asked.serviceOrderId);
    if (known !== undefined) return this.get(known[0]);
    this.#judge(asked);
    const id = this.#place.seed.uuid('order', this.#place.accountId, asked.serviceOrderId);
    const dineIn = asked.details.dineIn;
    const table = dineIn?.tableId === undefined ? null : findTable(restaurant, dineIn.tableId);
    this.#asked.set(id, asked);
    const session = restaurant.welcome({
      id,
      name: asked.displayName ?? asked.reference ?? `Order ${this.#asked.size}`,
      tableName: table?.name ?? null,
      waiter: restaurant.findWaiter(Number(dineIn?.waiterId)),
      covers: 1,
      bill: billOfOrder(id, asked, this.#place.clock.stamp()),
    });
    for (const { paymentIntentId: intentId, paidAmount: paid, tipsAmount: tips = null } of asked.payments) {
      if (intentId !== undefined) this.#book(id, { intentId, paid, tips });
    }
    return this.#present(session);
  }

  /** Gives an order up. What was paid while it was made goes back with it; what was recorded later keeps it. */
  cancel(orderId: string): EposOrder {
    const session = this.#find(orderId);
    if (this.#canceled.has(session.id)) return this.#present(session);
    const asked = this.#asked.get(session.id)?.payments ?? [];
    const isRecorded = (session.bill?.paid.value ?? 0) > asked.reduce((paid, each) => paid + each.paidAmount.value, 0);
    if (session.finishedAt !== null || isRecorded) {
      throw new EposDataRefusal('Conflict', 'The order is closed, or something was paid on it');
    }
    this.#canceled.add(session.id);
    this.#touch(session.id);
    return this.#present(this.#place.epos.restaurant.giveUp(session));
  }

  lock({ orderId, lockId, expiry }: EposDataParams<'CreateOrderLock'>, requestor: Requestor): EposOrder {
    const { held } = this.#place.epos;
    const session = this.#find(orderId);
    const found = held.find(session.id);
    if (found !== null && !isOf(found, lockId)) {
      throw new EposDataRefusal('Conflict', `Locked by somebody else since ${found.lockedAt.toISOString()}`);
    }
    held.put(session.id, { requestor, order: { lockId: lockId.toLowerCase(), expiresAt: this.#later(expiry) } });
    return this.#present(session);
  }

  extend({ orderId, lockId, expiry }: EposDataParams<'ExtendOrderLock'>): void {
    const { held } = this.#place.epos;
    const session = this.#find(orderId);
    const found = held.find(session.id);
    if (found === null || !isOf(found, lockId))
      throw new EposDataRefusal('NotFound', 'There is no such lock, or no more');
    held.put(session.id, {
      requestor: found.requestor,
      order: { lockId: lockId.toLowerCase(), expiresAt: this.#later(expiry) },
    });
  }

  /** Lets the order go; a lock that is not there is gone already. Who has paid leaves. */
  unlock({ orderId, lockId }: EposDataParams<'DeleteOrderLock'>): EposOrder {
    const { held, restaurant } = this.#place.epos;
    const session = this.#find(orderId);
    const found = held.find(session.id);
    if (found === null || !isOf(found, lockId)) return this.#present(session);
    held.drop(session.id);
    return this.#present(restaurant.leave(session));
  }

  /** Whether this very payment is on the order already. */
  isRecorded({ orderId, paymentIntentId, ...asked }: EposDataParams<'RecordOrderPaymentById'>): boolean {
    const known = this.#payments.get(paymentIntentId);
    return (
      known?.orderId === orderId.toLowerCase() &&
      isSameAmount(known.paid, asked.paidAmount) &&
      isSameTip(known.tips, asked.tipsAmount ?? null)
    );
  }

  /** Books a payment once for each intent; the order stays locked. */
  record(asked: EposDataParams<'RecordOrderPaymentById'>, proof: IntentProof): EposOrder {
    const { epos } = this.#place;
    const session = this.#find(asked.orderId);
    if (this.isRecorded(asked)) return this.#present(session);
    const { paymentIntentId: intentId, paidAmount: paid, tipsAmount: tips = null } = asked;
    if (this.#payments.has(intentId)) {
      throw new EposDataRefusal('Conflict', 'The payment is on another order, or with other amounts');
    }
    this.#judgeAmounts(session, { paid, tips });
    this.#judgeLock(session, asked.lockId ?? null);
    judgeProof(proof, { paid, tips });
    this.#book(session.id, { intentId, paid, tips });
    const booked = epos.restaurant.pay(session, paid);
    // Nobody lets a lock go that was never taken.
    const isLeft = epos.held.find(session.id) === null;
    return this.#present(isLeft ? epos.restaurant.leave(booked) : booked);
  }

  payments(): RecordedOnOrder[] {
    return [...this.#payments.values()];
  }

  reset(): void {
    for (const each of [this.#asked, this.#canceled, this.#changedAt, this.#payments]) each.clear();
  }

  /** What orders know beyond the sessions that they stand for. */
  state() {
    return {
      asked: [...this.#asked],
      canceled: [...this.#canceled],
      changedAt: [...this.#changedAt],
      payments: this.payments(),
    };
  }

  restore({ asked, canceled, changedAt, payments }: ReturnType<EposOrders['state']>): void {
    this.reset();
    for (const [id, order] of asked) this.#asked.set(id, order);
    for (const id of canceled) this.#canceled.add(id);
    for (const [id, at] of changedAt) this.#changedAt.set(id, at);
    for (const payment of payments) this.#payments.set(payment.intentId, payment);
  }

  #find(orderId: string): DiningSession {
    const session = this.#place.epos.restaurant.find(orderId);
    if (session === null) throw new EposDataRefusal('NotFound', `There is no order ${orderId}`);
    return session;
  }

  #present(session: DiningSession): EposOrder {
    const more: OrderMore = {
      asked: this.#asked.get(session.id) ?? null,
      isCanceled: this.#canceled.has(session.id),
      partyId: this.#place.partyOf(session),
      payments: this.payments().filter(({ orderId }) => orderId === session.id),
      updatedAt: this.#changedAt.get(session.id) ?? session.finishedAt ?? session.createdAt,
    };
    return presentOrder(session, more);
  }

  #later(expiry: string): Date {
    const expiresAt = new Date(expiry);
    if (expiresAt <= this.#place.clock.now()) throw new EposDataRefusal('InvalidRequest', 'expiry: is past');
    return expiresAt;
  }

  #judge({ totalAmount, items, discounts = [], details, payments }: NewOrder): void {
    const { restaurant } = this.#place.epos;
    const amounts = [
      ...items.flatMap((item) => [item, ...(item.subItems ?? [])]).map(({ amountPerItem }) => amountPerItem),
      ...items.flatMap(({ modifiers = [] }) => modifiers.map(({ amountPerItem }) => amountPerItem)),
      ...discounts.map(({ amountTotal }) => amountTotal),
      ...payments.map(({ paidAmount }) => paidAmount),
    ];
    const isForeign = [totalAmount, ...amounts].some(({ currencyCode }) => currencyCode !== restaurant.currencyCode);
    if (isForeign)
      throw new EposDataRefusal('InvalidRequest', `totalAmount: the menu is in ${restaurant.currencyCode}`);
    if (totalAmount.value < 0) throw new EposDataRefusal('InvalidRequest', 'totalAmount: is below nothing');
    if (payments.reduce((paid, { paidAmount }) => paid + paidAmount.value, 0) > totalAmount.value) {
      throw new EposDataRefusal('InvalidRequest', 'payments: are more than totalAmount');
    }
    const tableId = details.dineIn?.tableId;
    if (tableId !== undefined && findTable(restaurant, tableId) === null) {
      throw new EposDataRefusal('InvalidRequest', `details.dineIn.tableId: there is no table ${tableId}`);
    }
    if (payments.some(({ paymentIntentId = '' }) => this.#payments.has(paymentIntentId))) {
      throw new EposDataRefusal('Conflict', 'A payment is on another order');
    }
  }

  #judgeAmounts(session: DiningSession, { paid, tips }: Pick<BookedOnOrder, 'paid' | 'tips'>): void {
    const { bill } = session;
    if (bill === null) throw new EposDataRefusal('Conflict', 'Nothing was ordered yet');
    const isForeign = [paid, ...(tips === null ? [] : [tips])].some(
      ({ currencyCode }) => currencyCode !== bill.total.currencyCode,
    );
    if (isForeign)
      throw new EposDataRefusal('InvalidRequest', `paidAmount: the order is in ${bill.total.currencyCode}`);
    if (!isPositive(paid)) throw new EposDataRefusal('InvalidRequest', 'paidAmount: is nothing');
    if (tips !== null && tips.value < 0) throw new EposDataRefusal('InvalidRequest', 'tipsAmount: is below nothing');
    if (!isPayable(session) || exceeds(paid, outstanding(bill))) {
      throw new EposDataRefusal('Conflict', `More than the ${outstanding(bill).value} that is outstanding`);
    }
  }

  #judgeLock(session: DiningSession, lockId: string | null): void {
    const found = this.#place.epos.held.find(session.id);
    const isOwn = found !== null && lockId !== null && isOf(found, lockId);
    if (found !== null && !isOwn) throw new EposDataRefusal('Conflict', 'The order is locked by somebody else');
    if (!isOwn && this.#place.needsLocks) throw new EposDataRefusal('Conflict', 'The order is not locked by you');
  }

  #book(orderId: string, booked: BookedOnOrder & { readonly intentId: string }): void {
    this.#payments.set(booked.intentId, { ...booked, orderId, recordedAt: this.#place.clock.stamp() });
    this.#touch(orderId);
  }

  #touch(orderId: string): void {
    this.#changedAt.set(orderId, this.#place.clock.stamp());
  }
}

function isOf({ order }: { readonly order: { readonly lockId: string } | null }, lockId: string): boolean {
  return order?.lockId === lockId.toLowerCase();
}

function isSameTip(first: Money | null, second: Money | null): boolean {
  return (first?.value ?? 0) === (second?.value ?? 0);
}

/** An EPOS that reads the payment back believes the service, not the message. */
function judgeProof(proof: IntentProof, { paid, tips }: Pick<BookedOnOrder, 'paid' | 'tips'>): void {
  switch (proof.kind) {
    case 'notAsked':
      return;
    case 'unreadable':
      throw new EposDataRefusal('UnexpectedError', `The payment cannot be read back: ${proof.reason}`);
    case 'absent':
      throw new EposDataRefusal('InvalidRequest', 'paymentIntentId: the service knows no such payment');
    case 'read': {
      const { status, amount } = proof;
      const isTaken = status === 'Captured' || status === 'Authorized';
      if (!isTaken || amount.currencyCode !== paid.currencyCode || amount.value < paid.value) {
        throw new EposDataRefusal('InvalidRequest', `paymentIntentId: is ${status} over ${amount.value}`);
      }
      if (tips !== null && proof.tipsValue < tips.value) {
        throw new EposDataRefusal('InvalidRequest', `tipsAmount: the payment has ${proof.tipsValue}`);
      }
    }
  }
}
