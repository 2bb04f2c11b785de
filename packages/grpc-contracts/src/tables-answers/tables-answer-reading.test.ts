import { describe, expect, test } from '@jest/globals';
import { JsonEdgeError } from '../json-edge.js';
import { readTablesAnswerLeniently } from './tables-answer-reading.js';
import { type TablesAnswer, type TablesCallName, toTablesResult } from '../tables-methods.js';
import { BILL, FULL_BILL, SESSION, withFooter } from '../testing-tables.js';

// Answers of EPOSes that others wrote. Each odd element stands between two good ones, which must be read in any case.

const NOW = new Date('2026-03-02T00:00:00.000Z');
const OPTIONS = {
  now: NOW,
  sessionId: '',
  parseLocalTime: (text: string) => {
    const moment = new Date(/[Zz]|[+-]\d\d:\d\d$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);
    return Number.isNaN(moment.getTime()) ? null : moment;
  },
};
const TABLE = { name: '12', maxCovers: 4, status: 'TABLE_STATUS_OCCUPIED' };
const GOOD = {
  listSessions: { member: 'sessions', good: SESSION, name: 'id' },
  listTables: { member: 'tables', good: TABLE, name: 'name' },
  listBillItems: { member: 'billItems', good: BILL, name: 'sessionId' },
} as const;

/** Reads a list in which the element stands between two good ones. The answer must be writable, too. */
function readBetween(call: keyof typeof GOOD, odd: unknown) {
  const { member, good, name } = GOOD[call];
  const list = [{ ...good, [name]: 'first' }, odd, { ...good, [name]: 'last' }];
  const { answer, unreadable } = readTablesAnswerLeniently(
    call,
    JSON.parse(JSON.stringify({ [member]: list })) as Record<string, unknown>,
    OPTIONS,
  );
  const result = toTablesResult(answer);
  const elements = result[member] as readonly Record<string, unknown>[];
  expect([elements[0]?.[name], elements.at(-1)?.[name]]).toEqual(['first', 'last']);
  return { element: elements.length === 3 ? elements[1] : undefined, count: result['unreadableCount'], unreadable };
}

const withItem = (item: object) => ({ ...BILL, items: [{ ...BILL.items[0], modifiers: [], ...item }] });
const withModifier = (modifier: object) =>
  withItem({ modifiers: [{ id: 'm', name: 'peas', amountPerModifier: 50, quantity: 1, ...modifier }] });

