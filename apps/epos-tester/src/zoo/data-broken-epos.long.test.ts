import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EPOS_CAPABILITIES } from '@pos/core/tables';
import { listLiveConnections } from '@pos/store/connections';
import { putEposIntegration } from '@pos/store/repositories';
import { getBreakage, expectCaught } from '../testing/broken-epos-cases.js';
import { listBrokenClauses, type Restaurant, TesterTestEnvironment, waitUntil } from '../testing/tester-environment.js';
import { DATA_MEMBERS } from './data-members.js';

let testEnvironment: TesterTestEnvironment;

beforeAll(async () => {
  testEnvironment = await TesterTestEnvironment.open();
}, 60_000);

afterAll(() => testEnvironment.close());

describe('an EPOS of the EPOS Data API', () => {
  test.each(DATA_MEMBERS)(
    '$epos is caught by $flow, which reports $clause',
    (member) => expectCaught(testEnvironment, { ...getBreakage(member), transport: 'data' }),
    30_000,
  );

  test.each([
    ['GetOrderBillById', ['GetOrderBillById']],
    ['lock-conflict', ['DeleteOrderLock']],
    ['pay-in-full', ['RecordOrderPaymentById']],
    ['order-and-pay', ['CreateOrder']],
  ])('that lacks a capability of %s is reported, and not called', async (flow, missing) => {
    const restaurant = await testEnvironment.createRestaurant('data');
    await register(
      restaurant,
      EPOS_CAPABILITIES.filter((each) => !missing.includes(each)),
    );
    const run = await testEnvironment.play(restaurant, flow, { transport: 'rest' });
    expect(listBrokenClauses(run)).toEqual(['capability.registered']);
    expect(restaurant.epos.listCalls()).toEqual([]);
  });
});

test('an EPOS that keeps a lock past its expiry is warned, and passes', async () => {
  const restaurant = await testEnvironment.createRestaurant('data');
  const { orders } = restaurant.epos.data;
  const lock = orders.lockOrder.bind(orders);
  orders.lockOrder = (asked, requestor) => lock({ ...asked, expiry: '2999-01-01T00:00:00.000Z' }, requestor);
  const run = await testEnvironment.play(restaurant, 'lock-expiry', {
    transport: 'rest',
    lockSeconds: 1,
    waitSeconds: 2,
  });
  expect(run.status).toBe('SUCCESS');
  expect(run.steps.flatMap(({ additionalInformation }) => additionalInformation)).toContainEqual(
    expect.stringMatching(/^Warning: CreateOrderLock: .* \[order-lock\.expires\]$/),
  );
  expect(restaurant.epos.epos.locks.listLocks()).toEqual([]);
}, 30_000);

test('an EPOS whose socket does not connect is reported before any call', async () => {
  const restaurant = await testEnvironment.createRestaurant('data');
  for (const socket of restaurant.place.eposSockets) socket.stop();
  await waitUntil(async () => {
    const live = await testEnvironment.store.database.read(restaurant.scope, (reader) =>
      listLiveConnections(reader, ['epos-ws']),
    );
    return live.length === 0;
  });
  const run = await testEnvironment.play(restaurant, 'ListAreas', { transport: 'ws' });
  expect(run.steps.map(({ name, status }) => [name, status])).toEqual([
    ['registered', 'FAILURE'],
    ['cleanup', 'SUCCESS'],
  ]);
  expect(listBrokenClauses(run)).toEqual(['connection.live']);
}, 30_000);

describe('the money of a run on an order', () => {
  test('is returned to its card when the EPOS has refused the payment', async () => {
    const restaurant = await testEnvironment.createRestaurant('data');
    restaurant.epos.faults.replaceFaults([{ effect: 'refuse', code: 'Conflict', method: 'RecordOrderPaymentById' }]);
    await testEnvironment.play(restaurant, 'pay-in-full', { transport: 'rest' });
    await testEnvironment.settleCalls(restaurant);
    expect(await testEnvironment.listIntentStatuses(restaurant)).toEqual(['Reversed']);
    expect(restaurant.epos.data.orders.listPayments()).toEqual([]);
    expect(restaurant.epos.epos.locks.listLocks()).toEqual([]);
  }, 30_000);

  test('stays when only the answer was lost, because the repeated payment is on the order once', async () => {
    const restaurant = await testEnvironment.createRestaurant('data');
    restaurant.epos.faults.replaceFaults([{ effect: 'answer-lost', method: 'RecordOrderPaymentById', times: 1 }]);
    const run = await testEnvironment.play(restaurant, 'pay-in-full', { transport: 'rest' });
    expect(listBrokenClauses(run)).toEqual(['data.in-time']);
    expect(run.steps.at(-1)).toMatchObject({ name: 'cleanup', status: 'SUCCESS' });
    expect(await testEnvironment.listIntentStatuses(restaurant)).toEqual(['Captured']);
    expect(restaurant.epos.data.orders.listPayments()).toHaveLength(1);
  }, 30_000);

  test('stays, and the run reports it, when the booking at the EPOS cannot be determined', async () => {
    const restaurant = await testEnvironment.createRestaurant('data');
    restaurant.epos.faults.replaceFaults([
      { effect: 'internal-error', method: 'RecordOrderPaymentById' },
      { effect: 'refuse', code: 'InvalidRequest', method: 'GetOrderById' },
    ]);
    const run = await testEnvironment.play(restaurant, 'record-duplicate', { transport: 'rest' });
    expect(run.steps.at(-1)).toMatchObject({ name: 'cleanup', status: 'FAILURE' });
    expect(await testEnvironment.listIntentStatuses(restaurant)).toEqual(['Captured']);
  }, 30_000);

  test('is returned with a prepaid order when the order is not captured', async () => {
    const restaurant = await testEnvironment.createRestaurant('data');
    restaurant.epos.faults.replaceFaults([{ effect: 'answer-lost', method: 'CreateOrder', times: 1 }]);
    await testEnvironment.play(restaurant, 'order-and-pay', { transport: 'rest' });
    await testEnvironment.settleCalls(restaurant);
    expect(await testEnvironment.listIntentStatuses(restaurant)).toEqual(['Reversed']);
    const made = restaurant.epos.data.orders.listOrders().filter(({ displayName }) => displayName === 'EPOS tester');
    expect(made.map(({ status }) => status)).toEqual(['Canceled']);
  }, 30_000);
});

async function register({ scope, place }: Restaurant, names: readonly string[]): Promise<void> {
  const capabilities = names.map((name) => ({ name, version: 'v1' as const }));
  const { username = '', password = '' } = place.account.epos ?? {};
  await testEnvironment.store.database.transact(scope, (tx) =>
    putEposIntegration(tx, { kind: 'rest', url: testEnvironment.restUrl, username, password, capabilities }),
  );
}
