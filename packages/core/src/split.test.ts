import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { outstanding, type Bill, type BillItem } from './bill.js';
import { add, money, sum, type Money } from './money.js';
import { Refusal } from './refusal.js';
import { EMPTY_PLAN, partAmount, PEOPLE_MAX, planAfter, type PartWish, type SplitPlan } from './split.js';

const pence = (value: number): Money => money(value, 'GBP');

function item(id: string, amount: number, quantity = 1): BillItem {
  const rest = { name: id, category: [], modifiers: [], lastOrderedAt: null };
  return { id, quantity, amountPerItem: pence(amount), ...rest };
}

function billOf(total: number, items: readonly BillItem[] = [], paid = 0): Bill {
  const rest = { sessionId: 'session-1', tax: pence(0), serviceCharge: null, note: null };
  return { total: pence(total), paid: pence(paid), items, ...rest };
}

const share = (itemId: string, numerator = 1, denominator = 1): PartWish => ({
  mode: 'ITEMS',
  shares: [{ itemId, numerator, denominator }],
});

/** Pays part after part as an EPOS would book them. */
function pay(bill: Bill, wishes: readonly PartWish[]): number[] {
  let plan: SplitPlan = EMPTY_PLAN;
  let paid = bill.paid;
  return wishes.map((wish) => {
    const amount = partAmount({ ...bill, paid }, plan, wish);
    plan = planAfter(plan, wish);
    paid = add(paid, amount);
    return amount.value;
  });
}

const equal = (people: number): PartWish => ({ mode: 'EQUAL', people });
const custom = (value: number): PartWish => ({ mode: 'CUSTOM', amount: pence(value) });

test.each<[string, number, PartWish[], number[]]>([
  ['all at once', 1_000, [{ mode: 'FULL' }], [1_000]],
  ['three people', 1_000, [equal(3), equal(3), equal(3)], [334, 333, 333]],
  ['one person', 1_000, [equal(1)], [1_000]],
  ['a custom part, then the rest', 1_000, [custom(1), { mode: 'FULL' }], [1, 999]],
  ['a custom part between equal ones', 1_000, [equal(3), custom(66), equal(3), equal(3)], [334, 66, 300, 300]],
  ['the waiter counts anew', 1_000, [equal(4), equal(3), equal(3), equal(3)], [250, 250, 250, 250]],
])('%s: a bill of %d is paid in the right parts', (_name, total, wishes, parts) => {
  expect(pay(billOf(total), wishes)).toEqual(parts);
});

// Soup 600, wine 2000, voucher -100, service 250 in a total of 2750: each line carries its share of both.
const dinner = billOf(2_750, [item('soup', 600), item('wine', 1_000, 2), item('voucher', -100)]);

test.each<[string, PartWish[], number[]]>([
  ['each takes a line', [share('soup'), share('wine')], [635, 2_115]],
  [
    'the wine in three',
    [share('wine', 1, 3), share('wine', 1, 3), share('wine', 1, 3), share('soup')],
    [705, 705, 705, 635],
  ],
  [
    'halves and quarters',
    [share('wine', 1, 2), share('wine', 1, 4), share('soup'), share('wine', 1, 4)],
    [1_058, 528, 635, 529],
  ],
  [
    'one takes all',
    [
      {
        mode: 'ITEMS',
        shares: [
          { itemId: 'soup', numerator: 1, denominator: 1 },
          { itemId: 'wine', numerator: 1, denominator: 1 },
        ],
      },
    ],
    [2_750],
  ],
  [
    'a custom part first, and the last line takes the rest',
    [custom(100), share('soup'), share('wine')],
    [100, 635, 2_015],
  ],
])('paying by the item, %s', (_name, wishes, parts) => {
  expect(pay(dinner, wishes)).toEqual(parts);
});

