import { expect, test } from '@jest/globals';
import {
  BILL_ITEMS_MAX,
  BILL_MODIFIERS_MAX,
  BILL_QUANTITY_MAX,
  BILL_TEXT_MAX,
  checkBill,
  computeLinePrice,
  computeOutstanding,
  type BillViolationKind,
  type UncheckedBill,
  type UncheckedBillItem,
  type UncheckedBillModifier,
} from './bill.js';
import { AMOUNT_MAX, money } from '../money/money.js';

const EXPECTED = { sessionId: 'session-1', currencies: ['GBP', 'EUR'] };

const shot: UncheckedBillModifier = { id: 'm1', name: 'Extra shot', quantity: 2, amountPerModifier: 50n };
const coffee: UncheckedBillItem = {
  ...{ id: '1', name: 'Coffee', category: ['Drinks'], quantity: 2, amountPerItem: 300n },
  ...{ modifiers: [shot], lastOrderedAt: new Date('2026-03-01T12:00:00Z') },
};
const voucher: UncheckedBillItem = {
  ...coffee,
  id: '2',
  name: 'Voucher',
  quantity: 1,
  amountPerItem: -100n,
  modifiers: [],
};
const sound: UncheckedBill = {
  ...{ sessionId: 'session-1', currency: 'GBP', totalAmount: 770n, paidAmount: 200n, taxAmount: 128n },
  ...{ serviceCharge: 70n, items: [coffee, voucher] },
};

test('a valid bill is read exactly', () => {
  const checked = checkBill(sound, EXPECTED);
  if (checked.outcome !== 'sound') throw new Error(checked.fault);
  expect(checked.bill).toMatchObject({ total: money(770, 'GBP'), serviceCharge: money(70, 'GBP'), note: null });
  expect(computeOutstanding(checked.bill)).toEqual(money(570, 'GBP'));
  expect(checked.bill.items.map((item) => computeLinePrice(item).value)).toEqual([800, -100]);
});

test.each<[string, Partial<UncheckedBill>]>([
  ['without items', { items: [] }],
  ['without service charge', { serviceCharge: null }],
  ['of nothing', { totalAmount: 0, paidAmount: 0, taxAmount: 0, serviceCharge: 0, items: [] }],
  ['fully paid', { paidAmount: 770 }],
  ['of the largest amount', { totalAmount: AMOUNT_MAX }],
  ['in the other currency of the account', { currency: 'EUR' }],
])('a bill %s is sound', (_name, change) => {
  expect(checkBill({ ...sound, ...change }, EXPECTED).outcome).toBe('sound');
});

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const withCoffee = (change: Partial<UncheckedBillItem>): Partial<UncheckedBill> => ({
  items: [{ ...coffee, ...change }],
});
const withShot = (change: Partial<UncheckedBillModifier>): Partial<UncheckedBill> =>
  withCoffee({ modifiers: [{ ...shot, ...change }] });

test.each<[BillViolationKind, Partial<UncheckedBill>]>([
  ['other_session', { sessionId: 'session-2' }],
  ['currency_malformed', { currency: 'gbp' }],
  ['currency_malformed', { currency: '' }],
  ['currency_not_enabled', { currency: 'USD' }],
  ['amount_not_exact', { totalAmount: 770.5 }],
  ['amount_not_exact', { totalAmount: Number.NaN }],
  ['amount_not_exact', { totalAmount: 2 ** 53 }],
  ['amount_not_exact', { totalAmount: 2n ** 53n }],
  ['amount_not_exact', { paidAmount: -(2n ** 60n) }],
  ['amount_negative', { totalAmount: -1n }],
  ['amount_negative', { paidAmount: -1 }],
  ['amount_too_large', { totalAmount: AMOUNT_MAX + 1 }],
])('a bill of an EPOS that sends %s is not used', (fault, change) => {
  expect(checkBill({ ...sound, ...change }, EXPECTED)).toMatchObject({ outcome: 'unsound', fault });
});

