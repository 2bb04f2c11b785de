import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { computeLinePrice, computeOutstanding, type Bill, type BillItem } from '../tables/bill.js';
import { add, isPositive, money, sum, type Money } from '../money/money.js';
import { Refusal } from '../refusals/refusal.js';
import {
  parsePartRequest,
  EMPTY_PLAN,
  findOverlappingItem,
  listPaidShares,
  computePartAmount,
  PEOPLE_MAX,
  computePlanAfterPart,
  type PartRequest,
  type SplitPlan,
} from './bill-split.js';

const pence = (value: number): Money => money(value, 'GBP');

function item(id: string, amount: number, quantity = 1): BillItem {
  const rest = { name: id, category: [], modifiers: [], lastOrderedAt: null };
  return { id, quantity, amountPerItem: pence(amount), ...rest };
}

function getBill(total: number, items: readonly BillItem[] = [], paid = 0): Bill {
  const rest = { sessionId: 'session-1', tax: pence(0), serviceCharge: null, note: null };
  return { total: pence(total), paid: pence(paid), items, ...rest };
}

const share = (itemId: string, numerator = 1, denominator = 1): PartRequest => ({
  mode: 'ITEMS',
  shares: [{ itemId, numerator, denominator }],
});

/** Pays part after part as an EPOS would book them. */
function pay(bill: Bill, requests: readonly PartRequest[]): number[] {
  let plan: SplitPlan = EMPTY_PLAN;
  let paid = bill.paid;
  return requests.map((request) => {
    const amount = computePartAmount({ ...bill, paid }, plan, request);
    plan = computePlanAfterPart(plan, request);
    paid = add(paid, amount);
    return amount.value;
  });
}

const equal = (people: number): PartRequest => ({ mode: 'EQUAL', people });
const custom = (value: number): PartRequest => ({ mode: 'CUSTOM', amount: pence(value) });

test.each<[string, number, PartRequest[], number[]]>([
  ['all at once', 1_000, [{ mode: 'FULL' }], [1_000]],
  ['three people', 1_000, [equal(3), equal(3), equal(3)], [334, 333, 333]],
  ['one person', 1_000, [equal(1)], [1_000]],
  ['a custom part, then the rest', 1_000, [custom(1), { mode: 'FULL' }], [1, 999]],
  ['a custom part between equal ones', 1_000, [equal(3), custom(66), equal(3), equal(3)], [334, 66, 300, 300]],
  ['the number of people changes', 1_000, [equal(4), equal(3), equal(3), equal(3)], [250, 250, 250, 250]],
])('%s: a bill of %d is paid in the right parts', (_name, total, requests, parts) => {
  expect(pay(getBill(total), requests)).toEqual(parts);
});

// Soup 600, wine 2000, voucher -100, service 250 in a total of 2750: each line carries its share of both.
const dinner = getBill(2_750, [item('soup', 600), item('wine', 1_000, 2), item('voucher', -100)]);

