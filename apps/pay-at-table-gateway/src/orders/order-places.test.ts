import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { EPOS_CAPABILITIES } from '@pos/core/epos-capability';
import type { Scope } from '@pos/core/identity';
import { type RequestorInfo, RequestorType, type Session } from '@pos/grpc-contracts/tables';
import type { TablesCall } from '@pos/grpc-contracts/tables-methods';
import { notifyPartyChange } from '@pos/payments/order-changes';
import { putEposIntegration } from '@pos/store/epos-integrations';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { randomUUID } from 'node:crypto';
import { type DataOutcome, type DataWish, Deadline } from '../epos/tables-call.js';
import { machine, until } from '../testing.js';
import { orderParts, OrdersEpos, type OrderParts } from './orders-epos.js';

const NOBODY: RequestorInfo = { requestorType: RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE, requestor: undefined };
const NO_LOCKS = EPOS_CAPABILITIES.filter((name) => !name.endsWith('OrderLock'));

let place: TestDatabase;
let parts: OrderParts;
let scope: Scope;
/** What the EPOS has been asked for, by name, and how many guests its parties have. */
let asked: string[];
let covers: number;
let orderIds: readonly string[];
/** Whose the orders are, as the EPOS wrote it down, and whether it knows to search by it. */
let waiterId: string | undefined;
let overlooks: boolean;
beforeAll(async () => {
  place = await createTestDatabase();
  parts = orderParts(place.database);
});
beforeEach(() => {
  scope = createTestScope();
  asked = [];
  covers = 4;
  orderIds = [randomUUID()];
  waiterId = undefined;
  overlooks = false;
});
afterAll(() => place.close());

/** An EPOS that keeps these orders, each at the one table with a party of its own. */
function ask({ name, params }: DataWish): Promise<DataOutcome> {
  asked.push(name);
  const order = (id: unknown) => ({
    ...{ id, status: 'Accepted', totalAmount: { value: 900, currencyCode: 'GBP' } },
    details: { orderType: 'DineIn', dineIn: { tableId: 't-7', partyId: `party of ${String(id)}`, waiterId } },
  });
  const search = params as { readonly details?: { readonly dineIn: { readonly waiterId?: string } } };
  const soughtId = search.details?.dineIn.waiterId;
  const isFound = overlooks || soughtId === undefined || soughtId === waiterId;
  const answers: Partial<Record<DataWish['name'], unknown>> = {
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

async function make(call: TablesCall, { isRemembered = true } = {}) {
  asked = [];
  const epos = new OrdersEpos({ ...parts, asking: { capabilities: new Set(NO_LOCKS), ask, isRemembered } });
  return epos.call({ scope, call, waitMs: 5_000, fence: null, faults: null }, Deadline.in(5_000));
}

async function listed(more = {}, requestorInfo: RequestorInfo = NOBODY): Promise<readonly Session[]> {
  const value = { tableNames: [], requestorInfo };
  const said = await make({ $case: 'listSessions', value }, more);
  if (said.outcome !== 'answered' || said.answer.$case !== 'listSessions') throw new Error(said.outcome);
  return said.answer.value.sessions;
}

/** Nothing is kept until changes are heard of. */
const untilKnown = () => until(async () => (await listed()).length > 0 && asked.join() === 'SearchOrders');

test('a list of sessions names tables and guests, and the next one asks for the orders alone', async () => {
  const [session] = await listed();
  expect([session?.tableName, session?.numberOfCovers]).toEqual(['Table 7', 4]);
  await untilKnown();
  const [again] = await listed();
  expect([again?.tableName, again?.numberOfCovers, asked]).toEqual(['Table 7', 4, ['SearchOrders']]);
});

test('a party that the EPOS says has changed is read when it is next needed', async () => {
  await untilKnown();
  covers = 6;
  for (const whose of [createTestScope(), scope]) {
    await place.database.transact(whose, (tx) => {
      notifyPartyChange(tx);
      return Promise.resolve();
    });
  }
  await until(async () => (await listed())[0]?.numberOfCovers === 6);
});

test('what was remembered of an EPOS is forgotten with its registration', async () => {
  await untilKnown();
  covers = 2;
  await place.database.transact(scope, (tx) =>
    putEposIntegration(tx, { kind: 'ws', url: null, username: null, password: null, capabilities: [] }),
  );
  await until(async () => (await listed())[0]?.numberOfCovers === 2);
});

test('a long list is not held up for its parties: those that were not read are read for the next one', async () => {
  orderIds = Array.from({ length: 20 }, () => randomUUID());
  const known = (sessions: readonly Session[]) => sessions.filter(({ numberOfCovers }) => numberOfCovers === 4).length;
  expect(known(await listed())).toBe(16);
  await until(async () => known(await listed()) === 20);
});

test.each(['getBillItems', 'lockSession', 'getSession'] as const)('%s asks for what it shows', async ($case) => {
  const said = await make({ $case, value: { sessionId: orderIds[0] ?? '', requestorInfo: NOBODY } });
  expect(said.outcome).toBe('answered');
  expect(asked).toEqual($case === 'getSession' ? ['GetOrderById', 'SearchTables', 'GetPartyById'] : ['GetOrderById']);
});

test('whoever wants to see its calls made has all of them made', async () => {
  await untilKnown();
  await listed({ isRemembered: false });
  expect(asked).toEqual(['SearchOrders', 'SearchTables', 'GetPartyById']);
});

const ONCE = ['SearchOrders'];
const TWICE = ['SearchOrders', 'SearchOrders'];
test.each<[string, string | undefined, number, boolean, number, string[]]>([
  ['has his orders in one search', '7', 7, false, 1, ONCE],
  ['has them where the EPOS keeps him with noughts before his number', '007', 7, false, 1, TWICE],
  ['has them where it overlooks whose are sought', '007', 7, true, 1, ONCE],
  ['has none of another waiter', '8', 7, false, 0, TWICE],
  ['has none of another waiter where it overlooks whose are sought', '8', 7, true, 0, ONCE],
  ['has none of a waiter with a nought after the number', '70', 7, false, 0, TWICE],
  ['has none of a waiter whose text only counts as his number', '0x7', 7, true, 0, ONCE],
  ['has none of nobody', undefined, 7, false, 0, TWICE],
  ['without a number has everybody’s', '007', 0, false, 1, ONCE],
])('a waiter %s', async (_, keptAs, number, overlooked, count, searches) => {
  waiterId = keptAs;
  overlooks = overlooked;
  expect(await listed({}, machine('90000001', number))).toHaveLength(count);
  expect(asked.filter((name) => name === 'SearchOrders')).toEqual(searches);
});
