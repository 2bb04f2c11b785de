import { readRequestor } from '../epos/epos-wire.js';
import type { Scope } from '@pos/core/identity';
import type { Requestor } from '@pos/core/lease';
import type { Payment, Table } from '@pos/grpc-contracts/tables';
import type { EposOrder, EposTable } from '@pos/rest-contracts/epos-data-orders';
import type { Database } from '@pos/store/database';
import {
  type Deadline,
  type EposOutcome,
  type EposTransport,
  type EposWish,
  noAnswer,
  type TablesAnswer,
} from '../epos/tables-call.js';
import { OrderBook } from './order-book.js';
import { type Got, type OrderAsking, OrderCalls } from './order-calls.js';
import { OrderLocks } from './order-locks.js';
import { OrderMemory } from './order-memory.js';
import { OrderPlaces } from './order-places.js';
import { fullBillOf } from './order-print.js';
import { OrderRecords } from './order-records.js';
import { billOf, isServedBy, named, type OrderPlace, sessionOf, tableNameOf, tablesOf } from './order-session.js';

/** What we keep of orders: which session each of them is, our locks on them, and what is recorded on them. */
export interface OrderParts {
  readonly book: OrderBook;
  readonly locks: OrderLocks;
  readonly records: OrderRecords;
  readonly memory: OrderMemory;
}

export function orderParts(database: Database): OrderParts {
  const locks = new OrderLocks(database);
  const book = new OrderBook(database);
  return { book, locks, records: new OrderRecords(database, locks), memory: new OrderMemory(database) };
}

/** The pay-at-table contract over the EPOS Data API: orders stand for sessions (ADR 0028). */
export class OrdersEpos implements EposTransport {
  readonly way = 'orders';
  readonly connectionId = '';

  constructor(private readonly parts: OrderParts & { readonly asking: OrderAsking }) {}

  call(wish: EposWish, deadline: Deadline): Promise<EposOutcome> {
    return new OrdersCall(this.parts, wish, deadline.whenSent()).make();
  }
}

/** One call of the pay-at-table contract on its way. */
class OrdersCall {
  readonly #calls: OrderCalls;
  readonly #scope: Scope;
  readonly #requestor: Requestor | null;
  readonly #places: OrderPlaces;

  constructor(
    private readonly parts: OrderParts & { readonly asking: OrderAsking },
    private readonly wish: EposWish,
    deadline: Deadline,
  ) {
    this.#scope = wish.scope;
    this.#requestor = readRequestor(wish.call.value.requestorInfo);
    this.#calls = new OrderCalls(parts.asking, { wish, requestor: this.#requestor, deadline });
    const { book, asking } = parts;
    const memory = asking.isRemembered ? parts.memory : null;
    this.#places = new OrderPlaces({ book, memory, calls: this.#calls, scope: wish.scope });
  }

