import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { EPOS_CAPABILITIES } from '@pos/core/tables';
import { AccountCache } from '@pos/payments/accounts';
import { OrderPlacements } from '@pos/payments/orders';
import { putEposIntegration } from '@pos/store/repositories';
import { TimerQueue } from '@pos/store/queues';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineInLongRun, selectRows } from '@pos/testing';
import { GatewayEnvironment } from '../testing/gateway-world.js';
import { OrderTestEnvironment } from '../testing/placement-world.js';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);

// An EPOS may send text that a database cannot store. Its answer about an order counts all the same.

jest.setTimeout(60_000);

const ORDER = `"status":"New","details":{"orderType":"Collection","collection":{"asap":true}}`;

let environment: GatewayEnvironment;
let restaurant: OrderTestEnvironment;
let epos: Server;
interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}
let createAnswer: HttpAnswer;
let cancelAnswer: HttpAnswer;
/** What a search finds, of whose payment. */
let buildSearchAnswer: (intentId: string) => string = () => '';
let paidWith = '';
beforeAll(async () => {
  environment = await GatewayEnvironment.create({ hasAcquirer: true });
  const gateway = await environment.startGateway({
    EPOS_CALL_LIMIT_MS: '5000',
    RUNNER_LEASE_MS: '500',
    LOG_LEVEL: 'fatal',
  });
  restaurant = new OrderTestEnvironment(
    environment,
    gateway,
    await environment.createAccount({ epos: 'rest', hasMachines: true }),
  );
  epos = createServer((request, response) => {
    request.resume();
    const isSearch = request.url?.endsWith('/search') === true;
    const { status, body } = request.method === 'DELETE' ? cancelAnswer : createAnswer;
    response.writeHead(isSearch ? 200 : status, { 'content-type': 'application/json' });
    response.end(isSearch ? `{"data":[${buildSearchAnswer(paidWith)}]}` : body);
  });
  await new Promise<void>((resolve) => epos.listen(0, '127.0.0.1', resolve));
  const { port } = requireValue(epos.address(), 'the address') as AddressInfo;
  await environment.testDatabase.database.transact(restaurant.account.scope, (tx) =>
    putEposIntegration(tx, {
      ...{ kind: 'rest', username: 'till', password: 'secret' },
      url: `http://127.0.0.1:${port}`,
      capabilities: EPOS_CAPABILITIES.map((name) => ({ name, version: 'v1' as const })),
    }),
  );
});
afterEach(() => {
  buildSearchAnswer = () => '';
  environment.simulators.acquirer?.rules.replaceRules([]);
});
afterAll(async () => {
  epos.close();
  await environment.close();
});

test.each(
  selectRows([
    ['a NUL', String.raw`till\u00007`, 'till7'],
    ['half of a surrogate pair', String.raw`till\ud83d7`, 'till�7'],
  ] as const),
)('an order whose id has %s is captured', async (_, written, kept) => {
  createAnswer = { status: 200, body: `{"id":"${written}",${ORDER}}` };
  const intent = await restaurant.createHeldIntent(650);
  const placement = await restaurant.submitOrder(intent);
  expect(await restaurant.hurryToState(placement, 'Completed')).toMatchObject({ orderId: kept, placeCalls: 1 });
  expect((await restaurant.getIntent(intent.id)).details.orderDetails?.externalId).toBe(kept);
});

testLong.each([
  ['a NUL', String.raw`sold\u0000out`],
  ['half of a surrogate pair', String.raw`sold\udc00out`],
])('the money of an order goes back that was refused with a message that has %s', async (_, written) => {
  createAnswer = { status: 409, body: `{"errorType":"Conflict","debugMessage":"${written}"}` };
  const intent = await restaurant.createHeldIntent(650);
  const placement = await restaurant.submitOrder(intent);
  expect(await restaurant.hurryToState(placement, 'GivenBack')).toMatchObject({ mayOrderStand: false, placeCalls: 1 });
});

test.each(selectRows([400, 404, 408, 409, 425, 499] as const))(
  'an order that a proxy answered with %s is searched for and captured',
  async (status) => {
    createAnswer = { status, body: '<html><body>no</body></html>' };
    buildSearchAnswer = (intentId) => buildOrderJson('118', 'New', intentId);
    const intent = await restaurant.createHeldIntent(650);
    paidWith = intent.id;
    const placement = await restaurant.submitOrder(intent);
    expect(await restaurant.hurryToState(placement, 'Completed', 'GivenBack')).toMatchObject({
      state: 'Completed',
      orderId: '118',
    });
    expect(await restaurant.getBookedAmount(intent.id)).toBe(650);
  },
);

testLong('an order that was not passed on because of too many requests is asked for again', async () => {
  createAnswer = { status: 429, body: '{"errorType":"InvalidRequest"}' };
  const placement = await restaurant.submitOrder(await restaurant.createHeldIntent(650));
  await restaurant.hurryUntil(placement, ({ tries }) => tries > 0);
  createAnswer = { status: 200, body: `{"id":"118",${ORDER}}` };
  expect(await restaurant.hurryToState(placement, 'Completed', 'GivenBack')).toMatchObject({
    state: 'Completed',
    orderId: '118',
  });
});

test.each(selectRows(['Cancelled', 'CANCELED', 'Failed'] as const))(
  'the money of an order that is answered as %s is returned',
  async (status) => {
    createAnswer = { status: 200, body: `{"id":"118","status":"${status}"}` };
    const intent = await restaurant.createHeldIntent(650);
    const placement = await restaurant.submitOrder(intent);
    expect(await restaurant.hurryToState(placement, 'Completed', 'GivenBack')).toMatchObject({ state: 'GivenBack' });
    expect(await restaurant.getBookedAmount(intent.id)).toBe(0);
  },
);

