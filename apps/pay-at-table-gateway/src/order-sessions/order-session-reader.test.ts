import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { EPOS_CAPABILITIES } from '@pos/core/tables/epos-capability';
import type { Scope } from '@pos/core/identity/identity';
import { type RequestorInfo, RequestorType, type Session } from '@pos/grpc-contracts/tables';
import type { TablesCall } from '@pos/grpc-contracts/tables-methods';
import { notifyPartyChange } from '@pos/payments/orders/order-changes';
import { putEposIntegration } from '@pos/store/repositories/epos-integrations';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing/test-database';
import { randomUUID } from 'node:crypto';
import { type DataOutcome, type DataCallRequest, Deadline } from '../epos-calls/tables-call.js';
import { buildMachineRequestor } from '../testing/gateway-world.js';
import { OrderCache } from './order-cache.js';
import { OrderLocks } from './order-locks.js';
import { OrderPaymentRecorder } from './order-payment-recorder.js';
import { OrderSessionDirectory } from './order-session-directory.js';
import { OrdersTransport, type OrderServices } from './orders-transport.js';
import { waitUntil } from '../testing/polling.js';

const UNKNOWN_REQUESTOR: RequestorInfo = {
  requestorType: RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE,
  requestor: undefined,
};
const CAPABILITIES_WITHOUT_LOCKS = EPOS_CAPABILITIES.filter((name) => !name.endsWith('OrderLock'));

let testDatabase: TestDatabase;
let parts: OrderServices;
let scope: Scope;
/** The calls to the EPOS by name, and how many covers its parties have. */
let calledNames: string[];
let covers: number;
let orderIds: readonly string[];
/** Whose the orders are, as the EPOS wrote it down, and whether it knows to search by it. */
let waiterId: string | undefined;
let ignoresWaiter: boolean;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  const locks = new OrderLocks(database);
  parts = {
    ...{ locks, sessions: new OrderSessionDirectory(database), cache: new OrderCache(database) },
    paymentRecorder: new OrderPaymentRecorder(database, locks),
  };
});
beforeEach(() => {
  scope = createTestScope();
  calledNames = [];
  covers = 4;
  orderIds = [randomUUID()];
  waiterId = undefined;
  ignoresWaiter = false;
});
afterAll(() => testDatabase.close());

/** An EPOS that keeps these orders, each at the one table with a party of its own. */
function simulateCall({ name, params }: DataCallRequest): Promise<DataOutcome> {
  calledNames.push(name);
  const order = (id: unknown) => ({
    ...{ id, status: 'Accepted', totalAmount: { value: 900, currencyCode: 'GBP' } },
    details: { orderType: 'DineIn', dineIn: { tableId: 't-7', partyId: `party of ${String(id)}`, waiterId } },
  });
  const search = params as { readonly details?: { readonly dineIn: { readonly waiterId?: string } } };
  const soughtId = search.details?.dineIn.waiterId;
  const isFound = ignoresWaiter || soughtId === undefined || soughtId === waiterId;
  const answers: Partial<Record<DataCallRequest['name'], unknown>> = {
    SearchOrders: { data: isFound ? orderIds.map(order) : [] },
    SearchTables: { data: [{ id: 't-7', name: 'Table 7' }] },
    GetOrderById: order(params['orderId']),
    GetPartyById: {
      ...{ id: params['partyId'], tableIds: ['t-7'], status: 'Seated', covers },
      startTime: '2026-03-01T12:00:00.000Z',
    },
  };
  return Promise.resolve({ outcome: 'answered', json: answers[name], httpStatus: 200 });
}

async function callOrders(call: TablesCall, { isRemembered = true } = {}) {
  calledNames = [];
  const epos = new OrdersTransport({
    ...parts,
    orderApi: { capabilities: new Set(CAPABILITIES_WITHOUT_LOCKS), callData: simulateCall, usesCache: isRemembered },
  });
  return epos.call({ scope, call, waitMs: 5_000, fence: null, faults: null }, Deadline.createAfter(5_000));
}

