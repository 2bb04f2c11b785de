import { type EposDataCallName, readEposParams } from '@pos/rest-contracts/epos-data';
import type { WebhookEvent } from '@pos/rest-contracts/webhooks';
import type { SimulationClock } from '../clock/simulation-clock.js';
import type { ReferenceEpos } from '../epos/reference-epos.js';
import type { LockRequestor } from '../epos/epos-locks.js';
import { EposBookings } from './epos-bookings.js';
import { EposDataRefusal } from './epos-data-refusal.js';
import { printOrder } from './epos-order-bill.js';
import { EposOrders } from './epos-orders.js';
import { listAreas, searchTables } from './epos-tables.js';
import type { IntentProof, IntentReader } from './intent-reader.js';
import type { Seed } from '../clock/seed.js';

/** A call of the EPOS Data API as it arrived; `params` is not parsed yet. */
export interface EposDataCall {
  readonly name: EposDataCallName;
  readonly params: Readonly<Record<string, unknown>>;
  readonly requestor: LockRequestor;
}

const STORED_EVENTS_MAX = 1_000;

/** The EPOS Data API of the restaurant: 22 calls, each done as a whole or refused with an EposDataRefusal. */
export class EposDataApi {
  readonly orders: EposOrders;
  readonly bookings: EposBookings;
  readonly #epos: ReferenceEpos;
  readonly #merchantName: string;
  readonly #readIntent: IntentReader | null;
  #events: WebhookEvent[] = [];

  constructor(parts: {
    readonly epos: ReferenceEpos;
    readonly clock: SimulationClock;
    readonly seed: Seed;
    readonly accountId: string;
    readonly merchantName: string;
    readonly needsLocks: boolean;
    /** Null: the EPOS trusts the message. */
    readonly readIntent: IntentReader | null;
  }) {
    const { epos, clock, seed, accountId, needsLocks } = parts;
    this.#epos = epos;
    this.#merchantName = parts.merchantName;
    this.#readIntent = parts.readIntent;
    this.bookings = new EposBookings(epos.restaurant, ({ id }) => !this.orders.isCreatedByService(id));
    this.orders = new EposOrders({
      ...{ epos, clock, seed, accountId, needsLocks },
      findPartyId: (session) => this.bookings.findPartyId(session),
    });
  }

