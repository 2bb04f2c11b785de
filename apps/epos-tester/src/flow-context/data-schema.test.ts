import { describe, expect, test } from '@jest/globals';
import { EPOS_DATA, type EposDataCallName } from '@pos/rest-contracts/epos-data';
import { findSchemaViolations } from './data-schema.js';

const money = { value: 650, currencyCode: 'GBP' };
const order = { id: '1', status: 'New', details: { orderType: 'DineIn' } };
const bill = (line: unknown) => ({ header: { lines: [line] }, order, footer: { lines: [] } });

test.each(Object.entries(EPOS_DATA).filter(([, { returns }]) => returns !== null))(
  'an empty answer to %s is detected',
  (name) => {
    expect(findSchemaViolations(name as EposDataCallName, null)).not.toEqual([]);
  },
);

describe('an answer that the service would accept fails the strict check', () => {
  test.each<[string, EposDataCallName, unknown, string, string]>([
    [
      'an amount as text',
      'GetOrderById',
      { ...order, totalAmount: { ...money, value: '650' } },
      'schema.type',
      'totalAmount.value',
    ],
    [
      'half a penny',
      'GetOrderById',
      { ...order, totalAmount: { ...money, value: 0.5 } },
      'schema.type',
      'totalAmount.value',
    ],
    [
      'a currency in small letters',
      'GetOrderById',
      { ...order, totalAmount: { ...money, currencyCode: 'gbp' } },
      'schema.value',
      'totalAmount.currencyCode',
    ],
    ['null for absent', 'GetOrderById', { ...order, note: null }, 'schema.type', 'note'],
    ['another case', 'GetOrderById', { ...order, status: 'new' }, 'schema.enum', 'status'],
    ['no status', 'GetOrderById', { id: '1', details: order.details }, 'schema.missing', 'status'],
    ['no id in a search', 'SearchOrders', { data: [{ ...order, id: undefined }] }, 'schema.missing', 'data[0].id'],
    ['a date for a time', 'GetOrderById', { ...order, createdAt: '2026-03-01' }, 'schema.value', 'createdAt'],
    [
      'a synonym',
      'GetOrderById',
      { ...order, items: [{ name: 'Soup', quantity: 1, plu: '1', price: money }] },
      'schema.missing',
      'items[0].amountPerItem',
    ],
    [
      'a modifier without a price',
      'GetOrderById',
      {
        ...order,
        items: [
          {
            ...{ name: 'Soup', quantity: 1, plu: '1', amountPerItem: money },
            modifiers: [{ name: 'Bread', quantity: 1, plu: '2' }],
          },
        ],
      },
      'schema.missing',
      'items[0].modifiers[0].amountPerItem',
    ],
    ['an unknown line', 'GetOrderBillById', bill({ lineType: 'Poem' }), 'schema.enum', 'header.lines[0].lineType'],
    [
      'a line of another type',
      'GetOrderBillById',
      bill({ lineType: 'URL', taxNumber: { name: 'VAT', number: '1' } }),
      'order-bill.lines',
      'header.lines[0]',
    ],
  ])('%s', (_, name, json, clause, member) => {
    expect(findSchemaViolations(name, json)).toEqual([expect.objectContaining({ clause, member })]);
  });
});

test.each<[string, EposDataCallName, unknown]>([
  ['tables as a list of pages', 'SearchTables', [{ data: [{ id: '1', name: '1' }] }]],
  [
    'a modifier with amountPerModifier',
    'GetOrderById',
    {
      ...order,
      items: [
        {
          ...{ name: 'Soup', quantity: 1, plu: '1', amountPerItem: money },
          modifiers: [{ name: 'Bread', quantity: 1, plu: '2', amountPerModifier: money }],
        },
      ],
    },
  ],
  ['unknown members', 'GetOrderById', { ...order, loyalty: 12 }],
  ['an order without its id where the request has the id', 'GetOrderById', { ...order, id: undefined }],
  ['a page without neighbours', 'SearchOrders', { data: [order], before: null }],
  ['a time with an offset', 'GetOrderById', { ...order, createdAt: '2026-03-01T12:00:00+01:00' }],
  ['no body where none is read', 'DeletePartyById', null],
])('%s follow the contract', (_, name, json) => {
  expect(findSchemaViolations(name, json)).toEqual([]);
});
