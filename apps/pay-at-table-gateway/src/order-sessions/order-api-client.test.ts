import { expect, test } from '@jest/globals';
import { createTestScope } from '@pos/store/testing';
import type { DataCallRequest, DataOutcome } from '../epos-calls/data-call.js';
import { Deadline } from '../epos-calls/deadline.js';
import { OrderApiClient } from './order-api-client.js';

const WITHOUT_ID = { status: 'Accepted', totalAmount: { value: 900, currencyCode: 'GBP' } };

/** An EPOS with two pages of orders, each of which begins with one that no device could ask for. */
function openClient(): OrderApiClient {
  const callData = ({ name, params }: DataCallRequest): Promise<DataOutcome> => {
    const order = { ...WITHOUT_ID, details: { orderType: 'DineIn' } };
    const data =
      name === 'SearchTables' ? [{ name: 'Table 7' }] : [order, { ...order, id: `of ${String(params['cursor'])}` }];
    return Promise.resolve({ outcome: 'answered', json: { data }, httpStatus: 200 });
  };
  const orderApi = {
    capabilities: new Set<never>(),
    callData,
    readZone: () => Promise.resolve('UTC'),
    usesCache: false,
  };
  const request = { scope: createTestScope(), fence: null, faults: null };
  return new OrderApiClient(orderApi, { request, requestor: null, deadline: Deadline.createAfter(5_000) });
}

const countHidden = (client: OrderApiClient, name: string) =>
  client.listUnreadable().filter((each) => each.isSkipped && each.name === name).length;

test('orders without an id are counted on each page, and tables beside them', async () => {
  const client = openClient();
  for (const cursor of ['first', 'second']) await client.callEpos('SearchOrders', { cursor }, 'session');
  await client.callEpos('SearchTables', {}, 'session');
  expect([countHidden(client, 'SearchOrders'), countHidden(client, 'SearchTables')]).toEqual([2, 1]);
});

test('a page that is read twice hides no second bill', async () => {
  const client = openClient();
  for (const cursor of ['first', 'first']) await client.callEpos('SearchOrders', { cursor }, 'session');
  expect(countHidden(client, 'SearchOrders')).toBe(1);
});
