import { describe, expect, test } from '@jest/globals';
import { checkBill } from '@pos/core/tables';
import { TableStatus } from '@pos/grpc-contracts/tables';
import { EposOrder } from '@pos/rest-contracts/epos-data';
import { toFullBill } from './printable-bill.js';
import {
  toBill,
  isPayable,
  type OrderSessionDetails,
  toSession,
  normaliseTableName,
  toTables,
} from './order-session.js';

const gbp = (value: number) => ({ value, currencyCode: 'GBP' });
const NOON = '2026-03-01T12:00:00.000Z';
const LATER = '2026-03-01T13:00:00.000Z';
const SESSION_DETAILS: OrderSessionDetails = {
  sessionId: '5f0e5d0e-8f4b-4a52-9d4e-0f3a9d4b7c11',
  orderId: '118',
  firstSeenAt: new Date('2026-03-01T11:00:00.000Z'),
  tableName: 'Table 7',
  covers: 4,
  label: null,
};

function buildOrder(more: Partial<EposOrder> = {}): EposOrder {
  return EposOrder.parse({
    id: '118',
    details: { orderType: 'DineIn', dineIn: { tableId: 't-7', waiterId: '042' } },
    ...{ status: 'Accepted', createdAt: NOON, totalAmount: gbp(1_000), items: [] },
    ...more,
  });
}

describe('an order as a session', () => {
  test('has everything that the table shows', () => {
    expect(toSession(buildOrder({ displayName: 'Smith' }), SESSION_DETAILS)).toEqual({
      ...{
        id: SESSION_DETAILS.sessionId,
        name: 'Smith',
        tableName: 'Table 7',
        createdAt: new Date(NOON),
        finishedAt: undefined,
      },
      ...{ isPayable: true, numberOfCovers: 4, waiter: { id: 42, name: undefined } },
    });
  });

  test.each([
    ['its display name', { displayName: 'Smith' }, SESSION_DETAILS, 'Smith'],
    ['its table', { displayName: ' ' }, SESSION_DETAILS, 'Table 7'],
    ['its id', {}, { ...SESSION_DETAILS, tableName: null }, '118'],
    ['24 characters of a long name', { displayName: '😀'.repeat(30) }, SESSION_DETAILS, '😀'.repeat(24)],
  ])('is known by %s', (_, more, place, name) => {
    expect(toSession(buildOrder(more), place).name).toBe(name);
  });

  test.each([
    ['Finalized', LATER, new Date(LATER)],
    ['Canceled', undefined, new Date(NOON)],
    ['Failed', LATER, undefined],
    ['Ready', LATER, undefined],
  ] as const)('that is %s has finished or not', (status, updatedAt, finishedAt) => {
    expect(toSession(buildOrder({ status, updatedAt }), SESSION_DETAILS).finishedAt).toEqual(finishedAt);
  });

  test.each([
    ['42', { id: 42 }],
    ['001', { id: 1 }],
    ['0', undefined],
    ['Ann', undefined],
    ['12345678901', undefined],
    ['-1', undefined],
  ])('a waiter %j is read as %j', (waiterId, waiter) => {
    const details = { orderType: 'DineIn', dineIn: { waiterId } } as const;
    expect(toSession(buildOrder({ details }), SESSION_DETAILS).waiter).toEqual(
      waiter === undefined ? undefined : { ...waiter, name: undefined },
    );
  });

  test.each([
    ['the number that it was listed with', { name: 'Smith', number: 2 }, 'Smith - 2'],
    ['no number of the name that it had before', { name: 'Jones', number: 2 }, 'Smith'],
  ])('has %s', (_, label, name) => {
    const details = { ...SESSION_DETAILS, label: { ...label, isOutdated: false } };
    expect(toSession(buildOrder({ displayName: 'Smith' }), details).name).toBe(name);
  });

  test('a table name never contains the separator with which machines join names', () => {
    expect(normaliseTableName('Bar - 3 - left')).toBe('Bar-3-left');
  });
});

