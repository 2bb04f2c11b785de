import { readRequestor } from '../epos-calls/epos-wire.js';
import type { Scope } from '@pos/core/identity';
import type { Requestor } from '@pos/core/tables';
import type { Payment, Table } from '@pos/grpc-contracts/tables';
import type { EposOrder, EposTable } from '@pos/rest-contracts/epos-data';
import type { Deadline } from '../epos-calls/deadline.js';
import type { TablesOutcome, TablesCallRequest, TablesAnswer } from '../epos-calls/tables-call.js';
import type { TablesTransport } from '../epos-transports/epos-transport.js';
import { createBrokenCall } from '../epos-calls/call-failure.js';
import type { OrderSessionDirectory } from './order-session-directory.js';
import { type CallFinding, type OrderCallResult, type OrderApi, OrderApiClient } from './order-api-client.js';
import type { OrderLocks } from './order-locks.js';
import type { OrderCache } from './order-cache.js';
import type { OrderSessionLabels } from './order-session-labels.js';
import { OrderSessionReader } from './order-session-reader.js';
import { toFullBill } from './printable-bill.js';
import type { OrderPaymentRecorder } from './order-payment-recorder.js';
import { toBill, type OrderSessionDetails, toSession, normaliseTableName, toTables } from './order-session.js';

/** The stored data about orders: their sessions, our locks, and the payments that are recorded on them. */
export interface OrderServices {
  readonly sessions: OrderSessionDirectory;
  readonly labels: OrderSessionLabels;
  readonly locks: OrderLocks;
  readonly paymentRecorder: OrderPaymentRecorder;
  readonly cache: OrderCache;
}

/** The pay-at-table contract over the EPOS Data API: orders are presented as sessions (ADR 0028). */
export class OrdersTransport implements TablesTransport {
  readonly kind = 'orders';
  readonly connectionId = '';

  constructor(private readonly parts: OrderServices & { readonly orderApi: OrderApi }) {}

  call(callRequest: TablesCallRequest, deadline: Deadline): Promise<TablesOutcome> {
    return new OrdersCall(this.parts, callRequest, deadline.startCall()).execute();
  }
}

/** Executes one call of the pay-at-table contract. */
class OrdersCall {
  readonly #client: OrderApiClient;
  readonly #scope: Scope;
  readonly #requestor: Requestor | null;
  readonly #sessionReader: OrderSessionReader;