async function listSessions(
  filters = {},
  requestorInfo: RequestorInfo = UNKNOWN_REQUESTOR,
): Promise<readonly Session[]> {
  const value = { tableNames: [], requestorInfo };
  const said = await callOrders({ $case: 'listSessions', value }, filters);
  if (said.outcome !== 'answered' || said.answer.$case !== 'listSessions') throw new Error(said.outcome);
  return said.answer.value.sessions;
}

/** Nothing is cached until change notifications arrive. */
const waitUntilCached = () =>
  waitUntil(async () => (await listSessions()).length > 0 && calledNames.join() === 'SearchOrders');

test('a list of sessions has tables and covers, and the next one reads the orders alone', async () => {
  const [session] = await listSessions();
  expect([session?.tableName, session?.numberOfCovers]).toEqual(['Table 7', 4]);
  await waitUntilCached();
  const [again] = await listSessions();
  expect([again?.tableName, again?.numberOfCovers, calledNames]).toEqual(['Table 7', 4, ['SearchOrders']]);
});

test('a party that the EPOS says has changed is read when it is next needed', async () => {
  await waitUntilCached();
  covers = 6;
  for (const waiterIdText of [createTestScope(), scope]) {
    await testDatabase.database.transact(waiterIdText, (tx) => {
      notifyPartyChange(tx);
      return Promise.resolve();
    });
  }
  await waitUntil(async () => (await listSessions())[0]?.numberOfCovers === 6);
});

test('the cache of an EPOS is dropped with its registration', async () => {
  await waitUntilCached();
  covers = 2;
  await testDatabase.database.transact(scope, (tx) =>
    putEposIntegration(tx, { kind: 'ws', url: null, username: null, password: null, capabilities: [] }),
  );
  await waitUntil(async () => (await listSessions())[0]?.numberOfCovers === 2);
});

test('a long list is not held up for its parties: those that were not read are read for the next one', async () => {
  orderIds = Array.from({ length: 20 }, () => randomUUID());
  const known = (sessions: readonly Session[]) => sessions.filter(({ numberOfCovers }) => numberOfCovers === 4).length;
  expect(known(await listSessions())).toBe(16);
  await waitUntil(async () => known(await listSessions()) === 20);
});

test.each(['getBillItems', 'lockSession', 'getSession'] as const)('%s asks for what it shows', async ($case) => {
  const said = await callOrders({ $case, value: { sessionId: orderIds[0] ?? '', requestorInfo: UNKNOWN_REQUESTOR } });
  expect(said.outcome).toBe('answered');
  expect(calledNames).toEqual(
    $case === 'getSession' ? ['GetOrderById', 'SearchTables', 'GetPartyById'] : ['GetOrderById'],
  );
});

test('a tester has all of its calls made', async () => {
  await waitUntilCached();
  await listSessions({ isRemembered: false });
  expect(calledNames).toEqual(['SearchOrders', 'SearchTables', 'GetPartyById']);
});

const ONCE = ['SearchOrders'];
const TWICE = ['SearchOrders', 'SearchOrders'];
test.each<[string, string | undefined, number, boolean, number, string[]]>([
  ['has the orders in one search', '7', 7, false, 1, ONCE],
  ['has them where the EPOS stores them with leading zeros', '007', 7, false, 1, TWICE],
  ['has them where it overlooks whose are sought', '007', 7, true, 1, ONCE],
  ['has none of another waiter', '8', 7, false, 0, TWICE],
  ['has none of another waiter where it overlooks whose are sought', '8', 7, true, 0, ONCE],
  ['has none of a waiter with a zero after the number', '70', 7, false, 0, TWICE],
  ['has none of a waiter whose text only converts to the number', '0x7', 7, true, 0, ONCE],
  ['has none of nobody', undefined, 7, false, 0, TWICE],
  ['without a number has everybody’s', '007', 0, false, 1, ONCE],
])('a waiter %s', async (_, keptAs, number, overlooked, count, searches) => {
  waiterId = keptAs;
  ignoresWaiter = overlooked;
  expect(await listSessions({}, buildMachineRequestor('90000001', number))).toHaveLength(count);
  expect(calledNames.filter((name) => name === 'SearchOrders')).toEqual(searches);
});
