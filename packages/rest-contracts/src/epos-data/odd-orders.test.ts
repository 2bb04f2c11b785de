import { describe, expect, test } from '@jest/globals';
import { readEposAnswer } from './epos-data-reading.js';

// Orders of EPOSes that others wrote. Each odd order stands between two good ones, which must be read in any case.

const gbp = (value: unknown) => ({ value, currencyCode: 'GBP' });
const SOUP = { name: 'Soup', quantity: 2, plu: '1001', amountPerItem: gbp(650) };
const ORDER = {
  ...{ id: '118', status: 'Accepted', displayName: 'Bar', createdAt: '2026-03-01T12:00:00Z', items: [SOUP] },
  details: { orderType: 'DineIn', dineIn: { tableId: 't-7', waiterId: '42' } },
  ...{ totalAmount: gbp(1_300), paidAmount: gbp(0), payments: [] as unknown[], payable: true },
};
const PAYMENT = { paymentIntentId: 'pi_1', paidAmount: gbp(500) };
const withItem = (item: object) => ({ items: [{ ...SOUP, ...item }] });
const withDetails = (details: unknown) => ({ details });
const withModifier = (modifier: object) =>
  withItem({ modifiers: [{ name: 'Bread', quantity: 1, plu: '2', amountPerItem: gbp(50), ...modifier }] });

/** Reads a page in which the order stands between two good ones. */
function readBetweenGoodOrders(members: object, zone?: string) {
  const data = [
    { ...ORDER, id: 'first' },
    { ...ORDER, ...members },
    { ...ORDER, id: 'last' },
  ];
  const reading = readEposAnswer(
    'SearchOrders',
    JSON.parse(JSON.stringify({ data })),
    zone === undefined ? {} : { zone },
  );
  if (!reading.ok) throw new Error(reading.reason);
  const ids = reading.value.data.map(({ id }) => id);
  expect([ids[0], ids.at(-1)]).toEqual(['first', 'last']);
  return { order: reading.value.data.length === 3 ? reading.value.data[1] : undefined, unreadable: reading.unreadable };
}