describe('the element is used, and every member that is unambiguous is taken', () => {
  test.each<[string, keyof typeof GOOD, object, object]>([
    [
      'a session without a creation time',
      'listSessions',
      { ...SESSION, createdAt: undefined },
      { createdAt: NOW.toISOString() },
    ],
    [
      'a session with an empty creation time',
      'listSessions',
      { ...SESSION, createdAt: '' },
      { createdAt: NOW.toISOString() },
    ],
    [
      'a session with a local time',
      'listSessions',
      { ...SESSION, createdAt: '2026-03-01T19:05:00' },
      { createdAt: SESSION.createdAt },
    ],
    ['a session with an empty end', 'listSessions', { ...SESSION, finishedAt: '' }, { isPayable: true }],
    ['a session whose id is a number', 'listSessions', { ...SESSION, id: 17 }, { id: '17' }],
    ['a session whose name is a number', 'listSessions', { ...SESSION, name: 7 }, { name: '7' }],
    ['a session without a name', 'listSessions', { ...SESSION, name: undefined }, { name: SESSION.id }],
    ['a session whose table is a number', 'listSessions', { ...SESSION, tableName: 12 }, { tableName: '12' }],
    [
      'a session that does not say whether it is payable',
      'listSessions',
      { ...SESSION, isPayable: undefined },
      { isPayable: true },
    ],
    ['a session that is payable as text', 'listSessions', { ...SESSION, isPayable: 'true' }, { isPayable: true }],
    ['a session that is payable as a number', 'listSessions', { ...SESSION, isPayable: 0 }, { isPayable: false }],
    ['a session with covers as text', 'listSessions', { ...SESSION, numberOfCovers: '2' }, { numberOfCovers: 2 }],
    ['a session with a waiter as text', 'listSessions', { ...SESSION, waiter: { id: '042' } }, { waiter: { id: 42 } }],
    ['a session with the number of its waiter', 'listSessions', { ...SESSION, waiter: 42 }, { waiter: { id: 42 } }],
    ['a session without a waiter', 'listSessions', { ...SESSION, waiter: null }, { name: 'Smith' }],
    [
      'a session in capitals',
      'listSessions',
      Object.fromEntries(Object.entries(SESSION).map(([name, value]) => [name.toUpperCase(), value])),
      { id: SESSION.id },
    ],
    ['a table without covers', 'listTables', { ...TABLE, maxCovers: undefined }, { maxCovers: 0 }],
    ['a table with covers null', 'listTables', { ...TABLE, maxCovers: null }, { maxCovers: 0 }],
    ['a table with covers as text', 'listTables', { ...TABLE, maxCovers: '4' }, { maxCovers: 4 }],
    ['a table with fewer than no covers', 'listTables', { ...TABLE, maxCovers: -1 }, { maxCovers: -1 }],
    ['a table whose name is a number', 'listTables', { ...TABLE, name: 12 }, { name: '12' }],
    ['a table without a status', 'listTables', { ...TABLE, status: undefined }, { name: '12' }],
    ['a table with another status', 'listTables', { ...TABLE, status: 'TABLE_STATUS_ON_FIRE' }, { name: '12' }],
    [
      'a table with the bare status',
      'listTables',
      { ...TABLE, status: 'Pending available' },
      { status: 'TABLE_STATUS_PENDING_AVAILABLE' },
    ],
    [
      'a bill with amounts as text',
      'listBillItems',
      { ...BILL, totalAmount: '2500', paidAmount: '0' },
      { totalAmount: 2_500 },
    ],
    ['a bill of which nothing is paid, in pounds', 'listBillItems', { ...BILL, paidAmount: '0.00' }, { paidAmount: 0 }],
    ['a bill without a tax', 'listBillItems', { ...BILL, taxAmount: undefined }, { taxAmount: 0 }],
    ['a bill without items', 'listBillItems', { ...BILL, items: undefined }, { items: [] }],
    ['a bill in small letters', 'listBillItems', { ...BILL, currency: 'gbp' }, { currency: 'GBP' }],
    ['a bill that is overpaid', 'listBillItems', { ...BILL, paidAmount: 9_000 }, { paidAmount: 9_000 }],
    [
      'a weighed item',
      'listBillItems',
      withItem({ quantity: 0.575, amountPerItem: 1_290 }),
      { items: [{ quantity: 1, amountPerItem: 742, quantityThousandths: 575 }] },
    ],
    [
      'half a portion as text',
      'listBillItems',
      withItem({ quantity: '0.5', amountPerItem: 1_000 }),
      { items: [{ quantity: 1, amountPerItem: 500 }] },
    ],
    [
      'a line that the till rounds',
      'listBillItems',
      withItem({ quantity: 0.575, amountPerItem: 1_290, amountTotal: 741 }),
      { items: [{ amountPerItem: 741 }] },
    ],
    ['a void line', 'listBillItems', withItem({ quantity: -1 }), { items: [{ quantity: -1, amountPerItem: 3_000 }] }],
    ['an item without a quantity', 'listBillItems', withItem({ quantity: null }), { items: [{ quantity: 1 }] }],
    ['an item without an id', 'listBillItems', withItem({ id: undefined }), { items: [{ id: 'line-1' }] }],
    ['an item without a name', 'listBillItems', withItem({ name: '' }), { items: [{ name: '1' }] }],
    ['an item without a category', 'listBillItems', withItem({ category: undefined }), { items: [{ category: [] }] }],
    ['an item with one category', 'listBillItems', withItem({ category: 'Food' }), { items: [{ category: ['Food'] }] }],
    [
      'an item without a time',
      'listBillItems',
      withItem({ lastOrderedAt: undefined }),
      { items: [{ lastOrderedAt: NOW.toISOString() }] },
    ],
    ['a price as text', 'listBillItems', withItem({ amountPerItem: '3000' }), { items: [{ amountPerItem: 3_000 }] }],
    [
      'a modifier without a price',
      'listBillItems',
      withModifier({ amountPerModifier: undefined }),
      { items: [{ modifiers: [{ amountPerModifier: 0 }] }] },
    ],
    [
      'half a modifier',
      'listBillItems',
      withModifier({ quantity: 0.5 }),
      { items: [{ modifiers: [{ quantity: 1, amountPerModifier: 25 }] }] },
    ],
  ])('%s', (_, call, odd, read) => {
    const { element, unreadable, count } = readBetween(call, odd);
    expect(element).toMatchObject(read);
    expect([unreadable, count]).toEqual([[], undefined]);
  });
});

