import { readRequestor } from '../epos/epos-wire.js';
import type { Scope } from '@pos/core/identity';
import type { Requestor } from '@pos/core/lease';
import type { Payment, Session, Table } from '@pos/grpc-contracts/tables';
import type { EposOrder, EposTable } from '@pos/rest-contracts/epos-data-orders';
import type { EposCursor } from '@pos/rest-contracts/epos-data-shapes';
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
import { fullBillOf } from './order-print.js';
import { OrderRecords } from './order-records.js';
import { billOf, named, type OrderPlace, sessionOf, tableNameOf, tablesOf } from './order-session.js';

const PAGE_LIMIT = 50;
const PAGES_MAX = 20;
const COVERS_READ_MAX = 16;

/** What we keep of orders: which session each of them is, our locks on them, and what is recorded on them. */
export interface OrderParts {
  readonly book: OrderBook;
  readonly locks: OrderLocks;
  readonly records: OrderRecords;
}

export function orderParts(database: Database): OrderParts {
  const locks = new OrderLocks(database);
  return { book: new OrderBook(database), locks, records: new OrderRecords(database, locks) };
}

/** The pay-at-table contract over the EPOS Data API: orders stand for sessions (ADR 0028). */
export class OrdersEpos implements EposTransport {
  readonly way = 'orders';
  readonly connectionId = '';

  constructor(private readonly parts: OrderParts & { readonly asking: OrderAsking }) {}

  call(wish: EposWish, deadline: Deadline): Promise<EposOutcome> {
    return new OrdersCall(this.parts, wish, deadline).make();
  }
}

/** One call of the pay-at-table contract on its way. */
class OrdersCall {
  readonly #calls: OrderCalls;
  readonly #scope: Scope;
  readonly #requestor: Requestor | null;

  constructor(
    private readonly parts: OrderParts & { readonly asking: OrderAsking },
    private readonly wish: EposWish,
    deadline: Deadline,
  ) {
    this.#scope = wish.scope;
    this.#requestor = readRequestor(wish.call.value.requestorInfo);
    this.#calls = new OrderCalls(parts.asking, { wish, requestor: this.#requestor, deadline });
  }