describe('the order can be paid, and every member that is unambiguous is taken', () => {
  test.each<[string, object, object]>([
    ['a weight', withItem({ quantity: 0.575 }), { items: [{ quantity: 0.575 }] }],
    ['half a portion', withItem({ quantity: 0.5 }), { items: [{ quantity: 0.5 }] }],
    ['a quantity as text', withItem({ quantity: '2' }), { items: [{ quantity: 2 }] }],
    ['a weight as text', withItem({ quantity: '0.575' }), { items: [{ quantity: 0.575 }] }],
    ['a binary fraction of a weight', withItem({ quantity: 0.1 + 0.2 }), { items: [{ quantity: 0.3 }] }],
    ['a void line', withItem({ quantity: -1 }), { items: [{ quantity: -1 }] }],
    [
      'a line with its own total',
      withItem({ quantity: 3, amountTotal: gbp(1_000) }),
      { items: [{ amountTotal: gbp(1_000) }] },
    ],
    ['no quantity', withItem({ quantity: undefined }), { items: [{ quantity: 1 }] }],
    ['quantity null', withItem({ quantity: null }), { items: [{ quantity: 1 }] }],
    ['no plu', withItem({ plu: undefined }), { items: [{ plu: '' }] }],
    ['plu null', withItem({ plu: null }), { items: [{ plu: '' }] }],
    ['a plu that is a number', withItem({ plu: 1001 }), { items: [{ plu: '1001' }] }],
    ['no name of an item', withItem({ name: undefined }), { items: [{ name: '1001' }] }],
    ['a name of an item that is a number', withItem({ name: 7 }), { items: [{ name: '7' }] }],
    [
      'a price without a currency',
      withItem({ amountPerItem: { value: 650 } }),
      { items: [{ amountPerItem: gbp(650) }] },
    ],
    ['a price as text', withItem({ amountPerItem: gbp('650') }), { items: [{ amountPerItem: gbp(650) }] }],
    [
      'a modifier without a price',
      withModifier({ amountPerItem: undefined }),
      { items: [{ modifiers: [{ amountPerItem: gbp(0) }] }] },
    ],
    ['a modifier without a quantity', withModifier({ quantity: null }), { items: [{ modifiers: [{ quantity: 1 }] }] }],
    ['a modifier without a plu', withModifier({ plu: undefined }), { items: [{ modifiers: [{ plu: '' }] }] }],
    ['half a modifier', withModifier({ quantity: 0.5 }), { items: [{ modifiers: [{ quantity: 0.5 }] }] }],
    ['modifiers null', withItem({ modifiers: null }), { items: [{ name: 'Soup' }] }],
    ['an id that is a number', { id: 118 }, { id: '118' }],
    ['a total as text', { totalAmount: gbp('1300') }, { totalAmount: gbp(1_300) }],
    [
      'a currency in small letters',
      { totalAmount: { value: 1_300, currencyCode: 'gbp' } },
      { totalAmount: gbp(1_300) },
    ],
    ['an empty creation time', { createdAt: '' }, { id: '118' }],
    ['the first day of a framework', { createdAt: '0001-01-01T00:00:00' }, { id: '118' }],
    ['nothing paid, in pounds', { paidAmount: gbp('0.00') }, { paidAmount: gbp(0) }],
    ['a discount without a name', { discounts: [{ amountTotal: gbp(100) }] }, { discounts: [{ name: 'Discount' }] }],
    ['a local time', { createdAt: '2026-03-01T12:00:00' }, { createdAt: '2026-03-01T12:00:00.000Z' }],
    ['a local time without seconds', { createdAt: '2026-03-01T12:00' }, { createdAt: '2026-03-01T12:00:00.000Z' }],
    ['a time with a blank for the T', { createdAt: '2026-03-01 12:00:00' }, { createdAt: '2026-03-01T12:00:00.000Z' }],
    [
      'a time with a blank and an offset',
      { createdAt: '2026-03-01 12:00:00+01:00' },
      { createdAt: '2026-03-01T12:00:00+01:00' },
    ],
    ['another spelling of Canceled', { status: 'Cancelled' }, { status: 'Canceled' }],
    ['another spelling of Finalized', { status: 'finalised' }, { status: 'Finalized' }],
    ['a status in words of the till: closed', { status: 'Closed' }, { status: 'Finalized' }],
    ['a status in words of the till: voided', { status: 'VOIDED' }, { status: 'Canceled' }],
    ['a status in words of the till: rejected', { status: 'Rejected' }, { status: 'Failed' }],
    [
      'a table that is a number',
      withDetails({ orderType: 'DineIn', dineIn: { tableId: 7 } }),
      { details: { dineIn: { tableId: '7' } } },
    ],
    [
      'a waiter that is a number',
      withDetails({ orderType: 'DineIn', dineIn: { waiterId: 42 } }),
      { details: { dineIn: { waiterId: '42' } } },
    ],
    ['no details', withDetails(undefined), { details: { orderType: 'Collection' } }],
    ['details null', withDetails(null), { details: { orderType: 'Collection' } }],
    ['no type of order', withDetails({ dineIn: { tableId: 't-7' } }), { details: { orderType: 'DineIn' } }],
    [
      'a telephone that is a number',
      { customer: { phoneNumber: 441234567 } },
      { customer: { phoneNumber: '441234567' } },
    ],
    [
      'a payment in another tender',
      { payments: [{ paidAmount: gbp(500) }], paidAmount: gbp(500) },
      { paidAmount: gbp(500) },
    ],
    ['more paid than owed', { paidAmount: gbp(2_000) }, { paidAmount: gbp(2_000) }],
    [
      'an intent id that is a number',
      { payments: [{ ...PAYMENT, paymentIntentId: 5 }] },
      { payments: [{ paymentIntentId: '5' }] },
    ],
    ['a paid amount without a currency', { paidAmount: { value: 500 } }, { paidAmount: gbp(500) }],
    ['payable as text', { payable: 'true' }, { payable: true }],
    ['payable as a number', { payable: 1 }, { payable: true }],
    ['payments null', { payments: null }, { id: '118' }],
    ['no paid amount', { paidAmount: undefined }, { id: '118' }],
    ['items null', { items: null }, { id: '118' }],
    ['discounts null', { discounts: null }, { id: '118' }],
    [
      'a tax in percent with decimals left out',
      { taxLines: [{ amountTotal: gbp(200), amountPercentage: '2000' }] },
      { taxLines: [{ amountPercentage: 2_000 }] },
    ],
  ])('%s', (_, members, read) => {
    const { order, unreadable } = readBetweenGoodOrders(members);
    expect(order).toMatchObject(read);
    expect(unreadable).toEqual([]);
  });
});

