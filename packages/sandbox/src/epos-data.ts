import type { EposDataCallName } from '@pos/rest-contracts/epos-data';
import { readEposParams } from '@pos/rest-contracts/epos-data-reading';
import type { WebhookEvent } from '@pos/rest-contracts/events';
import type { WorldClock } from './clock.js';
import type { ReferenceEpos } from './epos.js';
import type { Requestor } from './epos-locks.js';
import { EposBookings } from './epos-bookings.js';
import { EposDataRefusal } from './epos-data-refusal.js';
import { printOrder } from './epos-order-print.js';
import { EposOrders } from './epos-orders.js';
import { listAreas, searchTables } from './epos-tables.js';
import type { IntentProof, IntentReader } from './intent-reader.js';
import type { Seed } from './seed.js';

/** A call of the EPOS Data API as it was heard; nothing in `params` is read yet. */
export interface DataCall {
  readonly name: EposDataCallName;
  readonly params: Readonly<Record<string, unknown>>;
  readonly requestor: Requestor;
}

const EVENTS_KEPT_MAX = 1_000;

/** The EPOS Data API of the restaurant: 22 calls, each done as a whole or refused with an EposDataRefusal. */
export class EposData {
  readonly orders: EposOrders;
  readonly bookings: EposBookings;
  readonly #epos: ReferenceEpos;
  readonly #merchantName: string;
  readonly #readIntent: IntentReader | null;
  #events: WebhookEvent[] = [];

  constructor(parts: {
    readonly epos: ReferenceEpos;
    readonly clock: WorldClock;
    readonly seed: Seed;
    readonly accountId: string;
    readonly merchantName: string;
    readonly needsLocks: boolean;
    /** Null: the EPOS believes what it is told. */
    readonly readIntent: IntentReader | null;
  }) {
    const { epos, clock, seed, accountId, needsLocks } = parts;
    this.#epos = epos;
    this.#merchantName = parts.merchantName;
    this.#readIntent = parts.readIntent;
    this.bookings = new EposBookings(epos.restaurant, ({ id }) => !this.orders.isMade(id));
    this.orders = new EposOrders({
      ...{ epos, clock, seed, accountId, needsLocks },
      partyOf: (session) => this.bookings.partyOf(session),
    });
  }

  /** What has to be known from elsewhere before the call is answered: of a new payment, what the service says of it. */
  async proofFor({ name, params }: DataCall): Promise<IntentProof> {
    const read = name === 'RecordOrderPaymentById' ? readEposParams('RecordOrderPaymentById', params) : null;
    const isOpen = read?.ok === true && !this.orders.isRecorded(read.value);
    if (this.#readIntent === null || !isOpen) return { kind: 'notAsked' };
    return this.#readIntent(read.value.paymentIntentId);
  }

  /** Answers a call with its bare body; null where there is none. */
  answer(call: DataCall, proof: IntentProof): unknown {
    const { name, params } = call;
    switch (name) {
      case 'ListAreas':
        return listAreas(this.#epos.restaurant);
      case 'SearchTables':
        return searchTables(this.#epos.restaurant, read('SearchTables', params));
      case 'CreateParty':
      case 'GetPartyById':
      case 'UpdateParty':
      case 'DeletePartyById':
      case 'SearchParties':
        return this.#ofParty(name, params);
      case 'CreateReservation':
      case 'GetReservationById':
      case 'UpdateReservation':
      case 'DeleteReservationById':
      case 'SearchReservations':
        return this.#ofReservation(name, params);
      case 'HandleEvent':
        this.#events = [...this.#events, read('HandleEvent', params)].slice(-EVENTS_KEPT_MAX);
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
        return this.#ofOrder(name, call, proof);
    }
  }

  events(): readonly WebhookEvent[] {
    return this.#events;
  }

  reset(): void {
    this.orders.reset();
    this.bookings.reset();
    this.#events = [];
  }

  state() {
    return { orders: this.orders.state(), bookings: this.bookings.state(), events: this.#events };
  }

  restore({ orders, bookings, events }: ReturnType<EposData['state']>): void {
    this.orders.restore(orders);
    this.bookings.restore(bookings);
    this.#events = events;
  }

  #ofOrder(name: OrderCallName, { params, requestor }: DataCall, proof: IntentProof): unknown {
    const { orders } = this;
    switch (name) {
      case 'CreateOrder':
        return orders.create(read('CreateOrder', params));
      case 'GetOrderById':
        return orders.get(read('GetOrderById', params).orderId);
      case 'CancelOrderById':
        return orders.cancel(read('CancelOrderById', params).orderId);
      case 'SearchOrders':
        return orders.search(read('SearchOrders', params));
      case 'CreateOrderLock':
        return orders.lock(read('CreateOrderLock', params), requestor);
      case 'ExtendOrderLock':
        orders.extend(read('ExtendOrderLock', params));
        return {};
      case 'DeleteOrderLock':
        return orders.unlock(read('DeleteOrderLock', params));
      case 'GetOrderBillById':
        return printOrder(orders.get(read('GetOrderBillById', params).orderId), this.#merchantName);
      case 'RecordOrderPaymentById':
        return orders.record(read('RecordOrderPaymentById', params), proof);
    }
  }

  #ofParty(name: PartyCallName, params: DataCall['params']): unknown {
    const { bookings } = this;
    switch (name) {
      case 'CreateParty':
        return bookings.createParty(read('CreateParty', params));
      case 'GetPartyById':
        return bookings.getParty(read('GetPartyById', params).partyId);
      case 'UpdateParty':
        return bookings.updateParty(read('UpdateParty', params));
      case 'DeletePartyById':
        bookings.deleteParty(read('DeletePartyById', params).partyId);
        return null;
      case 'SearchParties':
        return bookings.searchParties(read('SearchParties', params));
    }
  }

  #ofReservation(name: ReservationCallName, params: DataCall['params']): unknown {
    const { bookings } = this;
    switch (name) {
      case 'CreateReservation':
        return bookings.createReservation(read('CreateReservation', params));
      case 'GetReservationById':
        return bookings.getReservation(read('GetReservationById', params).reservationId);
      case 'UpdateReservation':
        return bookings.updateReservation(read('UpdateReservation', params));
      case 'DeleteReservationById':
        bookings.deleteReservation(read('DeleteReservationById', params).reservationId);
        return null;
      case 'SearchReservations':
        return bookings.searchReservations(read('SearchReservations', params));
    }
  }
}

type PartyCallName = 'CreateParty' | 'GetPartyById' | 'UpdateParty' | 'DeletePartyById' | 'SearchParties';
type ReservationCallName =
  'CreateReservation' | 'GetReservationById' | 'UpdateReservation' | 'DeleteReservationById' | 'SearchReservations';
type OrderCallName = Exclude<
  EposDataCallName,
  PartyCallName | ReservationCallName | 'ListAreas' | 'SearchTables' | 'HandleEvent'
>;

function read<N extends EposDataCallName>(name: N, params: DataCall['params']) {
  const reading = readEposParams(name, params);
  if (reading.ok) return reading.value;
  const [[member, messages] = ['params', []]] = Object.entries(reading.errors);
  throw new EposDataRefusal('InvalidRequest', `${member}: ${messages.join(' ')}`);
}