  /** Fetches what the answer to a call depends on: for a new payment, the service's own record of it. */
  async readIntentProof({ name, params }: EposDataCall): Promise<IntentProof> {
    const read = name === 'RecordOrderPaymentById' ? readEposParams('RecordOrderPaymentById', params) : null;
    const isOpen = read?.ok === true && !this.orders.isRecorded(read.value);
    if (this.#readIntent === null || !isOpen) return { kind: 'notAsked' };
    return this.#readIntent(read.value.paymentIntentId);
  }

  /** Answers a call with its bare body; null where there is none. */
  answerCall(call: EposDataCall, proof: IntentProof): unknown {
    const { name, params } = call;
    switch (name) {
      case 'ListAreas':
        return listAreas(this.#epos.restaurant);
      case 'SearchTables':
        return searchTables(this.#epos.restaurant, readParams('SearchTables', params));
      case 'CreateParty':
      case 'GetPartyById':
      case 'UpdateParty':
      case 'DeletePartyById':
      case 'SearchParties':
        return this.#answerPartyCall(name, params);
      case 'CreateReservation':
      case 'GetReservationById':
      case 'UpdateReservation':
      case 'DeleteReservationById':
      case 'SearchReservations':
        return this.#answerReservationCall(name, params);
      case 'HandleEvent':
        this.#events = [...this.#events, readParams('HandleEvent', params)].slice(-STORED_EVENTS_MAX);
        return null;
      case 'CreateOrder':
      case 'GetOrderById':
      case 'CancelOrderById':
      case 'SearchOrders':
      case 'CreateOrderLock':
      case 'ExtendOrderLock':
      case 'DeleteOrderLock':
      case 'GetOrderBillById':
      case 'RecordOrderPaymentById':
        return this.#answerOrderCall(name, call, proof);
    }
  }

  listEvents(): readonly WebhookEvent[] {
    return this.#events;
  }

  reset(): void {
    this.orders.reset();
    this.bookings.reset();
    this.#events = [];
  }

  getState() {
    return { orders: this.orders.getState(), bookings: this.bookings.getState(), events: this.#events };
  }

  restore({ orders, bookings, events }: ReturnType<EposDataApi['getState']>): void {
    this.orders.restore(orders);
    this.bookings.restore(bookings);
    this.#events = events;
  }

  #answerOrderCall(name: OrderCallName, { params, requestor }: EposDataCall, proof: IntentProof): unknown {
    const { orders } = this;
    switch (name) {
      case 'CreateOrder':
        return orders.createOrder(readParams('CreateOrder', params));
      case 'GetOrderById':
        return orders.getOrder(readParams('GetOrderById', params).orderId);
      case 'CancelOrderById':
        return orders.cancelOrder(readParams('CancelOrderById', params).orderId);
      case 'SearchOrders':
        return orders.searchOrders(readParams('SearchOrders', params));
      case 'CreateOrderLock':
        return orders.lockOrder(readParams('CreateOrderLock', params), requestor);
      case 'ExtendOrderLock':
        orders.extendLock(readParams('ExtendOrderLock', params));
        return {};
      case 'DeleteOrderLock':
        return orders.unlockOrder(readParams('DeleteOrderLock', params));
      case 'GetOrderBillById':
        return printOrder(orders.getOrder(readParams('GetOrderBillById', params).orderId), this.#merchantName);
      case 'RecordOrderPaymentById':
        return orders.recordPayment(readParams('RecordOrderPaymentById', params), proof);
    }
  }

  #answerPartyCall(name: PartyCallName, params: EposDataCall['params']): unknown {
    const { bookings } = this;
    switch (name) {
      case 'CreateParty':
        return bookings.createParty(readParams('CreateParty', params));
      case 'GetPartyById':
        return bookings.getParty(readParams('GetPartyById', params).partyId);
      case 'UpdateParty':
        return bookings.updateParty(readParams('UpdateParty', params));
      case 'DeletePartyById':
        bookings.deleteParty(readParams('DeletePartyById', params).partyId);
        return null;
      case 'SearchParties':
        return bookings.searchParties(readParams('SearchParties', params));
    }
  }

  #answerReservationCall(name: ReservationCallName, params: EposDataCall['params']): unknown {
    const { bookings } = this;
    switch (name) {
      case 'CreateReservation':
        return bookings.createReservation(readParams('CreateReservation', params));
      case 'GetReservationById':
        return bookings.getReservation(readParams('GetReservationById', params).reservationId);
      case 'UpdateReservation':
        return bookings.updateReservation(readParams('UpdateReservation', params));
      case 'DeleteReservationById':
        bookings.deleteReservation(readParams('DeleteReservationById', params).reservationId);
        return null;
      case 'SearchReservations':
        return bookings.searchReservations(readParams('SearchReservations', params));
    }
  }
}

type PartyCallName = 'CreateParty' | 'GetPartyById' | 'UpdateParty' | 'DeletePartyById' | 'SearchParties';
type ReservationCallName =
  | 'CreateReservation'
  | 'GetReservationById'
  | 'UpdateReservation'
  | 'DeleteReservationById'
  | 'SearchReservations';
type OrderCallName = Exclude<
  EposDataCallName,
  PartyCallName | ReservationCallName | 'ListAreas' | 'SearchTables' | 'HandleEvent'
>;

function readParams<N extends EposDataCallName>(name: N, params: EposDataCall['params']) {
  const parsed = readEposParams(name, params);
  if (parsed.ok) return parsed.value;
  const [[member, messages] = ['params', []]] = Object.entries(parsed.errors);
  throw new EposDataRefusal('InvalidRequest', `${member}: ${messages.join(' ')}`);
}