test.each<[string, PartRequest[], number[]]>([
  ['each takes a line', [share('soup'), share('wine')], [635, 2_115]],
  [
    'the wine in three',
    [share('wine', 1, 3), share('wine', 1, 3), share('wine', 1, 3), share('soup')],
    [705, 705, 705, 635],
  ],
  [
    'halves and quarters',
    [share('wine', 1, 2), share('wine', 1, 4), share('soup'), share('wine', 1, 4)],
    [1_058, 529, 634, 529],
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
])('paying by the item, %s', (_name, requests, parts) => {
  expect(pay(dinner, requests)).toEqual(parts);
});

test.each<[string, string, Bill, PartRequest]>([
  ['a paid bill', 'bill_paid', getBill(1_000, [], 1_000), { mode: 'FULL' }],
  ['a bill of nothing', 'bill_paid', getBill(0), { mode: 'FULL' }],
  ['a part of nothing', 'part_invalid', getBill(1_000), custom(0)],
  ['less than nothing', 'part_invalid', getBill(1_000), custom(-1)],
  ['a penny more than is outstanding', 'part_exceeds_outstanding', getBill(1_000, [], 400), custom(601)],
  ['another currency', 'part_invalid', getBill(1_000), { mode: 'CUSTOM', amount: money(1, 'EUR') }],
  ['zero people', 'part_invalid', getBill(1_000), equal(0)],
  ['half a person', 'part_invalid', getBill(1_000), equal(1.5)],
  ['a crowd', 'part_invalid', getBill(1_000), equal(PEOPLE_MAX + 1)],
  ['no items', 'part_invalid', dinner, { mode: 'ITEMS', shares: [] }],
  ['an item of another table', 'item_not_on_bill', dinner, share('steak')],
  ['a discount', 'item_not_on_bill', dinner, share('voucher')],
  ['more than the whole', 'part_invalid', dinner, share('soup', 2, 1)],
  ['a share of nothing', 'part_invalid', dinner, share('soup', 0, 1)],
  ['a share too fine', 'part_invalid', dinner, share('soup', 1, 33)],
  ['a broken share', 'part_invalid', dinner, share('soup', 0.5, 1)],
  ['a share of a paid part', 'part_exceeds_outstanding', { ...dinner, paid: pence(2_200) }, share('soup')],
])('%s is refused: %s', (_name, code, bill, request) => {
  expect(refusedBy(() => computePartAmount(bill, EMPTY_PLAN, request))).toBe(code);
});

test('a share that is paid is not paid again', () => {
  const plan = computePlanAfterPart(EMPTY_PLAN, share('wine', 2, 3));
  const bill = { ...dinner, paid: pence(1_410) };
  expect(computePartAmount(bill, plan, share('wine', 1, 3)).value).toBe(705);
  expect(refusedBy(() => computePartAmount(bill, plan, share('wine', 1, 2)))).toBe('item_share_taken');
});

test('a payment for two beers does not pay three beers in full', () => {
  const [two, three] = [2, 3].map((beers) => getBill(beers * 400, [item('beer', 400, beers)]));
  const request = parsePartRequest(two!, share('beer'));
  const plan = computePlanAfterPart(EMPTY_PLAN, request);
  const grown = { ...three!, paid: pence(800) };
  expect(listPaidShares(grown, plan)).toEqual([{ itemId: 'beer', numerator: 2, denominator: 3 }]);
  expect(refusedBy(() => computePartAmount(grown, plan, share('beer', 1, 2)))).toBe('item_share_taken');
  expect(computePartAmount(grown, plan, share('beer', 1, 3)).value).toBe(400);
});

test('a line that was made cheaper counts as paid, and no more than that', () => {
  const plan = computePlanAfterPart(EMPTY_PLAN, parsePartRequest(getBill(1_000, [item('wine', 1_000)]), share('wine')));
  const cheaper = getBill(1_100, [item('wine', 600), item('soup', 500)], 1_000);
  expect(listPaidShares(cheaper, plan)).toEqual([{ itemId: 'wine', numerator: 1, denominator: 1 }]);
  expect(computePartAmount(cheaper, plan, share('soup')).value).toBe(100);
});

test('a line that is gone from the bill is not charged to other shares', () => {
  const plan = computePlanAfterPart(EMPTY_PLAN, parsePartRequest(dinner, share('soup')));
  const without = getBill(2_000, [item('wine', 1_000, 2)]);
  expect([listPaidShares(without, plan), computePartAmount(without, plan, share('wine', 1, 2)).value]).toEqual([
    [],
    1_000,
  ]);
});

test('an item that costs nothing can be added to a part that costs something', () => {
  const bill = getBill(500, [item('bread', 0), item('soup', 500)]);
  const both: PartRequest = {
    mode: 'ITEMS',
    shares: ['bread', 'soup'].map((itemId) => ({ itemId, numerator: 1, denominator: 1 })),
  };
  expect(computePartAmount(bill, EMPTY_PLAN, both).value).toBe(500);
  expect(refusedBy(() => computePartAmount(bill, EMPTY_PLAN, share('bread')))).toBe('part_invalid');
});

test.each<[PartRequest, PartRequest, string | null]>([
  [share('wine'), share('wine', 1, 2), 'items[0]'],
  [share('wine'), share('soup'), null],
  [share('wine'), { mode: 'FULL' }, null],
  [{ mode: 'FULL' }, share('wine'), null],
])('%j meets %j at %p', (first, second, member) => {
  expect(findOverlappingItem(first, second)).toBe(member);
});

test('a refusal names the share', () => {
  const request: PartRequest = {
    mode: 'ITEMS',
    shares: [
      { itemId: 'soup', numerator: 1, denominator: 1 },
      { itemId: 'steak', numerator: 1, denominator: 1 },
    ],
  };
  expect(() => computePartAmount(dinner, EMPTY_PLAN, request)).toThrow(
    expect.objectContaining({ members: { 'items[1].item_id': ['steak is not on the bill'] } }),
  );
});

test('a plan stores each dish once at each price, even if all payers share all dishes', () => {
  const menu = Array.from({ length: 40 }, (_, dish) => item(String(dish), 3_200));
  let plan: SplitPlan = EMPTY_PLAN;
  for (let payer = 0; payer < 32; payer += 1) {
    const bill = getBill(40 * 3_200, menu, payer * 4_000);
    const request = parsePartRequest(bill, {
      mode: 'ITEMS',
      shares: menu.map(({ id }) => ({ itemId: id, numerator: 1, denominator: 32 })),
    });
    expect(computePartAmount(bill, plan, request)).toEqual(pence(4_000));
    plan = computePlanAfterPart(plan, request);
  }
  expect(plan.shares).toHaveLength(40);
  expect(plan.shares[0]).toEqual({ itemId: '0', numerator: 1, denominator: 1, linePrice: 3_200 });
  const dearer = computePlanAfterPart(plan, {
    mode: 'ITEMS',
    shares: [{ itemId: '0', numerator: 1, denominator: 3, linePrice: 9 }],
  });
  expect(dearer.shares.filter(({ itemId }) => itemId === '0')).toHaveLength(2);
});

test('in any split by items each payer pays at most a penny more or less than the fair share', () => {
  const payers = fc.integer({ min: 1, max: 8 });
  const lines = fc.array(fc.record({ amount: fc.integer({ min: -500, max: 5_000 }), among: payers }), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 100_000 }), (had, total) => {
      const bill = getBill(
        total,
        had.map(({ amount }, index) => item(`${index}`, amount)),
      );
      const sold = bill.items.filter((each) => isPositive(computeLinePrice(each)));
      fc.pre(sold.length > 0);
      const all = sold.reduce((price, each) => price + computeLinePrice(each).value, 0);
      let [plan, paid] = [EMPTY_PLAN, bill.paid];
      for (let payer = 0; payer < 8; payer += 1) {
        const mine = sold.filter((each) => payer < (had[Number(each.id)]?.among ?? 0));
        if (mine.length === 0) continue;
        const shares = mine.map(({ id }) => ({ itemId: id, numerator: 1, denominator: had[Number(id)]?.among ?? 1 }));
        const fair = mine.reduce(
          (sum, each) => sum + computeLinePrice(each).value / (had[Number(each.id)]?.among ?? 1),
          0,
        );
        const request: PartRequest = { mode: 'ITEMS', shares };
        const code = refusedBy(() => {
          const part = computePartAmount({ ...bill, paid }, plan, request);
          expect(Math.abs(part.value - (total * fair) / all)).toBeLessThanOrEqual(1 + 1e-6);
          paid = add(paid, part);
        });
        if (code !== null) expect((total * fair) / all).toBeLessThanOrEqual(1 + 1e-6);
        plan = computePlanAfterPart(plan, parsePartRequest(bill, request));
      }
      expect(paid.value).toBe(total);
    }),
  );
});

test('the parts add up to the bill for any bill and any split', () => {
  const items = fc.array(
    fc.record({ amount: fc.integer({ min: -500, max: 5_000 }), pieces: fc.integer({ min: 1, max: 32 }) }),
    {
      minLength: 1,
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 100_000 }), fc.infiniteStream(fc.nat()), (lines, total, dice) => {
      const bill = getBill(
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
        getBill(total),
        Array.from({ length: people }, () => equal(people)),
      );
      expect(sum(parts.map(pence), 'GBP').value).toBe(total);
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
    }),
  );
});

/** Pays each piece; a piece whose amount is zero is agreed on as well, as a payer would do. */
function payAll(bill: Bill, requests: readonly PartRequest[]): number {
  let plan: SplitPlan = EMPTY_PLAN;
  let paid = bill.paid;
  for (const request of requests) {
    const code = refusedBy(() => {
      paid = add(paid, computePartAmount({ ...bill, paid }, plan, request));
    });
    if (code !== null) expect(['part_invalid', 'bill_paid']).toContain(code);
    plan = computePlanAfterPart(plan, request);
  }
  expect(computeOutstanding({ ...bill, paid }).value).toBe(0);
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