describe('the order can be paid, and the member that cannot be read is left out and named', () => {
  test.each<[string, object, string, object]>([
    ['a price null', withItem({ amountPerItem: null }), 'items[0].amountPerItem', { items: [] }],
    ['a price "13.00"', withItem({ amountPerItem: gbp('13.00') }), 'items[0].amountPerItem.value', { items: [] }],
    ['a price that is a bare number', withItem({ amountPerItem: 650 }), 'items[0].amountPerItem', { items: [] }],
    ['a quantity in words', withItem({ quantity: 'two' }), 'items[0].quantity', { items: [] }],
    ['a quantity with a decimal comma', withItem({ quantity: '0,5' }), 'items[0].quantity', { items: [] }],
    ['an item that is no object', { items: ['Soup', SOUP] }, 'items[0]', { items: [{ name: 'Soup' }] }],
    ['items that are no list', { items: 'Soup' }, 'items', { id: '118' }],
    [
      'a modifier with a price in pounds',
      withModifier({ amountPerItem: gbp(0.5) }),
      'items[0].modifiers[0].amountPerItem.value',
      { items: [] },
    ],
    [
      'another type of order',
      withDetails({ orderType: 'Delivery', dineIn: null }),
      'details.orderType',
      { details: { orderType: 'Collection' } },
    ],
    ['details as text', withDetails('DineIn'), 'details', { details: { orderType: 'Collection' } }],
    [
      'a table that is an object',
      withDetails({ orderType: 'DineIn', dineIn: { tableId: {} } }),
      'details.dineIn.tableId',
      { details: { orderType: 'DineIn' } },
    ],
    ['an unknown status', { status: 'Cooking' }, 'status', { status: 'New' }],
    ['a status that is a number', { status: 3 }, 'status', { status: 'New' }],
    ['a creation time of no calendar', { createdAt: '2026-02-30T12:00:00Z' }, 'createdAt', { id: '118' }],
    ['a creation time in seconds', { createdAt: 1_772_366_400 }, 'createdAt', { id: '118' }],
    ['a creation time in words', { createdAt: 'yesterday' }, 'createdAt', { id: '118' }],
    [
      'a tax name of 101 characters',
      { taxLines: [{ amountTotal: gbp(200), name: 'x'.repeat(101) }] },
      'taxLines[0].name',
      { taxLines: [{ name: 'x'.repeat(100) }] },
    ],
    ['a tax without an amount', { taxLines: [{ name: 'VAT' }] }, 'taxLines[0].amountTotal', { taxLines: [] }],
    [
      'a percentage with decimals',
      { taxLines: [{ amountTotal: gbp(200), amountPercentage: 17.5 }] },
      'taxLines[0].amountPercentage',
      { taxLines: [{ amountTotal: gbp(200) }] },
    ],
    [
      'a telephone of 51 characters',
      { customer: { phoneNumber: '1'.repeat(51) } },
      'customer.phoneNumber',
      { id: '118' },
    ],
    [
      'an address of 255 characters',
      { customer: { emailAddress: `${'x'.repeat(250)}@a.io` } },
      'customer.emailAddress',
      { id: '118' },
    ],
    ['a customer as text', { customer: 'Ada' }, 'customer', { id: '118' }],
    ['a note that is a list', { note: ['no salt'] }, 'note', { id: '118' }],
    [
      'a discount in pounds',
      { discounts: [{ name: 'Happy hour', amountTotal: gbp(1.5) }] },
      'discounts[0].amountTotal.value',
      { discounts: [] },
    ],
    ['a service charge in another form', { serviceChargeAmount: '10%' }, 'serviceChargeAmount', { id: '118' }],
    ['a tip in another form', { tipsAmount: '2.00' }, 'tipsAmount', { id: '118' }],
    ['two values for one member', { note: 'a', Note: 'b' }, 'note', { id: '118' }],
    ['payable in words', { payable: 'perhaps' }, 'payable', { id: '118' }],
    [
      'a payment in pounds beside the paid amount',
      { payments: [PAYMENT, { paidAmount: gbp(5.5) }], paidAmount: gbp(1_050) },
      'payments[1].paidAmount.value',
      { paidAmount: gbp(1_050) },
    ],
    [
      'a paid amount in pounds beside the payments',
      { payments: [PAYMENT], paidAmount: gbp(5.5) },
      'paidAmount.value',
      { payments: [PAYMENT] },
    ],
    [
      'an item in another currency',
      withItem({ amountPerItem: { value: 650, currencyCode: 'EUR' } }),
      'items[0].amountPerItem.currencyCode',
      { items: [] },
    ],
  ])('%s', (_, members, member, read) => {
    const { order, unreadable } = readBetweenGoodOrders(members);
    expect(order).toMatchObject(read);
    expect(unreadable).toEqual([{ element: '118', member, problem: expect.any(String), isSkipped: false }]);
  });
});