  make(): Promise<EposOutcome> {
    const { call } = this.wish;
    switch (call.$case) {
      case 'listSessions':
        return this.#listSessions(call.value);
      case 'getSession':
        return this.#ofSession(call.value.sessionId, async (order) => {
          const [session] = await this.#sessions([order]);
          return answered({ $case: 'getSession', value: { session } });
        });
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
        return this.#ofSession(call.value.sessionId, (order, place) => this.#bill(order, place, 'getBillItems'));
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
    const tables = tableNames.length === 0 ? { value: [] } : await this.#allTables();
    if ('end' in tables) return tables.end;
    const wanted = tables.value.filter(({ name }) => tableNames.includes(tableNameOf(name)));
    const tableIds = new Set(tableNames.length === 0 ? [] : [...wanted.map(({ id }) => id), ...tableNames]);
    const waiter = this.#requestor?.type === 'cardMachine' ? this.#requestor.waiterId : 0;
    const dineIn = {
      ...(wanted.length === 1 && tableNames.length === 1 && { tableId: wanted[0]?.id }),
      ...(waiter !== 0 && { waiterId: String(waiter) }),
    };
    const found = await this.#orders({
      ...(Object.keys(dineIn).length > 0 && { details: { dineIn } }),
      ...(payable === true && { payableOnly: true }),
    });
    if ('end' in found) return found.end;
    // An EPOS may overlook a filter, so each is applied here too.
    const orders = found.value.filter(({ details }) => {
      const { tableId, waiterId } = details.dineIn ?? {};
      if (tableIds.size > 0 && (tableId === undefined || !tableIds.has(tableId))) return false;
      return waiter === 0 || Number(waiterId) === waiter;
    });
    const sessions = (await this.#sessions(orders)).filter(
      (session) =>
        (isFinished === undefined || isFinished === (session.finishedAt !== undefined)) &&
        (hasTable === undefined || hasTable === (session.tableName !== undefined)) &&
        (payable === undefined || payable === session.isPayable),
    );
    return answered({ $case: 'listSessions', value: { sessions: named(sessions) } });
  }

  async #listBills(sessionIds: readonly string[]): Promise<EposOutcome> {
    const asked = sessionIds.length === 0 ? await this.#orders({}) : await this.#ordersOf(sessionIds);
    if ('end' in asked) return asked.end;
    const places = await this.#places(asked.value);
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
      return this.#ofSession(sessionId, (order, place) => this.#bill(order, place, 'getFullBill'));
    }
    const got = await this.#calls.get('GetOrderBillById', { orderId }, 'bill');
    if ('end' in got) return got.end;
    const place = await this.#placeOf({ ...got.value.order, id: orderId }, sessionId);
    const bill = billOf(got.value.order, place);
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
    return this.#bill(order, await this.#placeOf(order, sessionId), 'lockSession');
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

  /** Reads the order behind a session and goes on with it. */
  async #ofSession(
    sessionId: string,
    go: (order: EposOrder, place: OrderPlace) => Promise<EposOutcome>,
  ): Promise<EposOutcome> {
    const orderId = await this.parts.book.find(this.#scope, sessionId);
    if (orderId === null) return NO_SESSION;
    const got = await this.#calls.get('GetOrderById', { orderId }, 'session');
    if ('end' in got) return got.end;
    const order = { ...got.value, id: orderId };
    return go(order, await this.#placeOf(order, sessionId));
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

  #orders(search: Readonly<Record<string, unknown>>): Promise<Got<EposOrder[]>> {
    return allPages((cursor) => this.#calls.get('SearchOrders', { ...search, cursor }, 'session'));
  }

  async #allTables(): Promise<Got<EposTable[]>> {
    if (!this.#calls.can('SearchTables')) return { value: [] };
    return allPages((cursor) => this.#calls.get('SearchTables', { cursor }, 'session'));
  }

  async #tables(go: (tables: readonly Table[]) => EposOutcome): Promise<EposOutcome> {
    const tables = await this.#allTables();
    if ('end' in tables) return tables.end;
    const orders = tables.value.length === 0 ? { value: [] } : await this.#orders({});
    return 'end' in orders ? orders.end : go(tablesOf(tables.value, orders.value));
  }

  async #sessions(orders: readonly EposOrder[]): Promise<Session[]> {
    return (await this.#places(orders)).map(({ order, place }) => sessionOf(order, place));
  }

  async #placeOf(order: EposOrder, sessionId: string): Promise<OrderPlace> {
    const [found] = await this.#places([order]);
    const orderId = order.id ?? sessionId;
    return found?.place ?? { sessionId, orderId, firstSeenAt: new Date(0), tableName: null, covers: null };
  }

  /** What is known of the orders beside themselves. One without an id cannot be asked for again and is left out. */
  async #places(orders: readonly EposOrder[]): Promise<{ readonly order: EposOrder; readonly place: OrderPlace }[]> {
    const idOf = new Map(orders.flatMap((order) => (order.id === undefined ? [] : [[order, order.id] as const])));
    const sessions = await this.parts.book.sessionsOf(this.#scope, [...idOf.values()]);
    const isAtTable = orders.some(({ details }) => details.dineIn?.tableId !== undefined);
    const tables = isAtTable ? await this.#allTables() : { value: [] };
    const names = new Map(('value' in tables ? tables.value : []).map(({ id, name }) => [id, name]));
    const covers = await this.#covers(orders);
    return [...idOf].flatMap(([order, orderId]) => {
      const session = sessions.get(orderId);
      if (session === undefined) return [];
      const { tableId, partyId } = order.details.dineIn ?? {};
      const tableName = tableId === undefined ? null : tableNameOf(names.get(tableId) ?? tableId);
      return [{ order, place: { ...session, tableName, covers: covers.get(partyId ?? '') ?? null } }];
    });
  }

  /** How many guests each party has, as far as the EPOS tells; a long list is not held up for it. */
  async #covers(orders: readonly EposOrder[]): Promise<ReadonlyMap<string, number>> {
    const parties = [...new Set(orders.flatMap(({ details }) => details.dineIn?.partyId ?? []))];
    if (!this.#calls.can('GetPartyById') || parties.length > COVERS_READ_MAX) return new Map();
    const read = await Promise.all(
      parties.map(async (partyId) => {
        const got = await this.#calls.get('GetPartyById', { partyId }, 'session');
        return 'value' in got && got.value.covers !== undefined ? [[partyId, got.value.covers] as const] : [];
      }),
    );
    return new Map(read.flat());
  }
}

/** All elements of a search, page by page; an EPOS that leads in circles is not followed. */
async function allPages<T>(
  read: (
    cursor: EposCursor,
  ) => Promise<Got<{ readonly data: readonly T[]; readonly after?: string | null | undefined }>>,
): Promise<Got<T[]>> {
  const found: T[] = [];
  const seen = new Set<string>();
  let cursor: EposCursor = { limit: PAGE_LIMIT };
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const got = await read(cursor);
    if ('end' in got) return got;
    found.push(...got.value.data);
    const after = got.value.after ?? null;
    if (after === null || seen.has(after)) break;
    seen.add(after);
    cursor = { limit: PAGE_LIMIT, after };
  }
  return { value: found };
}

const NO_SESSION = refused('SESSION_NO_SUCH_SESSION', 'no order stands for this session');

function answered(answer: TablesAnswer): EposOutcome {
  return { outcome: 'answered', answer };
}

function refused(code: Extract<EposOutcome, { outcome: 'refused' }>['code'], reason: string): EposOutcome {
  return { outcome: 'refused', code, reason };
}