describe('the element is used, and the member that cannot be read is left out and named', () => {
  test.each<[string, keyof typeof GOOD, object, string]>([
    ['a creation time in words', 'listSessions', { ...SESSION, createdAt: 'noon' }, 'createdAt'],
    ['a creation time in seconds', 'listSessions', { ...SESSION, createdAt: 1_772_391_900 }, 'createdAt'],
    ['covers and a half', 'listSessions', { ...SESSION, numberOfCovers: 1.5 }, 'numberOfCovers'],
    ['a waiter by name', 'listSessions', { ...SESSION, waiter: { id: 'Ann' } }, 'waiter.id'],
    ['a name that is a list', 'listSessions', { ...SESSION, name: ['Smith'] }, 'name'],
    ['payable in words', 'listSessions', { ...SESSION, isPayable: 'perhaps' }, 'isPayable'],
    ['two names', 'listSessions', { ...SESSION, Name: 'Smythe' }, 'name'],
    ['covers in words', 'listTables', { ...TABLE, maxCovers: 'four' }, 'maxCovers'],
    ['a tax in pounds', 'listBillItems', { ...BILL, taxAmount: 4.17 }, 'taxAmount'],
    ['a service charge in percent', 'listBillItems', { ...BILL, serviceCharge: '10%' }, 'serviceCharge'],
    ['items that are no list', 'listBillItems', { ...BILL, items: {} }, 'items'],
    ['an item that is no object', 'listBillItems', { ...BILL, items: ['Soup'] }, 'items[0]'],
    ['a price in pounds', 'listBillItems', withItem({ amountPerItem: '30.00' }), 'items[0].amountPerItem'],
    ['a quantity with a decimal comma', 'listBillItems', withItem({ quantity: '0,5' }), 'items[0].quantity'],
    [
      'a modifier with a price in pounds',
      'listBillItems',
      withModifier({ amountPerModifier: 0.5 }),
      'items[0].modifiers[0].amountPerModifier',
    ],
    ['a note that is an object', 'listBillItems', { ...BILL, note: {} }, 'note'],
  ])('%s', (_, call, odd, member) => {
    const { element, unreadable, count } = readBetween(call, odd);
    expect(element).toBeDefined();
    expect(unreadable).toEqual([
      { element: expect.any(String), member, problem: expect.any(String), isSkipped: false },
    ]);
    expect(count).toBeUndefined();
  });
});

