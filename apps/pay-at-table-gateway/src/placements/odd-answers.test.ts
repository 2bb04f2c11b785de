import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import { EPOS_CAPABILITIES } from '@pos/core/epos-capability';
import { OrderPlacements } from '@pos/payments/order-placements';
import { putEposIntegration } from '@pos/store/epos-integrations';
import { TimerQueue } from '@pos/store/timers';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TestPlace, until } from '../testing.js';
import { OrderHouse } from './testing.js';

// An EPOS may put into its words what no database keeps. What it says of an order is heard all the same.

jest.setTimeout(60_000);

const ORDER = `"status":"New","details":{"orderType":"Collection","collection":{"asap":true}}`;

let place: TestPlace;
let house: OrderHouse;
let epos: Server;
interface Said {
  readonly status: number;
  readonly body: string;
}
let said: Said;
let saidOfCancelling: Said;
/** What a search finds, of whose payment. */
let found: (intentId: string) => string = () => '';
let paidWith = '';
beforeAll(async () => {
  place = await TestPlace.open({ hasAcquirer: true });
  const gateway = await place.gateway({ EPOS_CALL_LIMIT_MS: '900', RUNNER_LEASE_MS: '500', LOG_LEVEL: 'fatal' });
  house = new OrderHouse(place, gateway, await place.account({ epos: 'rest', hasMachines: true }));
  epos = createServer((request, response) => {
    request.resume();
    const isSearch = request.url?.endsWith('/search') === true;
    const { status, body } = request.method === 'DELETE' ? saidOfCancelling : said;
    response.writeHead(isSearch ? 200 : status, { 'content-type': 'application/json' });
    response.end(isSearch ? `{"data":[${found(paidWith)}]}` : body);
  });
  await new Promise<void>((resolve) => epos.listen(0, '127.0.0.1', resolve));
  const { port } = required(epos.address(), 'the address') as AddressInfo;
  await place.test.database.transact(house.account.scope, (tx) =>
    putEposIntegration(tx, {
      ...{ kind: 'rest', username: 'till', password: 'secret' },
      url: `http://127.0.0.1:${port}`,
      capabilities: EPOS_CAPABILITIES.map((name) => ({ name, version: 'v1' as const })),
    }),
  );
});
afterEach(() => {
  found = () => '';
  place.outside.acquirer?.rules.replace([]);
});
afterAll(async () => {
  epos.close();
  await place.close();
});

test.each([
  ['a NUL', String.raw`till\u00007`, 'till7'],
  ['half of a surrogate pair', String.raw`till\ud83d7`, 'till�7'],
])('an order whose id has %s is captured', async (_, written, kept) => {
  said = { status: 200, body: `{"id":"${written}",${ORDER}}` };
  const intent = await house.held(650);
  const placement = await house.submit(intent);
  expect(await house.arrives(placement, 'Completed')).toMatchObject({ orderId: kept, placeCalls: 1 });
  expect((await house.intentOf(intent.id)).details.orderDetails?.externalId).toBe(kept);
});

test.each([
  ['a NUL', String.raw`sold\u0000out`],
  ['half of a surrogate pair', String.raw`sold\udc00out`],
])('the money of an order goes back that was refused with a message that has %s', async (_, written) => {
  said = { status: 409, body: `{"errorType":"Conflict","debugMessage":"${written}"}` };
  const intent = await house.held(650);
  const placement = await house.submit(intent);
  expect(await house.arrives(placement, 'GivenBack')).toMatchObject({ mayOrderStand: false, placeCalls: 1 });
});

test.each([400, 404, 408, 409, 425, 499])(
  'an order that a proxy answered with %s is looked for and captured',
  async (status) => {
    said = { status, body: '<html><body>no</body></html>' };
    found = (intentId) => ordered('118', 'New', intentId);
    const intent = await house.held(650);
    paidWith = intent.id;
    const placement = await house.submit(intent);
    expect(await house.arrives(placement, 'Completed', 'GivenBack')).toMatchObject({
      state: 'Completed',
      orderId: '118',
    });
    expect(await house.booked(intent.id)).toBe(650);
  },
);

test('an order that was not passed on because of too many requests is asked for again', async () => {
  said = { status: 429, body: '{"errorType":"InvalidRequest"}' };
  const placement = await house.submit(await house.held(650));
  await until(async () => (await house.placementOf(placement.id)).tries > 0);
  said = { status: 200, body: `{"id":"118",${ORDER}}` };
  expect(await house.arrives(placement, 'Completed', 'GivenBack')).toMatchObject({
    state: 'Completed',
    orderId: '118',
  });
});

const ordered = (id: string, status: string, intentId: string) =>
  `{"id":"${id}","status":"${status}","details":{"orderType":"Collection"},"payments":[` +
  `{"paymentIntentId":"${intentId}","paidAmount":{"value":650,"currencyCode":"GBP"}}]}`;

test.each([
  ['as it was', '{"id":"118","status":"Preparing","details":{"orderType":"Collection"}}', true],
  ['without a status, which is new', '{"id":"118","details":{"orderType":"Collection"}}', true],
  ['as cancelled', '{"id":"118","status":"Canceled","details":{"orderType":"Collection"}}', false],
  ['as failed', '{"id":"118","status":"Failed","details":{"orderType":"Collection"}}', false],
])('an order that is to be cancelled and is answered %s', async (_, body, mayOrderStand) => {
  said = { status: 200, body: `{"id":"118",${ORDER}}` };
  saidOfCancelling = { status: 200, body };
  place.outside.acquirer?.rules.replace([{ match: { kind: 'Capture' }, effect: 'decline' }]);
  const placement = await house.submit(await house.held(650));
  await until(async () => (await house.placementOf(placement.id)).tries > 0);
  await giveBack(placement.id);
  expect(await house.arrives(placement, 'GivenBack')).toMatchObject({ mayOrderStand });
});

test('of two orders that list the payment the one counts that stands', async () => {
  said = { status: 500, body: '{"errorType":"UnexpectedError"}' };
  found = (intentId) => [ordered('1', 'Canceled', intentId), ordered('2', 'New', intentId)].join();
  const intent = await house.held(650);
  paidWith = intent.id;
  const placement = await house.submit(intent);
  expect(await house.arrives(placement, 'Completed', 'GivenBack')).toMatchObject({ state: 'Completed', orderId: '2' });
});

async function giveBack(id: string): Promise<void> {
  const placements = new OrderPlacements({ queue: new TimerQueue(place.test.database) });
  await place.test.database.transact(house.account.scope, (tx) => placements.resolvePlacement(tx, id, 'giveBack'));
}
