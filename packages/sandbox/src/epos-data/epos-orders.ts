import { computeOutstanding } from '@pos/core/tables';
import { exceeds, isPositive, isSameAmount, type Money } from '@pos/core/money';
import type { EposDataParams, EposOrder, NewOrder, OrderSearch } from '@pos/rest-contracts/epos-data';
import type { SimulationClock } from '../clock/simulation-clock.js';
import type { ReferenceEpos } from '../epos/reference-epos.js';
import type { LockRequestor } from '../epos/epos-locks.js';
import { EposDataRefusal } from './epos-data-refusal.js';
import { createOrderBill, type OrderPayment, type OrderDetails, presentOrder } from './epos-order-view.js';
import { buildPage, type CursorPage } from './cursor-page.js';
import { findTable } from './epos-tables.js';
import type { IntentProof } from './intent-reader.js';
import { isPayable, type DiningSession } from '../restaurant/restaurant.js';
import type { Seed } from '../clock/seed.js';

/** A payment that was recorded on an order over the EPOS Data API. */
export interface RecordedOrderPayment extends OrderPayment {
  readonly orderId: string;
  readonly intentId: string;
  readonly recordedAt: Date;
}

/** What orders need from the restaurant. */
export interface OrderServices {
  readonly epos: ReferenceEpos;
  readonly clock: SimulationClock;
  readonly seed: Seed;
  readonly accountId: string;
  /** The lock capabilities are registered: a payment is recorded under a lock only. */
  readonly needsLocks: boolean;
  readonly findPartyId: (session: DiningSession) => string | null;
}

/**
 * The orders of the restaurant. Each order represents a session, has its id and the same bill. Each operation happens
 * as a whole or throws an EposDataRefusal.
 */
export class EposOrders {
  readonly #services: OrderServices;
  readonly #requests = new Map<string, NewOrder>();
  readonly #canceledIds = new Set<string>();
  readonly #changedAt = new Map<string, Date>();
  readonly #payments = new Map<string, RecordedOrderPayment>();

  constructor(place: OrderServices) {
    this.#services = place;
  }

  getOrder(orderId: string): EposOrder {
    return this.#presentOrder(this.#getSession(orderId));
  }

  listOrders(): EposOrder[] {
    return this.#services.epos.restaurant.sessions().map((session) => this.#presentOrder(session));
  }

  searchOrders({ details, payableOnly = false, cursor }: OrderSearch): CursorPage<EposOrder> {
    const wanted = Object.entries(details?.dineIn ?? {}).filter(([, value]) => value !== undefined);
    return buildPage(this.listOrders(), {
      idOf: ({ id = '' }) => id,
      matches: (order) => {
        const at = new Map<string, unknown>(Object.entries(order.details.dineIn ?? {}));
        return (!payableOnly || order.payable === true) && wanted.every(([member, value]) => at.get(member) === value);
      },
      cursor,
    });
  }

  /** Whether the service made this order, not the restaurant. */
  isCreatedByService(orderId: string): boolean {
    return this.#requests.has(orderId);
  }