  constructor(
    private readonly parts: OrderServices & { readonly orderApi: OrderApi },
    private readonly callRequest: TablesCallRequest,
    deadline: Deadline,
  ) {
    this.#scope = callRequest.scope;
    this.#requestor = readRequestor(callRequest.call.value.requestorInfo);
    this.#client = new OrderApiClient(parts.orderApi, { request: callRequest, requestor: this.#requestor, deadline });
    const { sessions, orderApi } = parts;
    const cache = orderApi.usesCache ? parts.cache : null;
    this.#sessionReader = new OrderSessionReader({
      sessions,
      cache,
      calls: this.#client,
      scope: callRequest.scope,
    });
  }

  /** Executes the call, and names in its outcome what could not be read. */
  async execute(): Promise<TablesOutcome> {
    const outcome = await this.#execute();
    const unreadable = this.#client.listUnreadable();
    if (unreadable.length === 0 || (outcome.outcome !== 'answered' && outcome.outcome !== 'noAnswer')) return outcome;
    if (outcome.outcome === 'noAnswer') return { ...outcome, unreadable };
    return { ...outcome, answer: withUnreadableCount(outcome.answer, unreadable), unreadable };
  }

  #execute(): Promise<TablesOutcome> {
    const { call } = this.callRequest;
    switch (call.$case) {
      case 'listSessions':
        return this.#listSessions(call.value);
      case 'getSession':
        return this.#getSession(call.value.sessionId);
      case 'listTables':
        return this.#answerFromTables((tables) => {
          const { statuses } = call.value;
          const matchingTables = tables.filter(({ status }) => statuses.length === 0 || statuses.includes(status));
          return createAnswer({ $case: 'listTables', value: { tables: matchingTables } });
        });
      case 'getTable':
        return this.#answerFromTables((tables) => {
          const table = tables.find(({ name }) => name === call.value.name);
          if (table === undefined) return createTablesRefusal('SESSION_NO_SUCH_SESSION', 'no table has this name');
          return createAnswer({ $case: 'getTable', value: { table } });
        });
      case 'getBillItems':
        return this.#readBill(call.value.sessionId, 'getBillItems');
      case 'listBillItems':
        return this.#listBills(call.value.sessionIds);
      case 'getFullBill':
        return this.#getFullBill(call.value.sessionId);
      case 'lockSession':
        return this.#lockSession(call.value.sessionId);
      case 'unlockSession':
        return this.parts.locks.releaseLock(this.#client, { scope: this.#scope, sessionId: call.value.sessionId });
      case 'recordPayment':
        return this.#recordPayment(call.value.payment);
    }
  }

  async #listSessions(filter: {
    isFinished?: boolean | undefined;
    hasTable?: boolean | undefined;
    isPayable?: boolean | undefined;
    tableNames: readonly string[];
  }): Promise<TablesOutcome> {
    const { isFinished, hasTable, isPayable: isPayableOnly, tableNames } = filter;
    const tables = await this.#findTables(tableNames);
    if ('end' in tables) return tables.end;
    const matchingTables = tables.value;
    const tableIds = new Set(tableNames.length === 0 ? [] : [...matchingTables.map(({ id }) => id), ...tableNames]);
    const tableId = matchingTables.length === 1 && tableNames.length === 1 ? matchingTables[0]?.id : undefined;
    // The waiter is no filter: a colleague must be able to take a payment.
    const found = await this.#sessionReader.orders({
      ...(tableId !== undefined && { details: { dineIn: { tableId } } }),
      ...(isPayableOnly === true && { payableOnly: true }),
    });
    if ('end' in found) return found.end;
    // An EPOS may ignore a filter, so each is applied here too.
    const orders = found.value.filter((order) => {
      const tableIdOfOrder = order.details.dineIn?.tableId;
      return tableIds.size === 0 || (tableIdOfOrder !== undefined && tableIds.has(tableIdOfOrder));
    });
    const ordersWithSession = await this.#sessionReader.listSessionsWithDetails(orders);
    const listed = ordersWithSession
      .map(({ order, sessionDetails: { label, ...details } }) => ({
        ...{ session: toSession(order, { ...details, label: null }), label },
      }))
      .filter(
        ({ session }) =>
          (isFinished === undefined || isFinished === (session.finishedAt !== undefined)) &&
          (hasTable === undefined || hasTable === (session.tableName !== undefined)) &&
          (isPayableOnly === undefined || isPayableOnly === session.isPayable),
      );
    const sessions = await this.parts.labels.labelSessions(this.#scope, listed);
    return createAnswer({ $case: 'listSessions', value: { sessions } });
  }

  async #listBills(sessionIds: readonly string[]): Promise<TablesOutcome> {
    const ordersResult =
      sessionIds.length === 0 ? await this.#sessionReader.orders({}) : await this.#readOrders(sessionIds);
    if ('end' in ordersResult) return ordersResult.end;
    const places = await this.#sessionReader.listSessions(ordersResult.value);
    const bills = places.flatMap(({ order, sessionDetails }) => {
      const bill = toBill(order, sessionDetails);
      return 'fault' in bill ? [] : [bill];
    });
    return createAnswer({ $case: 'listBillItems', value: { billItems: bills } });
  }

  async #getFullBill(sessionId: string): Promise<TablesOutcome> {
    const orderId = await this.parts.sessions.findOrderId(this.#scope, sessionId);
    if (orderId === null) return NO_SUCH_SESSION;
    if (!this.#client.hasCapability('GetOrderBillById')) {
      return this.#readBill(sessionId, 'getFullBill');
    }
    const result = await this.#client.callEpos('GetOrderBillById', { orderId }, 'bill');
    if ('end' in result) return result.end;
    const bill = toBill(
      result.value.order,
      await this.#getSessionDetails({ ...result.value.order, id: orderId }, sessionId),
    );
    if ('fault' in bill) return createBrokenCall(bill.fault);
    return createAnswer({ $case: 'getFullBill', value: { fullBill: toFullBill(result.value, bill) } });
  }

  async #lockSession(sessionId: string): Promise<TablesOutcome> {
    const orderId = await this.parts.sessions.findOrderId(this.#scope, sessionId);
    if (orderId === null) return NO_SUCH_SESSION;
    const requestor = this.#requestor ?? ({ type: 'consumerDevice' } as const);
    const result = await this.parts.locks.acquireLock(this.#client, {
      scope: this.#scope,
      sessionId,
      orderId,
      requestor,
    });
    if ('end' in result) return result.end;
    const order = { ...result.value, id: orderId };
    return this.#buildBillAnswer(order, await this.#getSessionDetails(order, sessionId), 'lockSession');
  }

  async #recordPayment(payment: Payment | undefined): Promise<TablesOutcome> {
    if (payment === undefined) return createTablesRefusal('ERROR_PARSE_ERROR', 'payment: is missing');
    const { sessionId } = payment;
    const orderId = await this.parts.sessions.findOrderId(this.#scope, sessionId);
    if (orderId === null) return NO_SUCH_SESSION;
    return this.parts.paymentRecorder.recordPayment(this.#client, { scope: this.#scope, sessionId, orderId }, payment);
  }

  async #buildBillAnswer(
    order: EposOrder,
    sessionDetails: OrderSessionDetails,
    answerName: 'getBillItems' | 'lockSession' | 'getFullBill',
  ): Promise<TablesOutcome> {
    const billItems = toBill(order, sessionDetails);
    if ('fault' in billItems) {
      return order.totalAmount === undefined
        ? createTablesRefusal('BILL_NO_SUCH_BILL', billItems.fault)
        : createBrokenCall(billItems.fault);
    }
    if (answerName !== 'getFullBill') return createAnswer({ $case: answerName, value: { billItems } });
    const emptySection = { lines: [] };
    return createAnswer({
      $case: answerName,
      value: { fullBill: toFullBill({ header: emptySection, footer: emptySection }, billItems) },
    });
  }

  async #getSession(sessionId: string): Promise<TablesOutcome> {
    const result = await this.#readOrder(sessionId);
    if ('end' in result) return result.end;
    const [ordersWithSession] = await this.#sessionReader.listSessionsWithDetails([result.value]);
    const session =
      ordersWithSession === undefined
        ? undefined
        : toSession(ordersWithSession.order, ordersWithSession.sessionDetails);
    return createAnswer({ $case: 'getSession', value: { session } });
  }

  async #readBill(sessionId: string, answerName: 'getBillItems' | 'getFullBill'): Promise<TablesOutcome> {
    const result = await this.#readOrder(sessionId);
    return 'end' in result
      ? result.end
      : this.#buildBillAnswer(result.value, await this.#getSessionDetails(result.value, sessionId), answerName);
  }

  /** Reads the order of a session. */
  async #readOrder(sessionId: string): Promise<{ readonly value: EposOrder } | { readonly end: TablesOutcome }> {
    const orderId = await this.parts.sessions.findOrderId(this.#scope, sessionId);
    if (orderId === null) return { end: NO_SUCH_SESSION };
    const result = await this.#client.callEpos('GetOrderById', { orderId }, 'session');
    return 'end' in result ? result : { value: { ...result.value, id: orderId } };
  }

  /** The session of a bill, without table and covers. */
  async #getSessionDetails(order: EposOrder, sessionId: string): Promise<OrderSessionDetails> {
    const [ordersWithSession] = await this.#sessionReader.listSessions([order]);
    const orderId = order.id ?? sessionId;
    return (
      ordersWithSession?.sessionDetails ?? {
        sessionId,
        orderId,
        firstSeenAt: new Date(0),
        tableName: null,
        covers: null,
        label: null,
      }
    );
  }

  /** The tables with these names; the tables are read again if the cache lacks one. */
  async #findTables(names: readonly string[]): Promise<OrderCallResult<EposTable[]>> {
    if (names.length === 0) return { value: [] };
    const filterByName = (all: readonly EposTable[]) =>
      all.filter(({ name }) => names.includes(normaliseTableName(name)));
    const cachedTables = await this.#sessionReader.getTables();
    if ('value' in cachedTables && filterByName(cachedTables.value).length >= names.length)
      return { value: filterByName(cachedTables.value) };
    const currentTables = await this.#sessionReader.readTables();
    return 'end' in currentTables ? currentTables : { value: filterByName(currentTables.value) };
  }

  async #readOrders(sessionIds: readonly string[]): Promise<OrderCallResult<EposOrder[]>> {
    const orders: EposOrder[] = [];
    for (const sessionId of sessionIds) {
      const orderId = await this.parts.sessions.findOrderId(this.#scope, sessionId);
      const result = orderId === null ? null : await this.#client.callEpos('GetOrderById', { orderId }, 'session');
      if (result === null || orderId === null) continue;
      if ('value' in result) orders.push({ ...result.value, id: orderId });
      else if (result.outcome.outcome !== 'refused' || result.outcome.error.errorType !== 'NotFound') return result;
    }
    return { value: orders };
  }

  async #answerFromTables(buildAnswer: (tables: readonly Table[]) => TablesOutcome): Promise<TablesOutcome> {
    const tables = await this.#sessionReader.readTables();
    if ('end' in tables) return tables.end;
    const orders = tables.value.length === 0 ? { value: [] } : await this.#sessionReader.orders({});
    return 'end' in orders ? orders.end : buildAnswer(toTables(tables.value, orders.value));
  }
}

/** Counts the elements that are missing in a list because nobody could pay, or choose, them. */
function withUnreadableCount(answer: TablesAnswer, unreadable: readonly CallFinding[]): TablesAnswer {
  const countOf = (name: CallFinding['name']) =>
    unreadable.filter((each) => each.isSkipped && each.name === name).length;
  const count = answer.$case === 'listTables' ? countOf('SearchTables') : countOf('SearchOrders');
  if (count === 0) return answer;
  if (answer.$case === 'listSessions') return { ...answer, value: { ...answer.value, unreadableCount: count } };
  if (answer.$case === 'listTables') return { ...answer, value: { ...answer.value, unreadableCount: count } };
  if (answer.$case === 'listBillItems') return { ...answer, value: { ...answer.value, unreadableCount: count } };
  return answer;
}

const NO_SUCH_SESSION = createTablesRefusal('SESSION_NO_SUCH_SESSION', 'there is no order for this session');

function createAnswer(answer: TablesAnswer): TablesOutcome {
  return { outcome: 'answered', answer };
}

function createTablesRefusal(
  code: Extract<TablesOutcome, { outcome: 'refused' }>['code'],
  reason: string,
): TablesOutcome {
  return { outcome: 'refused', code, reason };
}
