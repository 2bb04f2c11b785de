import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import { EPOS_CAPABILITIES } from '@pos/core/epos-capability';
import { putEposIntegration } from '@pos/store/epos-integrations';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TestPlace } from '../testing.js';
import { OrderHouse } from './testing.js';

// An EPOS may put into its words what no database keeps. What it says of an order is heard all the same.

jest.setTimeout(60_000);

const ORDER = `"status":"New","details":{"orderType":"Collection","collection":{"asap":true}}`;

let place: TestPlace;
let house: OrderHouse;
let epos: Server;
let said: { readonly status: number; readonly body: string };
beforeAll(async () => {
  place = await TestPlace.open({ hasAcquirer: true });
  const gateway = await place.gateway({ EPOS_CALL_LIMIT_MS: '900', RUNNER_LEASE_MS: '500', LOG_LEVEL: 'fatal' });
  house = new OrderHouse(place, gateway, await place.account({ epos: 'rest', hasMachines: true }));
  epos = createServer((request, response) => {
    request.resume();
    const isCreate = request.url?.endsWith('/v1/orders') === true;
    response.writeHead(isCreate ? said.status : 200, { 'content-type': 'application/json' });
    response.end(isCreate ? said.body : '{"data":[]}');
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