describe('whether an order can be paid', () => {
  test.each([
    ['something is outstanding', {}, true],
    ['it is paid', { paidAmount: gbp(1_000) }, false],
    ['its payments add up to the total', { payments: [{ paidAmount: gbp(400) }, { paidAmount: gbp(600) }] }, false],
    ['it is closed', { status: 'Finalized' }, false],
    ['it is canceled', { status: 'Canceled' }, false],
    ['the EPOS says so', { paidAmount: gbp(1_000), payable: true }, true],
    ['the EPOS says that it is not', { payable: false }, false],
    ['the EPOS says so of a finished order', { status: 'Finalized', payable: true }, false],
    ['the EPOS says so of a cancelled order', { status: 'Canceled', payable: true }, false],
    ['the EPOS says so of a failed order', { status: 'Failed', payable: true }, false],
    ['more is paid than owed', { paidAmount: gbp(2_000) }, false],
    ['the EPOS says so of an order without a total', { totalAmount: undefined, payable: true }, false],
  ] as const)('%s: %s', (_, more, can) => {
    expect(isPayable(buildOrder(more as Partial<EposOrder>))).toBe(can);
  });
});

test('weighed, halved and void lines of an order are lines of its bill, at the totals of the till', () => {
  const trout = { name: 'Trout', quantity: 0.575, plu: '7', amountPerItem: gbp(1_290) };
  const items = [
    trout,
    { ...trout, amountTotal: gbp(741) },
    { ...trout, quantity: -1 },
    { ...trout, quantity: 2, subItems: [{ ...trout, quantity: 0.5 }] },
  ];
  const bill = toBill(buildOrder({ items }), SESSION_DETAILS);
  if ('fault' in bill) throw new Error(bill.fault);
  expect(
    bill.items.map(({ quantity, quantityThousandths, amountPerItem }) => [
      quantity,
      quantityThousandths,
      amountPerItem,
    ]),
  ).toEqual([
    [1, 575, 742n],
    [1, 575, 741n],
    [-1, undefined, 1_290n],
    [2, undefined, 1_290n],
    [1, undefined, 1_290n],
  ]);
  expect(checkBill(bill, { sessionId: bill.sessionId, currencies: ['GBP'] })).toMatchObject({ deviations: [] });
});

describe('an order as a bill', () => {
  const fullOrder = buildOrder({
    updatedAt: LATER,
    note: 'nuts',
    totalAmount: gbp(2_950),
    serviceChargeAmount: gbp(300),
    taxLines: [{ amountTotal: gbp(200) }, { amountTotal: gbp(50) }],
    payments: [{ paidAmount: gbp(500), tipsAmount: gbp(90) }],
    items: [
      {
        ...{ name: 'Set menu', quantity: 2, plu: 'M1', amountPerItem: gbp(1_500) },
        modifiers: [{ name: 'Bread', quantity: 1, plu: 'B', amountPerItem: gbp(-50) }],
        subItems: [{ name: 'Soup', quantity: 3, plu: 'S', amountPerItem: gbp(0) }],
      },
    ],
    discounts: [
      { name: 'Friends', amountTotal: gbp(100) },
      { name: 'Voucher', amountTotal: gbp(-150) },
    ],
  });

  test('has each item, its sub-items after it, then the discounts, under ids of their own', () => {
    const bill = toBill(fullOrder, SESSION_DETAILS);
    expect(bill).toMatchObject({
      ...{ totalAmount: 2_950n, paidAmount: 500n, taxAmount: 250n, serviceCharge: 300n, currency: 'GBP', note: 'nuts' },
      items: [
        { id: '1-M1', name: 'Set menu', quantity: 2, amountPerItem: 1_500n, lastOrderedAt: new Date(LATER) },
        { id: '2-S', name: 'Soup', quantity: 6, amountPerItem: 0n },
        { id: '3-discount', name: 'Friends', quantity: 1, amountPerItem: -100n },
        { id: '4-discount', name: 'Voucher', quantity: 1, amountPerItem: -150n },
      ],
    });
    expect(bill).toMatchObject({
      items: [{ modifiers: [{ id: 'B', quantity: 1, amountPerModifier: -50n }] }, {}, {}, {}],
    });
  });

  test('is a bill that can be paid by card', () => {
    const bill = toBill(fullOrder, SESSION_DETAILS);
    const checked =
      'fault' in bill ? null : checkBill(bill, { sessionId: SESSION_DETAILS.sessionId, currencies: ['GBP'] });
    expect(checked?.outcome).toBe('sound');
  });

  test('uses the paid amount of the EPOS, not the sum of its payments', () => {
    expect(toBill({ ...fullOrder, paidAmount: gbp(700) }, SESSION_DETAILS)).toMatchObject({ paidAmount: 700n });
  });

  test.each([
    ['no total', { totalAmount: undefined }],
    [
      'an item in another currency',
      { items: [{ name: 'a', quantity: 1, plu: 'a', amountPerItem: { value: 1, currencyCode: 'EUR' } }] },
    ],
    ['a payment in another currency', { payments: [{ paidAmount: { value: 1, currencyCode: 'EUR' } }] }],
    ['a service charge in another currency', { serviceChargeAmount: { value: 1, currencyCode: 'EUR' } }],
  ])('with %s is none', (_, more) => {
    expect(toBill(buildOrder(more), SESSION_DETAILS)).toHaveProperty('fault');
  });
});

