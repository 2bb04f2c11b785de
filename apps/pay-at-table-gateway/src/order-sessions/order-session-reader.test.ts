import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { EPOS_CAPABILITIES } from '@pos/core/tables';
import type { Scope } from '@pos/core/identity';
import { type RequestorInfo, RequestorType, type Session } from '@pos/grpc-contracts/tables';
import type { TablesCall } from '@pos/grpc-contracts/tables-methods';
import { recordBookingChange } from '@pos/payments/bookings';
import { putEposIntegration } from '@pos/store/repositories';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { randomUUID } from 'node:crypto';
import type { DataOutcome, DataCallRequest } from '../epos-calls/data-call.js';
import { Deadline } from '../epos-calls/deadline.js';
import { buildMachineRequestor } from '../testing/gateway-world.js';
import { OrderCache } from './order-cache.js';
import { OrderLocks } from './order-locks.js';
import { OrderPaymentRecorder } from './order-payment-recorder.js';
import { OrderSessionLabels } from './order-session-labels.js';
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
/** Whose the orders are, as the EPOS wrote it down. */
let waiterId: string | undefined;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  const locks = new OrderLocks(database);
  parts = {
    ...{ locks, sessions: new OrderSessionDirectory(database), cache: new OrderCache(database) },
    labels: new OrderSessionLabels(database),
    paymentRecorder: new OrderPaymentRecorder(database, locks),
  };
});
beforeEach(() => {
  scope = createTestScope();
  calledNames = [];
  covers = 4;
  orderIds = [randomUUID()];
  waiterId = undefined;
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
  const isFound = soughtId === undefined || soughtId === waiterId;
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
    orderApi: {
      capabilities: new Set(CAPABILITIES_WITHOUT_LOCKS),
      callData: simulateCall,
      readZone: () => Promise.resolve('UTC'),
      usesCache: isRemembered,
    },
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

test('a party that the EPOS reports as changed is read again before its next use', async () => {
  await waitUntilCached();
  covers = 6;
  for (const changed of [createTestScope(), scope]) {
    await testDatabase.database.transact(changed, (tx) => recordBookingChange(tx, 'Party', 'party-1'));
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

test('a long list does not wait for its parties: the remaining ones are read for the next list', async () => {
  orderIds = Array.from({ length: 20 }, () => randomUUID());
  const known = (sessions: readonly Session[]) => sessions.filter(({ numberOfCovers }) => numberOfCovers === 4).length;
  expect(known(await listSessions())).toBe(16);
  await waitUntil(async () => known(await listSessions()) === 20);
});

test.each(['getBillItems', 'lockSession', 'getSession'] as const)(
  '%s requests the members that it shows',
  async ($case) => {
    const said = await callOrders({ $case, value: { sessionId: orderIds[0] ?? '', requestorInfo: UNKNOWN_REQUESTOR } });
    expect(said.outcome).toBe('answered');
    expect(calledNames).toEqual(
      $case === 'getSession' ? ['GetOrderById', 'SearchTables', 'GetPartyById'] : ['GetOrderById'],
    );
  },
);

test('every call of the tester is made', async () => {
  await waitUntilCached();
  await listSessions({ isRemembered: false });
  expect(calledNames).toEqual(['SearchOrders', 'SearchTables', 'GetPartyById']);
});

test.each<[string, string | undefined, number]>([
  ['their own order', '7', 7],
  ['their own order where the EPOS stores the waiter with leading zeros', '007', 7],
  ['the order of a colleague', '8', 7],
  ['the order of a waiter whose id is no number', 'Ann', 7],
  ['the order of nobody', undefined, 7],
  ['every order without a waiter number', '007', 0],
])('a waiter sees %s, and it takes one search', async (_, keptAs, number) => {
  waiterId = keptAs;
  expect(await listSessions({}, buildMachineRequestor('90000001', number))).toHaveLength(1);
  expect(calledNames.filter((name) => name === 'SearchOrders')).toHaveLength(1);
});