const tooLong = 'x'.repeat(BILL_TEXT_MAX + 1);
const cut = 'x'.repeat(BILL_TEXT_MAX);
test.each<[BillViolationKind, Partial<UncheckedBill>, object]>([
  ['paid_exceeds_total', { paidAmount: 771n }, { paid: money(771, 'GBP') }],
  ['amount_not_exact', { taxAmount: Number.POSITIVE_INFINITY }, { tax: money(0, 'GBP') }],
  ['amount_not_exact', { serviceCharge: 0.1 }, { serviceCharge: null }],
  ['amount_negative', { taxAmount: -1 }, { tax: money(0, 'GBP') }],
  ['amount_negative', { serviceCharge: -1 }, { serviceCharge: null }],
  ['tax_exceeds_total', { taxAmount: 771 }, { tax: money(771, 'GBP') }],
  ['service_charge_exceeds_total', { serviceCharge: 771 }, { serviceCharge: money(771, 'GBP') }],
  ['text_too_long', { note: tooLong }, { note: cut }],
  ['item_id_repeated', { items: [coffee, coffee] }, { items: [{ id: '1' }, { id: '1#2' }] }],
  ['item_id_missing', withCoffee({ id: '' }), { items: [{ id: 'line-1' }] }],
  ['text_too_long', withCoffee({ name: tooLong }), { items: [{ name: cut }] }],
  ['text_too_long', withCoffee({ category: many(BILL_MODIFIERS_MAX + 1, () => 'Drinks') }), { items: [{ id: '1' }] }],
  ['quantity_invalid', withCoffee({ quantity: 1.5 }), { items: [] }],
  ['quantity_invalid', withCoffee({ quantity: BILL_QUANTITY_MAX + 1 }), { items: [] }],
  ['amount_not_exact', withCoffee({ amountPerItem: 2n ** 63n - 1n }), { items: [] }],
  ['amount_too_large', withCoffee({ amountPerItem: AMOUNT_MAX, quantity: 2 }), { items: [] }],
  ['amount_too_large', withCoffee({ amountPerItem: -AMOUNT_MAX, quantity: 2 }), { items: [] }],
  ['too_many_modifiers', withCoffee({ modifiers: many(BILL_MODIFIERS_MAX + 1, () => shot) }), { items: [] }],
  ['quantity_invalid', withShot({ quantity: Number.NaN }), { items: [] }],
  ['amount_not_exact', withShot({ amountPerModifier: 0.5 }), { items: [] }],
  ['amount_too_large', withShot({ amountPerModifier: Number.MAX_SAFE_INTEGER, quantity: 2 }), { items: [] }],
  ['text_too_long', withShot({ name: tooLong }), { items: [{ modifiers: [{ name: cut }] }] }],
])('%s does not keep a bill from being paid, and is named', (fault, change, read) => {
  const checked = checkBill({ ...sound, ...change }, EXPECTED);
  expect(checked).toMatchObject({ outcome: 'sound', bill: read, deviations: [{ fault }] });
  if (checked.outcome === 'sound') expect(checked.bill.total).toEqual(money(770, 'GBP'));
});

test('a bill of too many items is paid without the last ones', () => {
  const items = many(BILL_ITEMS_MAX + 1, (index) => ({ ...coffee, id: `${index}` }));
  const checked = checkBill({ ...sound, items }, EXPECTED);
  expect(checked).toMatchObject({ outcome: 'sound', deviations: [{ fault: 'too_many_items' }] });
  expect(checked.outcome === 'sound' && checked.bill.items).toHaveLength(BILL_ITEMS_MAX);
});

test('nothing is owed on an overpaid bill, and a void line lowers the sum of the lines', () => {
  const items = [coffee, { ...coffee, id: '3', quantity: -1 }];
  const checked = checkBill({ ...sound, paidAmount: 2_000, items }, EXPECTED);
  if (checked.outcome !== 'sound') throw new Error(checked.fault);
  expect(computeOutstanding(checked.bill)).toEqual(money(0, 'GBP'));
  expect(checked.bill.items.map((item) => computeLinePrice(item).value)).toEqual([800, -400]);
});

test('a bill that changes its currency half way is not used', () => {
  const checked = checkBill({ ...sound, currency: 'EUR' }, { ...EXPECTED, currencyCode: 'GBP' });
  expect(checked).toMatchObject({ outcome: 'unsound', fault: 'currency_changed' });
});