test('a table with an open order is taken, and one whose orders are closed is free', () => {
  const tables = [
    { id: 't-7', name: 'Bar - 7', maxCovers: 4 },
    { id: 't-8', name: 'Bar 8' },
  ];
  const orders = [
    buildOrder(),
    buildOrder({ status: 'Finalized', details: { orderType: 'DineIn', dineIn: { tableId: 't-8' } } }),
  ];
  expect(toTables(tables, orders)).toEqual([
    { name: 'Bar-7', maxCovers: 4, status: TableStatus.TABLE_STATUS_OCCUPIED },
    { name: 'Bar 8', maxCovers: 0, status: TableStatus.TABLE_STATUS_AVAILABLE },
  ]);
});

test('a printed bill says line by line what the EPOS said, by member and not by type', () => {
  const bill = toBill(buildOrder(), SESSION_DETAILS);
  if ('fault' in bill) throw new Error(bill.fault);
  const lines = [
    { lineType: 'Logo', logo: { svgImage: '<svg/>' } },
    { lineType: 'Text', taxNumber: { name: 'VAT', number: 'GB1' } },
    { lineType: 'Text', text: { value: 'Hi', size: 'Header1', align: 'Center', bold: true } },
    { lineType: 'HorizontalLine', horizontalLine: { line: 'Double' } },
    { lineType: 'URL', url: { url: 'https://a.example', showQR: true } },
    { lineType: 'Hologram' },
  ] as const;
  const printed = toFullBill({ header: { lines: [...lines] }, footer: { lines: [] } }, bill);
  expect(printed.header?.receiptLines.map(({ receiptLineType, line }) => [receiptLineType, line?.value])).toEqual([
    ['RECEIPT_LINE_TYPE_LOGO', { svgImage: '<svg/>' }],
    ['RECEIPT_LINE_TYPE_VAT_NUMBER', { vatNumber: 'GB1' }],
    ['RECEIPT_LINE_TYPE_TEXT', { value: 'Hi', size: 'SIZE_HEADER_1', align: 'ALIGN_CENTER', emphasisBold: true }],
    ['RECEIPT_LINE_TYPE_HORIZONTAL_LINE', { type: 'HORIZONTAL_LINE_DOUBLE' }],
    ['RECEIPT_LINE_TYPE_URL', { url: 'https://a.example', showQr: true }],
  ]);
});