  make(): Promise<EposOutcome> {
    const { call } = this.wish;
    switch (call.$case) {
      case 'listSessions':
        return this.#listSessions(call.value);
      case 'getSession':
        return this.#getSession(call.value.sessionId);
      case 'listTables':
        return this.#tables((tables) => {
          const { statuses } = call.value;
          const wanted = tables.filter(({ status }) => statuses.length === 0 || statuses.includes(status));
          return answered({ $case: 'listTables', value: { tables: wanted } });
        });
      case 'getTable':
        return this.#tables((tables) => {
          const table = tables.find(({ name }) => name === call.value.name);
          if (table === undefined) return refused('SESSION_NO_SUCH_SESSION', 'no table has this name');
          return answered({ $case: 'getTable', value: { table } });
        });
      case 'getBillItems':
        return this.#readBill(call.value.sessionId, 'getBillItems');
      case 'listBillItems':
        return this.#listBills(call.value.sessionIds);
      case 'getFullBill':
        return this.#fullBill(call.value.sessionId);
      case 'lockSession':
        return this.#lock(call.value.sessionId);
      case 'unlockSession':
        return this.parts.locks.release(this.#calls, { scope: this.#scope, sessionId: call.value.sessionId });
      case 'recordPayment':
        return this.#record(call.value.payment);
    }
  }

  async #listSessions(asked: {
    isFinished?: boolean | undefined;
    hasTable?: boolean | undefined;
    isPayable?: boolean | undefined;
    tableNames: readonly string[];
  }): Promise<EposOutcome> {
    const { isFinished, hasTable, isPayable: payable, tableNames } = asked;
    const tables = await this.#tablesNamed(tableNames);
    if ('end' in tables) return tables.end;
    const wanted = tables.value;
    const tableIds = new Set(tableNames.length === 0 ? [] : [...wanted.map(({ id }) => id), ...tableNames]);
    const waiter = this.#requestor?.type === 'cardMachine' ? this.#requestor.waiterId : 0;
    const tableId = wanted.length === 1 && tableNames.length === 1 ? wanted[0]?.id : undefined;
    const found = await this.#ordersFor(waiter, { tableId, payable });
    if ('end' in found) return found.end;
    // An EPOS may overlook a filter, so each is applied here too.
    const orders = found.value.filter((order) => {
      const at = order.details.dineIn?.tableId;
      if (tableIds.size > 0 && (at === undefined || !tableIds.has(at))) return false;
      return waiter === 0 || isServedBy(order, waiter);
    });
    const placed = await this.#places.shown(orders);
    const sessions = placed
      .map(({ order, place }) => sessionOf(order, place))
      .filter(
        (session) =>
          (isFinished === undefined || isFinished === (session.finishedAt !== undefined)) &&
          (hasTable === undefined || hasTable === (session.tableName !== undefined)) &&
          (payable === undefined || payable === session.isPayable),
      );
    return answered({ $case: 'listSessions', value: { sessions: named(sessions) } });
  }

  /**
   * The orders of a list, as far as the EPOS narrows it down. It may keep a waiter as "007", which his number here
   * cannot say: where nothing is kept under the plain number, the orders of all waiters are read.
   */
  async #ordersFor(
    waiter: number,
    { tableId, payable }: { readonly tableId: string | undefined; readonly payable: boolean | undefined },
  ): Promise<Got<EposOrder[]>> {
    const search = (dineIn: Readonly<Record<string, string>>) =>
      this.#places.orders({
        ...(Object.keys(dineIn).length > 0 && { details: { dineIn } }),
        ...(payable === true && { payableOnly: true }),
      });
    const atTable = tableId === undefined ? {} : { tableId };
    if (waiter === 0) return search(atTable);
    const found = await search({ ...atTable, waiterId: String(waiter) });
    return 'value' in found && found.value.length === 0 ? search(atTable) : found;
  }

  async #listBills(sessionIds: readonly string[]): Promise<EposOutcome> {
    const asked = sessionIds.length === 0 ? await this.#places.orders({}) : await this.#ordersOf(sessionIds);
    if ('end' in asked) return asked.end;
    const places = await this.#places.bare(asked.value);
    const bills = places.flatMap(({ order, place }) => {
      const bill = billOf(order, place);
      return 'fault' in bill ? [] : [bill];
    });
    return answered({ $case: 'listBillItems', value: { billItems: bills } });
  }

  async #fullBill(sessionId: string): Promise<EposOutcome> {
    const orderId = await this.parts.book.find(this.#scope, sessionId);
    if (orderId === null) return NO_SESSION;
    if (!this.#calls.can('GetOrderBillById')) {
      return this.#readBill(sessionId, 'getFullBill');
    }
    const got = await this.#calls.get('GetOrderBillById', { orderId }, 'bill');
    if ('end' in got) return got.end;
    const bill = billOf(got.value.order, await this.#barePlaceOf({ ...got.value.order, id: orderId }, sessionId));
    if ('fault' in bill) return noAnswer(bill.fault);
    return answered({ $case: 'getFullBill', value: { fullBill: fullBillOf(got.value, bill) } });
  }

  async #lock(sessionId: string): Promise<EposOutcome> {
    const orderId = await this.parts.book.find(this.#scope, sessionId);
    if (orderId === null) return NO_SESSION;
    const requestor = this.#requestor ?? ({ type: 'consumerDevice' } as const);
    const got = await this.parts.locks.take(this.#calls, { scope: this.#scope, sessionId, orderId, requestor });
    if ('end' in got) return got.end;
    const order = { ...got.value, id: orderId };
    return this.#bill(order, await this.#barePlaceOf(order, sessionId), 'lockSession');
  }

  async #record(payment: Payment | undefined): Promise<EposOutcome> {
    if (payment === undefined) return refused('ERROR_PARSE_ERROR', 'payment: is missing');
    const { sessionId } = payment;
    const orderId = await this.parts.book.find(this.#scope, sessionId);
    if (orderId === null) return NO_SESSION;
    return this.parts.records.record(this.#calls, { scope: this.#scope, sessionId, orderId }, payment);
  }

  async #bill(
    order: EposOrder,
    place: OrderPlace,
    as: 'getBillItems' | 'lockSession' | 'getFullBill',
  ): Promise<EposOutcome> {
    const billItems = billOf(order, place);
    if ('fault' in billItems) {
      return order.totalAmount === undefined
        ? refused('BILL_NO_SUCH_BILL', billItems.fault)
        : noAnswer(billItems.fault);
    }
    if (as !== 'getFullBill') return answered({ $case: as, value: { billItems } });
    const nothing = { lines: [] };
    return answered({ $case: as, value: { fullBill: fullBillOf({ header: nothing, footer: nothing }, billItems) } });
  }

  async #getSession(sessionId: string): Promise<EposOutcome> {
    const got = await this.#orderOf(sessionId);
    if ('end' in got) return got.end;
    const [placed] = await this.#places.shown([got.value]);
    const session = placed === undefined ? undefined : sessionOf(placed.order, placed.place);
    return answered({ $case: 'getSession', value: { session } });
  }

  async #readBill(sessionId: string, as: 'getBillItems' | 'getFullBill'): Promise<EposOutcome> {
    const got = await this.#orderOf(sessionId);
    return 'end' in got ? got.end : this.#bill(got.value, await this.#barePlaceOf(got.value, sessionId), as);
  }

  /** Reads the order behind a session. */
  async #orderOf(sessionId: string): Promise<{ readonly value: EposOrder } | { readonly end: EposOutcome }> {
    const orderId = await this.parts.book.find(this.#scope, sessionId);
    if (orderId === null) return { end: NO_SESSION };
    const got = await this.#calls.get('GetOrderById', { orderId }, 'session');
    return 'end' in got ? got : { value: { ...got.value, id: orderId } };
  }

  /** A bill is no list: neither table nor guests are asked for. */
  async #barePlaceOf(order: EposOrder, sessionId: string): Promise<OrderPlace> {
    const [placed] = await this.#places.bare([order]);
    const orderId = order.id ?? sessionId;
    return placed?.place ?? { sessionId, orderId, firstSeenAt: new Date(0), tableName: null, covers: null };
  }

  /** The tables of these names; one that is not known is looked for anew. */
  async #tablesNamed(names: readonly string[]): Promise<Got<EposTable[]>> {
    if (names.length === 0) return { value: [] };
    const of = (all: readonly EposTable[]) => all.filter(({ name }) => names.includes(tableNameOf(name)));
    const known = await this.#places.tables();
    if ('value' in known && of(known.value).length >= names.length) return { value: of(known.value) };
    const now = await this.#places.tablesNow();
    return 'end' in now ? now : { value: of(now.value) };
  }

  async #ordersOf(sessionIds: readonly string[]): Promise<Got<EposOrder[]>> {
    const orders: EposOrder[] = [];
    for (const sessionId of sessionIds) {
      const orderId = await this.parts.book.find(this.#scope, sessionId);
      const got = orderId === null ? null : await this.#calls.get('GetOrderById', { orderId }, 'session');
      if (got === null || orderId === null) continue;
      if ('value' in got) orders.push({ ...got.value, id: orderId });
      else if (got.said.outcome !== 'refused' || got.said.error.errorType !== 'NotFound') return got;
    }
    return { value: orders };
  }

  async #tables(go: (tables: readonly Table[]) => EposOutcome): Promise<EposOutcome> {
    const tables = await this.#places.tablesNow();
    if ('end' in tables) return tables.end;
    const orders = tables.value.length === 0 ? { value: [] } : await this.#places.orders({});
    return 'end' in orders ? orders.end : go(tablesOf(tables.value, orders.value));
  }
}

const NO_SESSION = refused('SESSION_NO_SUCH_SESSION', 'no order stands for this session');

function answered(answer: TablesAnswer): EposOutcome {
  return { outcome: 'answered', answer };
}

function refused(code: Extract<EposOutcome, { outcome: 'refused' }>['code'], reason: string): EposOutcome {
  return { outcome: 'refused', code, reason };
}