describe('an element that cannot be used is left out, counted and named', () => {
  test.each<[string, keyof typeof GOOD, unknown, string]>([
    ['a session without an id', 'listSessions', { ...SESSION, id: undefined }, 'id'],
    ['a session with an empty id', 'listSessions', { ...SESSION, id: '' }, 'id'],
    // Another session may have the id that is left of it.
    ['a session whose id is a number without its last digits', 'listSessions', { ...SESSION, id: 2 ** 60 }, 'id'],
    ['a session with two ids', 'listSessions', { ...SESSION, Id: 'other' }, 'id'],
    ['a text for a session', 'listSessions', 'Smith', ''],
    ['null for a session', 'listSessions', null, ''],
    ['a table without a name', 'listTables', { ...TABLE, name: undefined }, 'name'],
    ['a bill without a session', 'listBillItems', { ...BILL, sessionId: undefined }, 'sessionId'],
    ['a bill without a total', 'listBillItems', { ...BILL, totalAmount: undefined }, 'totalAmount'],
    ['a bill with a total in pounds', 'listBillItems', { ...BILL, totalAmount: '25.00' }, 'totalAmount'],
    ['a bill with a broken total', 'listBillItems', { ...BILL, totalAmount: 0.1 }, 'totalAmount'],
    ['a bill that does not say what is paid', 'listBillItems', { ...BILL, paidAmount: null }, 'paidAmount'],
    ['a bill without a currency', 'listBillItems', { ...BILL, currency: '' }, 'currency'],
  ])('%s', (_, call, odd, member) => {
    const { element, unreadable, count } = readBetween(call, odd);
    expect(element).toBeUndefined();
    expect(unreadable).toEqual([{ element: expect.any(String), member, problem: expect.any(String), isSkipped: true }]);
    expect(count).toBe(1);
  });
});

describe('one thing', () => {
  test.each<TablesCallName>(['getBillItems', 'lockSession'])(
    'a bill of %s without a session is that of the call',
    (call) => {
      const { answer } = readTablesAnswerLeniently(
        call,
        { billItems: { ...BILL, sessionId: undefined } },
        { ...OPTIONS, sessionId: 's-1' },
      );
      expect(toTablesResult(answer)).toMatchObject({ billItems: { sessionId: 's-1' } });
    },
  );

  test('a printed bill is printed without the line that cannot be read', () => {
    const odd = { ...FULL_BILL, ...(withFooter({ receiptLineType: 'RECEIPT_LINE_TYPE_TEXT' }) as object) };
    const { answer, unreadable } = readTablesAnswerLeniently('getFullBill', { fullBill: odd }, OPTIONS);
    expect(toTablesResult(answer)).toMatchObject({ fullBill: { footer: { receiptLines: [] } } });
    expect(unreadable).toMatchObject([{ member: 'footer.receiptLines[0]', isSkipped: false }]);
  });

  test.each<[string, TablesCallName, object]>([
    ['a session without an id', 'getSession', { session: { name: 'Smith' } }],
    ['a bill with a total in pounds', 'lockSession', { billItems: { ...BILL, totalAmount: '25.00' } }],
    ['no bill', 'getBillItems', {}],
    ['sessions that are no list', 'listSessions', { sessions: {} }],
  ])('%s is refused', (_, call, result) => {
    expect(() => readTablesAnswerLeniently(call, result as never, OPTIONS)).toThrow(JsonEdgeError);
  });

  test.each<[TablesCallName, unknown]>([
    ['unlockSession', { unlocked: 'yes' }],
    ['recordPayment', { payment: [] }],
  ])('the answer to %s needs no content', (call, result) => {
    expect(readTablesAnswerLeniently(call, result as never, OPTIONS).unreadable).toEqual([]);
  });
});

test('what keeps the contract is read as the strict reader reads it', () => {
  const answers: TablesAnswer[] = (
    [
      ['listSessions', { sessions: [SESSION] }],
      ['listTables', { tables: [TABLE] }],
      ['listBillItems', { billItems: [BILL] }],
      ['getFullBill', { fullBill: FULL_BILL }],
    ] as const
  ).map(([call, result]) => readTablesAnswerLeniently(call, result, OPTIONS).answer);
  expect(answers.map((answer) => toTablesResult(answer))).toEqual([
    { sessions: [SESSION] },
    { tables: [TABLE] },
    { billItems: [BILL] },
    { fullBill: FULL_BILL },
  ]);
});
