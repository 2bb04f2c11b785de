import { expect, test } from '@jest/globals';
import { readCallFrame, writeCallFrame } from './epos-data-frames.js';
import { readEposAnswer, readEposParams, buildRestRequest } from './epos-data-reading.js';

const gbp = (value: number) => ({ value, currencyCode: 'GBP' });
const bread = { name: 'Bread', quantity: 1, plu: '2', amountPerItem: gbp(50) };
const soup = { name: 'Soup', quantity: 1, plu: '1', amountPerItem: gbp(650), modifiers: [bread] };
const order = {
  details: { orderType: 'Collection' },
  items: [{ ...soup, subItems: [soup] }],
  totalAmount: gbp(1_350),
  serviceOrderId: 'so-1',
  payments: [],
};
const both = { ...bread, amountPerModifier: gbp(50) };
const written = { ...order, items: [{ ...soup, modifiers: [both], subItems: [{ ...soup, modifiers: [both] }] }] };

test('a new order has the price of each modifier under both names, over each transport', () => {
  expect(buildRestRequest('CreateOrder', order).body).toEqual(written);
  const frame = JSON.parse(writeCallFrame('1', { name: 'CreateOrder', params: order, headers: {} })) as object;
  expect(frame).toMatchObject({ params: written });
});

test('an EPOS that reads either name gets the right price', () => {
  const frame = readCallFrame(writeCallFrame('1', { name: 'CreateOrder', params: order, headers: {} }));
  expect(readEposParams('CreateOrder', frame?.params ?? {})).toEqual({ ok: true, value: order });
});

test.each([
  ['a call that makes no order', 'GetOrderById', { orderId: '1' }, null],
  ['an order without modifiers', 'CreateOrder', { items: [{ name: 'Soup' }] }, { items: [{ name: 'Soup' }] }],
  ['an order without items', 'CreateOrder', { items: 'none' }, { items: 'none' }],
] as const)('%s is written unchanged', (_, name, params, body) => {
  expect(buildRestRequest(name, params).body).toEqual(body);
});

const page = (...names: string[]) => ({ data: names.map((name) => ({ id: name, name })), after: null });

test.each<[string, unknown, unknown]>([
  ['one page', page('1'), page('1')],
  ['a list of one page', [page('1')], page('1')],
  ['a list of pages, of which the first counts', [page('1', '2'), page('3')], page('1', '2')],
  ['an empty list', [], { data: [] }],
])('an answer to SearchTables that is %s is accepted', (_, json, value) => {
  expect(readEposAnswer('SearchTables', json)).toMatchObject({ ok: true, value, unreadable: [] });
});

test.each<[string, 'SearchTables' | 'SearchOrders', unknown]>([
  ['a list of tables', 'SearchTables', [{ id: '1', name: '1' }]],
  ['a list of lists', 'SearchTables', [[page('1')]]],
  ['nothing', 'SearchTables', null],
  ['a list of pages of orders', 'SearchOrders', [{ data: [] }]],
])('an answer that is %s is not accepted', (_, name, json) => {
  expect(readEposAnswer(name, json)).toMatchObject({ ok: false });
});
