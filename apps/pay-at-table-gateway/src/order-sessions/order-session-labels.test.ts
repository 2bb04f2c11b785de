import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { EPOS_CAPABILITIES } from '@pos/core/tables';
import type { Scope } from '@pos/core/identity';
import type { Session } from '@pos/grpc-contracts/tables';
import type { TablesCall } from '@pos/grpc-contracts/tables-methods';
import { defineStatement } from '@pos/postgres/statements';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import type { DataOutcome, DataCallRequest } from '../epos-calls/data-call.js';
import { Deadline } from '../epos-calls/deadline.js';
import { buildMachineRequestor } from '../testing/gateway-world.js';
import { OrderCache } from './order-cache.js';
import { OrderLocks } from './order-locks.js';
import { OrderPaymentRecorder } from './order-payment-recorder.js';
import { OrderSessionDirectory } from './order-session-directory.js';
import { OrderSessionLabels } from './order-session-labels.js';
import { OrdersTransport, type OrderServices } from './orders-transport.js';

let testDatabase: TestDatabase;
let services: OrderServices;
let scope: Scope;
/** The names of the open orders by their ids; a paid order is removed. */
let orders: Map<string, string>;
/** Elements of the list after those of all orders. */
let repeated: readonly (readonly [id: string, name: string])[];
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  const locks = new OrderLocks(database);
  services = {
    ...{ locks, sessions: new OrderSessionDirectory(database), cache: new OrderCache(database) },
    labels: new OrderSessionLabels(database),
    paymentRecorder: new OrderPaymentRecorder(database, locks),
  };
});
beforeEach(() => {
  scope = createTestScope();
  orders = new Map();
  repeated = [];
});
afterAll(() => testDatabase.close());

const buildOrder = (id: string, displayName: string) => ({
  ...{ id, displayName, status: 'Accepted', totalAmount: { value: 900, currencyCode: 'GBP' } },
  details: { orderType: 'DineIn', dineIn: {} },
});

function answerCall({ name, params }: DataCallRequest): Promise<DataOutcome> {
  const orderId = String(params['orderId']);
  const answers: Partial<Record<DataCallRequest['name'], unknown>> = {
    SearchOrders: { data: [...orders, ...repeated].map(([id, text]) => buildOrder(id, text)) },
    SearchTables: { data: [] },
    GetOrderById: buildOrder(orderId, orders.get(orderId) ?? ''),
  };
  return Promise.resolve({ outcome: 'answered', json: answers[name], httpStatus: 200 });
}

async function callOrders(call: TablesCall) {
  const capabilities = new Set(EPOS_CAPABILITIES.filter((name) => !name.endsWith('OrderLock')));
  const transport = new OrdersTransport({
    ...services,
    orderApi: { capabilities, callData: answerCall, readZone: () => Promise.resolve('UTC'), usesCache: true },
  });
  const request = { scope, call, waitMs: 5_000, fence: null, faults: null };
  const outcome = await transport.call(request, Deadline.createAfter(5_000));
  if (outcome.outcome !== 'answered') throw new Error(outcome.outcome);
  return outcome.answer;
}

const requestorInfo = buildMachineRequestor('90000001');

async function listSessions(): Promise<readonly Session[]> {
  const answer = await callOrders({ $case: 'listSessions', value: { tableNames: [], requestorInfo } });
  if (answer.$case !== 'listSessions') throw new Error(answer.$case);
  return answer.value.sessions;
}

const listNames = async (): Promise<string[]> => (await listSessions()).map(({ name }) => name);

async function readName(sessionId: string): Promise<string | undefined> {
  const answer = await callOrders({ $case: 'getSession', value: { sessionId, requestorInfo } });
  return answer.$case === 'getSession' ? answer.value.session?.name : undefined;
}

function openOrders(...names: readonly string[]): void {
  names.forEach((name, index) => orders.set(String(index + 1), name));
}

test('equal names have three labels, also beside a name that looks like a label', async () => {
  openOrders('Bar', 'Bar', 'Bar - 1');
  expect(await listNames()).toEqual(['Bar - 2', 'Bar - 3', 'Bar - 1']);
});

test('a session keeps its label when an earlier one is paid, and a new session gets its own number', async () => {
  openOrders('Bar', 'Bar', 'Bar');
  expect(await listNames()).toEqual(['Bar - 1', 'Bar - 2', 'Bar - 3']);
  orders.delete('1');
  expect(await listNames()).toEqual(['Bar - 2', 'Bar - 3']);
  orders.set('4', 'Bar');
  expect(await listNames()).toEqual(['Bar - 2', 'Bar - 3', 'Bar - 4']);
  orders = new Map([['3', 'Bar']]);
  expect(await listNames()).toEqual(['Bar - 3']);
});

test('an order that the EPOS lists twice is one session, as it was listed last', async () => {
  openOrders('Bar', 'Bar', 'Hall');
  repeated = [
    ['1', 'Bar'],
    ['3', 'Terrace'],
    ['1', 'Bar'],
  ];
  expect(await listNames()).toEqual(['Bar - 1', 'Bar - 2', 'Terrace']);
});

test('the journey of a session has the label of the list', async () => {
  openOrders('Bar', 'Bar');
  for (const { id, name } of await listSessions()) expect(await readName(id)).toBe(name);
});

test('a renamed session leaves its number behind', async () => {
  openOrders('Bar', 'Bar');
  await listNames();
  orders.set('2', 'Hall');
  expect(await listNames()).toEqual(['Bar - 1', 'Hall']);
});

test('lists that number the same sessions at once agree', async () => {
  openOrders(...Array.from({ length: 20 }, () => 'Bar'));
  const lists = await Promise.all(Array.from({ length: 8 }, listNames));
  expect(new Set(lists[0]).size).toBe(20);
  expect(new Set(lists.map((names) => names.join())).size).toBe(1);
});

test('the number of a session that was not listed for a day is free', async () => {
  openOrders('Bar', 'Bar');
  await listNames();
  orders = new Map([
    ['8', 'Bar'],
    ['9', 'Bar'],
  ]);
  await setSeen('23 hours');
  expect(await listNames()).toEqual(['Bar - 3', 'Bar - 4']);
  await setSeen('25 hours');
  orders = new Map([
    ['6', 'Bar'],
    ['7', 'Bar'],
  ]);
  expect(await listNames()).toEqual(['Bar - 1', 'Bar - 2']);
});

test('a session that is listed every day keeps its number', async () => {
  openOrders('Bar', 'Bar');
  await listNames();
  orders.delete('1');
  for (let days = 0; days < 3; days += 1) {
    await setSeen('20 hours');
    expect(await listNames()).toEqual(['Bar - 2']);
  }
  await setSeen('2 days');
  expect(await listNames()).toEqual(['Bar - 2']);
});

const SET_SEEN = defineStatement(
  'test_labels_seen',
  `update order_session_labels set seen_at = now() - $3::interval
   where account_id = $1 and environment = $2 returning session_id`,
);

/** Moves the time of the last list. */
async function setSeen(ago: string): Promise<void> {
  const { accountId, environment } = scope;
  await testDatabase.database.transact(scope, (tx) => tx.query(SET_SEEN, [accountId, environment, ago]));
}