test.each(selectRows(['"Rejected"', '"Declined"', '"Void"', '"Pending approval"', '""', '7', '{}'] as const))(
  'an order that is answered with the status %s is not paid, is read again and not made again, and is pending for people',
  async (status) => {
    createAnswer = { status: 200, body: `{"id":"118","status":${status},"details":{"orderType":"Collection"}}` };
    const intent = await restaurant.createHeldIntent(650);
    const placement = await restaurant.submitOrder(intent);
    await restaurant.hurryUntil(placement, ({ tries }) => tries > 2);
    const unplaced = await restaurant.getPlacement(placement.id);
    expect(unplaced).toMatchObject({ state: 'PlaceUnknown', placeCalls: 1, isUnanswered: true, orderId: '118' });
    expect(unplaced.lastError).toContain('which the contract does not have');
    expect(await restaurant.getBookedAmount(intent.id)).toBe(0);
    createAnswer = { status: 200, body: `{"id":118,"status":"accepted","items":"odd"}` };
    expect(await restaurant.hurryToState(placement, 'Completed')).toMatchObject({ orderId: '118', placeCalls: 1 });
  },
);

test('an order that is found with a status of no contract is not paid, and not made again', async () => {
  createAnswer = { status: 500, body: '{"errorType":"UnexpectedError"}' };
  buildSearchAnswer = (intentId) => buildOrderJson('118', 'Declined', intentId);
  const intent = await restaurant.createHeldIntent(650);
  paidWith = intent.id;
  const placement = await restaurant.submitOrder(intent);
  await restaurant.hurryUntil(placement, ({ tries }) => tries > 2);
  expect(await restaurant.getPlacement(placement.id)).toMatchObject({ state: 'PlaceUnknown', orderId: '118' });
  expect(await restaurant.getBookedAmount(intent.id)).toBe(0);
  createAnswer = { status: 200, body: '{"id":"118","status":"New"}' };
  expect(await restaurant.hurryToState(placement, 'Completed')).toMatchObject({ orderId: '118', placeCalls: 1 });
});

test('the money of an order that the EPOS does not accept and that people give back is returned, and the order cancelled', async () => {
  createAnswer = { status: 200, body: '{"id":"118","status":"Awaiting kitchen"}' };
  cancelAnswer = { status: 200, body: '{"id":"118","status":"Canceled"}' };
  const intent = await restaurant.createHeldIntent(650);
  const placement = await restaurant.submitOrder(intent);
  await restaurant.hurryUntil(placement, ({ orderId }) => orderId === '118');
  await giveBack(placement.id);
  expect(await restaurant.hurryToState(placement, 'GivenBack')).toMatchObject({ mayOrderStand: false, placeCalls: 1 });
  expect(await restaurant.getBookedAmount(intent.id)).toBe(0);
});

const buildOrderJson = (id: string, status: string, intentId: string) =>
  `{"id":"${id}","status":"${status}","details":{"orderType":"Collection"},"payments":[` +
  `{"paymentIntentId":"${intentId}","paidAmount":{"value":650,"currencyCode":"GBP"}}]}`;

test.each(
  selectRows(
    [
      ['as it was', '{"id":"118","status":"Preparing","details":{"orderType":"Collection"}}', true],
      ['without a status, which is new', '{"id":"118","details":{"orderType":"Collection"}}', true],
      ['as cancelled', '{"id":"118","status":"Canceled","details":{"orderType":"Collection"}}', false],
      ['as failed', '{"id":"118","status":"Failed","details":{"orderType":"Collection"}}', false],
    ] as const,
    ([, , mayOrderStand]) => mayOrderStand,
  ),
)('an order that is to be cancelled and is answered %s', async (_, body, mayOrderStand) => {
  createAnswer = { status: 200, body: `{"id":"118",${ORDER}}` };
  cancelAnswer = { status: 200, body };
  environment.simulators.acquirer?.rules.replaceRules([{ match: { kind: 'Capture' }, effect: 'decline' }]);
  const placement = await restaurant.submitOrder(await restaurant.createHeldIntent(650));
  await restaurant.hurryUntil(placement, ({ tries }) => tries > 0);
  await giveBack(placement.id);
  expect(await restaurant.hurryToState(placement, 'GivenBack')).toMatchObject({ mayOrderStand });
});

testLong('of two orders that list the payment the one that was not cancelled counts', async () => {
  createAnswer = { status: 500, body: '{"errorType":"UnexpectedError"}' };
  buildSearchAnswer = (intentId) =>
    [buildOrderJson('1', 'Canceled', intentId), buildOrderJson('2', 'New', intentId)].join();
  const intent = await restaurant.createHeldIntent(650);
  paidWith = intent.id;
  const placement = await restaurant.submitOrder(intent);
  expect(await restaurant.hurryToState(placement, 'Completed', 'GivenBack')).toMatchObject({
    state: 'Completed',
    orderId: '2',
  });
});

async function giveBack(id: string): Promise<void> {
  const placements = new OrderPlacements({
    accounts: new AccountCache(),
    queue: new TimerQueue(environment.testDatabase.database),
  });
  await environment.testDatabase.database.transact(restaurant.account.scope, (tx) =>
    placements.resolvePlacement(tx, id, 'giveBack'),
  );
}