describe('an order that cannot be paid is left out and named', () => {
  test.each<[string, object, string]>([
    ['no id', { id: undefined }, 'id'],
    ['an empty id', { id: '' }, 'id'],
    ['an id that is an object', { id: {} }, 'id'],
    ['an id of 201 characters', { id: 'x'.repeat(201) }, 'id'],
    ['a total in pounds', { totalAmount: gbp(13.5) }, 'totalAmount.value'],
    ['a total "13.00"', { totalAmount: gbp('13.00') }, 'totalAmount.value'],
    ['a total with an exponent', { totalAmount: gbp('13e2') }, 'totalAmount.value'],
    ['a total that is no object', { totalAmount: 1_300 }, 'totalAmount'],
    ['a total without a currency', { totalAmount: { value: 1_300 } }, 'totalAmount.currencyCode'],
    ['a total beyond exact numbers', { totalAmount: gbp(2 ** 53) }, 'totalAmount.value'],
    ['two totals', { TotalAmount: gbp(1_400) }, 'totalAmount'],
    ['a paid amount in pounds and no payments', { paidAmount: gbp(5.5), payments: undefined }, 'paidAmount.value'],
    [
      'a payment in pounds and no paid amount',
      { paidAmount: undefined, payments: [{ paidAmount: gbp(5.5) }] },
      'payments[0].paidAmount.value',
    ],
    ['a paid amount in pounds beside an empty list of payments', { paidAmount: gbp(5.5) }, 'paidAmount.value'],
    ['payments that are no list and no paid amount', { paidAmount: undefined, payments: {} }, 'payments'],
    [
      'a paid amount in another currency',
      { paidAmount: { value: 500, currencyCode: 'EUR' }, payments: undefined },
      'paidAmount.currencyCode',
    ],
  ])('%s', (_, members, member) => {
    const { order, unreadable } = readBetweenGoodOrders(members);
    expect(order).toBeUndefined();
    expect(unreadable.filter(({ isSkipped }) => isSkipped)).toEqual([
      { element: expect.any(String), member, problem: expect.any(String), isSkipped: true },
    ]);
  });

  test.each<[string, unknown]>([
    ['a text', 'order'],
    ['null', null],
    ['a list', [ORDER]],
    ['a number', 7],
  ])('%s instead of an order', (_, odd) => {
    const reading = readEposAnswer('SearchOrders', { data: [ORDER, odd, { ...ORDER, id: '2' }] });
    expect(reading).toMatchObject({ ok: true, value: { data: [{ id: '118' }, { id: '2' }] } });
    expect(reading.ok && reading.unreadable).toEqual([
      { element: '[1]', member: '', problem: expect.any(String), isSkipped: true },
    ]);
  });

  test('an order without any total is listed, and cannot be paid', () => {
    const { order, unreadable } = readBetweenGoodOrders({ totalAmount: undefined });
    expect(order).toMatchObject({ id: '118' });
    expect(unreadable).toEqual([]);
  });
});