  /** Makes the order once for each id of the service. */
  createOrder(request: NewOrder): EposOrder {
    const { restaurant } = this.#services.epos;
    const existing = [...this.#requests].find(([, { serviceOrderId }]) => serviceOrderId === request.serviceOrderId);
    if (existing !== undefined) return this.getOrder(existing[0]);
    this.#checkOrder(request);
    const id = this.#services.seed.deriveUuid('order', this.#services.accountId, request.serviceOrderId);
    const dineIn = request.details.dineIn;
    const table = dineIn?.tableId === undefined ? null : findTable(restaurant, dineIn.tableId);
    this.#requests.set(id, request);
    const session = restaurant.addSession({
      id,
      name: request.displayName ?? request.reference ?? `Order ${this.#requests.size}`,
      tableName: table?.name ?? null,
      waiter: restaurant.findWaiter(Number(dineIn?.waiterId)),
      covers: 1,
      bill: createOrderBill(id, request, this.#services.clock.getTimestamp()),
    });
    for (const { paymentIntentId: intentId, paidAmount: paid, tipsAmount: tips = null } of request.payments) {
      if (intentId !== undefined) this.#storePayment(id, { intentId, paid, tips });
    }
    return this.#presentOrder(session);
  }

  /** Cancels an order. Payments that came with the order are returned; an order with later payments is not canceled. */
  cancelOrder(orderId: string): EposOrder {
    const session = this.#getSession(orderId);
    if (this.#canceledIds.has(session.id)) return this.#presentOrder(session);
    const request = this.#requests.get(session.id)?.payments ?? [];
    const isRecorded =
      (session.bill?.paid.value ?? 0) > request.reduce((paid, each) => paid + each.paidAmount.value, 0);
    if (session.finishedAt !== null || isRecorded) {
      throw new EposDataRefusal('Conflict', 'The order is closed, or something was paid on it');
    }
    this.#canceledIds.add(session.id);
    this.#markChanged(session.id);
    return this.#presentOrder(this.#services.epos.restaurant.abandonSession(session));
  }

  lockOrder({ orderId, lockId, expiry }: EposDataParams<'CreateOrderLock'>, requestor: LockRequestor): EposOrder {
    const { locks } = this.#services.epos;
    const session = this.#getSession(orderId);
    const found = locks.findLock(session.id);
    if (found !== null && !hasLockId(found, lockId)) {
      throw new EposDataRefusal('Conflict', `Locked by somebody else since ${found.lockedAt.toISOString()}`);
    }
    locks.storeLock(session.id, {
      requestor,
      order: { lockId: lockId.toLowerCase(), expiresAt: this.#parseExpiry(expiry) },
    });
    return this.#presentOrder(session);
  }

  extendLock({ orderId, lockId, expiry }: EposDataParams<'ExtendOrderLock'>): void {
    const { locks } = this.#services.epos;
    const session = this.#getSession(orderId);
    const found = locks.findLock(session.id);
    if (found === null || !hasLockId(found, lockId))
      throw new EposDataRefusal('NotFound', 'There is no such lock, or no more');
    locks.storeLock(session.id, {
      requestor: found.requestor,
      order: { lockId: lockId.toLowerCase(), expiresAt: this.#parseExpiry(expiry) },
    });
  }

  /** Deletes the order's lock; a missing lock is no error. A party that has paid leaves. */
  unlockOrder({ orderId, lockId }: EposDataParams<'DeleteOrderLock'>): EposOrder {
    const { locks, restaurant } = this.#services.epos;
    const session = this.#getSession(orderId);
    const found = locks.findLock(session.id);
    if (found === null || !hasLockId(found, lockId)) return this.#presentOrder(session);
    locks.deleteLock(session.id);
    return this.#presentOrder(restaurant.finishIfPaid(session));
  }

  /** Whether this payment is already on the order. */
  isRecorded({ orderId, paymentIntentId, ...request }: EposDataParams<'RecordOrderPaymentById'>): boolean {
    const existing = this.#payments.get(paymentIntentId);
    return (
      existing?.orderId === orderId.toLowerCase() &&
      isSameAmount(existing.paid, request.paidAmount) &&
      isSameTip(existing.tips, request.tipsAmount ?? null)
    );
  }

  /** Books a payment once for each intent; the order stays locked. */
  recordPayment(request: EposDataParams<'RecordOrderPaymentById'>, proof: IntentProof): EposOrder {
    const { epos } = this.#services;
    const session = this.#getSession(request.orderId);
    if (this.isRecorded(request)) return this.#presentOrder(session);
    const { paymentIntentId: intentId, paidAmount: paid, tipsAmount: tips = null } = request;
    if (this.#payments.has(intentId)) {
      throw new EposDataRefusal('Conflict', 'The payment is on another order, or with other amounts');
    }
    this.#checkAmounts(session, { paid, tips });
    this.#checkLock(session, request.lockId ?? null);
    checkIntentProof(proof, { paid, tips });
    this.#storePayment(session.id, { intentId, paid, tips });
    const paidSession = epos.restaurant.addPayment(session, paid);
    // A payment without a lock is followed by no unlock, so the paid session ends here.
    const isUnlocked = epos.locks.findLock(session.id) === null;
    return this.#presentOrder(isUnlocked ? epos.restaurant.finishIfPaid(paidSession) : paidSession);
  }

  listPayments(): RecordedOrderPayment[] {
    return [...this.#payments.values()];
  }

  reset(): void {
    for (const each of [this.#requests, this.#canceledIds, this.#changedAt, this.#payments]) each.clear();
  }

  /** What orders store beyond their sessions. */
  getState() {
    return {
      asked: [...this.#requests],
      canceled: [...this.#canceledIds],
      changedAt: [...this.#changedAt],
      payments: this.listPayments(),
    };
  }

  restore({ asked: requests, canceled, changedAt, payments }: ReturnType<EposOrders['getState']>): void {
    this.reset();
    for (const [id, order] of requests) this.#requests.set(id, order);
    for (const id of canceled) this.#canceledIds.add(id);
    for (const [id, at] of changedAt) this.#changedAt.set(id, at);
    for (const payment of payments) this.#payments.set(payment.intentId, payment);
  }

  #getSession(orderId: string): DiningSession {
    const session = this.#services.epos.restaurant.findSession(orderId);
    if (session === null) throw new EposDataRefusal('NotFound', `There is no order ${orderId}`);
    return session;
  }

  #presentOrder(session: DiningSession): EposOrder {
    const orderDetails: OrderDetails = {
      request: this.#requests.get(session.id) ?? null,
      isCanceled: this.#canceledIds.has(session.id),
      partyId: this.#services.findPartyId(session),
      payments: this.listPayments().filter(({ orderId }) => orderId === session.id),
      updatedAt: this.#changedAt.get(session.id) ?? session.finishedAt ?? session.createdAt,
    };
    return presentOrder(session, orderDetails);
  }

  #parseExpiry(expiry: string): Date {
    const expiresAt = new Date(expiry);
    if (expiresAt <= this.#services.clock.now()) throw new EposDataRefusal('InvalidRequest', 'expiry: is past');
    return expiresAt;
  }

  #checkOrder({ totalAmount, items, discounts = [], details, payments }: NewOrder): void {
    const { restaurant } = this.#services.epos;
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

  #checkAmounts(session: DiningSession, { paid, tips }: Pick<OrderPayment, 'paid' | 'tips'>): void {
    const { bill } = session;
    if (bill === null) throw new EposDataRefusal('Conflict', 'Nothing was ordered yet');
    const isForeign = [paid, ...(tips === null ? [] : [tips])].some(
      ({ currencyCode }) => currencyCode !== bill.total.currencyCode,
    );
    if (isForeign)
      throw new EposDataRefusal('InvalidRequest', `paidAmount: the order is in ${bill.total.currencyCode}`);
    if (!isPositive(paid)) throw new EposDataRefusal('InvalidRequest', 'paidAmount: is nothing');
    if (tips !== null && tips.value < 0) throw new EposDataRefusal('InvalidRequest', 'tipsAmount: is below nothing');
    if (!isPayable(session) || exceeds(paid, computeOutstanding(bill))) {
      throw new EposDataRefusal('Conflict', `More than the ${computeOutstanding(bill).value} that is outstanding`);
    }
  }

  #checkLock(session: DiningSession, lockId: string | null): void {
    const found = this.#services.epos.locks.findLock(session.id);
    const isOwn = found !== null && lockId !== null && hasLockId(found, lockId);
    if (found !== null && !isOwn) throw new EposDataRefusal('Conflict', 'The order is locked by somebody else');
    if (!isOwn && this.#services.needsLocks) throw new EposDataRefusal('Conflict', 'The order is not locked by you');
  }

  #storePayment(orderId: string, paidSession: OrderPayment & { readonly intentId: string }): void {
    this.#payments.set(paidSession.intentId, {
      ...paidSession,
      orderId,
      recordedAt: this.#services.clock.getTimestamp(),
    });
    this.#markChanged(orderId);
  }

  #markChanged(orderId: string): void {
    this.#changedAt.set(orderId, this.#services.clock.getTimestamp());
  }
}

function hasLockId({ order }: { readonly order: { readonly lockId: string } | null }, lockId: string): boolean {
  return order?.lockId === lockId.toLowerCase();
}

function isSameTip(first: Money | null, second: Money | null): boolean {
  return (first?.value ?? 0) === (second?.value ?? 0);
}

/**
 * An EPOS that reads the payment back trusts the service, not the message. Only the sum is compared: a waiter may enter it
 * as one amount on the card machine, and say at the table which part of it is the tip.
 */
function checkIntentProof(proof: IntentProof, { paid, tips }: Pick<OrderPayment, 'paid' | 'tips'>): void {
  switch (proof.kind) {
    case 'notAsked':
      return;
    case 'unreadable':
      throw new EposDataRefusal('UnexpectedError', `The payment cannot be read back: ${proof.reason}`);
    case 'absent':
      throw new EposDataRefusal('InvalidRequest', 'paymentIntentId: the service knows no such payment');
    case 'read': {
      const { status, charged } = proof;
      const isTaken = status === 'Captured' || status === 'Authorized';
      const booked = paid.value + (tips?.value ?? 0);
      if (!isTaken || charged.currencyCode !== paid.currencyCode || charged.value < booked) {
        throw new EposDataRefusal('InvalidRequest', `paymentIntentId: is ${status} over ${charged.value}`);
      }
    }
  }
}