test.each<[string, string, Bill, PartWish]>([
  ['a paid bill', 'bill_paid', billOf(1_000, [], 1_000), { mode: 'FULL' }],
  ['a bill of nothing', 'bill_paid', billOf(0), { mode: 'FULL' }],
  ['a part of nothing', 'part_invalid', billOf(1_000), custom(0)],
  ['less than nothing', 'part_invalid', billOf(1_000), custom(-1)],
  ['a penny more than is outstanding', 'part_exceeds_outstanding', billOf(1_000, [], 400), custom(601)],
  ['another currency', 'part_invalid', billOf(1_000), { mode: 'CUSTOM', amount: money(1, 'EUR') }],
  ['nobody', 'part_invalid', billOf(1_000), equal(0)],
  ['half a person', 'part_invalid', billOf(1_000), equal(1.5)],
  ['a crowd', 'part_invalid', billOf(1_000), equal(PEOPLE_MAX + 1)],
  ['no items', 'part_invalid', dinner, { mode: 'ITEMS', shares: [] }],
  ['an item of another table', 'item_not_on_bill', dinner, share('steak')],
  ['a discount', 'item_not_on_bill', dinner, share('voucher')],
  ['more than the whole', 'part_invalid', dinner, share('soup', 2, 1)],
  ['a share of nothing', 'part_invalid', dinner, share('soup', 0, 1)],
  ['a share too fine', 'part_invalid', dinner, share('soup', 1, 33)],
  ['a broken share', 'part_invalid', dinner, share('soup', 0.5, 1)],
  ['a share of a paid part', 'part_exceeds_outstanding', { ...dinner, paid: pence(2_200) }, share('soup')],
])('%s is refused: %s', (_name, code, bill, wish) => {
  expect(refusedBy(() => partAmount(bill, EMPTY_PLAN, wish))).toBe(code);
});

test('a share that somebody has paid is not paid again', () => {
  const plan = planAfter(EMPTY_PLAN, share('wine', 2, 3));
  const bill = { ...dinner, paid: pence(1_410) };
  expect(partAmount(bill, plan, share('wine', 1, 3)).value).toBe(705);
  expect(refusedBy(() => partAmount(bill, plan, share('wine', 1, 2)))).toBe('item_share_taken');
});

test('whatever the bill and however it is split, the parts add up to it', () => {
  const items = fc.array(
    fc.record({ amount: fc.integer({ min: -500, max: 5_000 }), pieces: fc.integer({ min: 1, max: 32 }) }),
    {
      minLength: 1,
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 100_000 }), fc.infiniteStream(fc.nat()), (lines, total, dice) => {
      const bill = billOf(
        total,
        lines.map(({ amount }, index) => item(`${index}`, amount)),
      );
      const pieces = lines.flatMap(({ amount, pieces: count }, index) =>
        amount > 0 ? Array.from({ length: count }, () => share(`${index}`, 1, count)) : [],
      );
      fc.pre(pieces.length > 0);
      expect(total).toBe(payAll(bill, shuffled(pieces, dice)));
    }),
  );
});

test('an equal split adds up to the bill, no part is more than a penny above another', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 1_000_000 }), fc.integer({ min: 1, max: PEOPLE_MAX }), (total, people) => {
      const parts = pay(
        billOf(total),
        Array.from({ length: people }, () => equal(people)),
      );
      expect(sum(parts.map(pence), 'GBP').value).toBe(total);
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
    }),
  );
});

/** Pays each piece; a piece that comes to nothing is agreed on all the same, as a guest would. */
function payAll(bill: Bill, wishes: readonly PartWish[]): number {
  let plan: SplitPlan = EMPTY_PLAN;
  let paid = bill.paid;
  for (const wish of wishes) {
    const code = refusedBy(() => {
      paid = add(paid, partAmount({ ...bill, paid }, plan, wish));
    });
    if (code !== null) expect(['part_invalid', 'bill_paid']).toContain(code);
    plan = planAfter(plan, wish);
  }
  expect(outstanding({ ...bill, paid }).value).toBe(0);
  return paid.value;
}

function shuffled<T>(list: readonly T[], dice: Iterator<number>): T[] {
  return list
    .map((value) => ({ value, at: Number(dice.next().value) }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

function refusedBy(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (refused) {
    if (refused instanceof Refusal) return refused.code;
    throw refused;
  }
}