test.each([
  ['2026-07-01T12:00:00', '2026-07-01T11:00:00.000Z'],
  ['2026-01-01T12:00:00', '2026-01-01T12:00:00.000Z'],
  ['2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
  ['2026-07-01T12:00:00Z', '2026-07-01T12:00:00Z'],
])('the local time %s in London is %s', (createdAt, read) => {
  expect(readBetweenGoodOrders({ createdAt }, 'Europe/London').order?.createdAt).toBe(read);
});

describe('tables, areas, parties and reservations', () => {
  const PARTY = { id: 'p', status: 'Seated', tableIds: ['t-7'], startTime: '2026-03-01T19:00:00.000Z' };
  const BOOKED = {
    id: 'r',
    name: 'Ada',
    covers: 4,
    startTime: '2026-03-01T19:00:00.000Z',
    endTime: '2026-03-01T21:00:00.000Z',
    tableIds: ['t-7'],
  };
  test.each<[string, 'SearchTables' | 'SearchParties' | 'SearchReservations', object, object, string | null]>([
    ['a table without covers', 'SearchTables', { id: 't', name: 'T' }, { id: 't' }, null],
    ['a table whose id is a number', 'SearchTables', { id: 7, name: 'T' }, { id: '7' }, null],
    ['a table whose name is a number', 'SearchTables', { id: 't', name: 7 }, { name: '7' }, null],
    ['a table without a name', 'SearchTables', { id: 't' }, { name: 't' }, null],
    ['a table with covers as text', 'SearchTables', { id: 't', name: 'T', maxCovers: '4' }, { maxCovers: 4 }, null],
    [
      'a table with covers in words',
      'SearchTables',
      { id: 't', name: 'T', maxCovers: 'four' },
      { id: 't' },
      'maxCovers',
    ],
    [
      'a table with a waiter that is a number',
      'SearchTables',
      { id: 't', name: 'T', waiterIds: [42] },
      { waiterIds: ['42'] },
      null,
    ],
    ['a party without a status', 'SearchParties', { ...PARTY, status: undefined }, { id: 'p' }, null],
    ['a party with covers and a half', 'SearchParties', { ...PARTY, covers: 1.5 }, { id: 'p' }, 'covers'],
    [
      'a party with a local time',
      'SearchParties',
      { ...PARTY, startTime: '2026-03-01T19:00' },
      { startTime: '2026-03-01T19:00:00.000Z' },
      null,
    ],
    ['a reservation without a name', 'SearchReservations', { ...BOOKED, name: null }, { name: '' }, null],
    ['a reservation without covers', 'SearchReservations', { ...BOOKED, covers: undefined }, { covers: 0 }, null],
  ])('%s', (_, call, odd, read, member) => {
    const good = {
      SearchTables: { id: 'x', name: 'X' },
      SearchParties: { ...PARTY, id: 'x' },
      SearchReservations: { ...BOOKED, id: 'x' },
    }[call];
    const reading = readEposAnswer(call, JSON.parse(JSON.stringify({ data: [good, odd, good] })));
    expect(reading).toMatchObject({ ok: true, value: { data: [{ id: 'x' }, read, { id: 'x' }] } });
    expect(reading.ok && reading.unreadable.map((each) => each.member)).toEqual(member === null ? [] : [member]);
  });

  test.each<[string, 'ListAreas' | 'SearchTables' | 'SearchParties', object]>([
    ['an area without an id', 'ListAreas', { name: 'Bar' }],
    ['a table without an id', 'SearchTables', { name: 'T' }],
    ['a party at no table', 'SearchParties', { ...PARTY, tableIds: [] }],
  ])('%s is left out', (_, call, odd) => {
    const good = { name: 'X', ...PARTY };
    const answer = call === 'ListAreas' ? [good, odd, good] : { data: [good, odd, good] };
    const reading = readEposAnswer(call, answer);
    expect(reading.ok).toBe(true);
    expect(reading.ok && reading.unreadable).toEqual([expect.objectContaining({ isSkipped: true })]);
  });
});
