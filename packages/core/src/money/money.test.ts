import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Defect } from '../refusals/assert.js';
import {
  add,
  exceeds,
  money,
  shareEqually,
  minimum,
  allocate,
  subtract,
  sum,
  multiply,
  takeFraction,
  zeroMoney,
} from './money.js';
import { gbp } from '../testing/builders.js';

const amounts = fc.integer({ min: 0, max: 999_999_999_999 });

test.each([
  ['a fraction', () => money(12.5, 'GBP')],
  ['not a number', () => money(Number.NaN, 'GBP')],
  ['beyond what a number holds exactly', () => money(2 ** 53, 'GBP')],
  ['a sum beyond it', () => add(gbp(Number.MAX_SAFE_INTEGER), gbp(1))],
  ['a product beyond it', () => multiply(gbp(Number.MAX_SAFE_INTEGER), 2)],
  ['a currency in small letters', () => money(1, 'gbp')],
  ['no currency', () => money(1, '')],
  ['pounds and euros in one sum', () => add(gbp(1), money(1, 'EUR'))],
  ['pounds compared with euros', () => exceeds(gbp(1), money(1, 'EUR'))],
  ['half a portion', () => multiply(gbp(100), 0.5)],
  ['a bill shared by zero payers', () => shareEqually({ outstanding: gbp(100), partsLeft: 0 })],
  ['a bill shared by half a payer', () => shareEqually({ outstanding: gbp(100), partsLeft: 1.5 })],
  ['a bill of less than nothing', () => shareEqually({ outstanding: gbp(-1), partsLeft: 2 })],
  ['an amount spread over nothing', () => allocate(gbp(100), [])],
  ['an amount spread over weights of nothing', () => allocate(gbp(100), [0, 0])],
  ['a negative weight', () => allocate(gbp(100), [2, -1])],
  ['a part of nothing', () => takeFraction(gbp(100), { part: 0n, whole: 0n })],
  ['more than the whole', () => takeFraction(gbp(100), { part: 2n, whole: 1n })],
  ['a part below nothing', () => takeFraction(gbp(100), { part: -1n, whole: 2n })],
  ['a part of less than nothing', () => takeFraction(gbp(-100), { part: 1n, whole: 2n })],
])('%s is a defect of ours, never rounded away', (_, act) => {
  expect(act).toThrow(Defect);
});

test('zero equals zero, however it was computed', () => {
  expect(subtract(gbp(100), gbp(100))).toEqual(zeroMoney('GBP'));
  expect(Object.is(money(-0, 'GBP').value, 0)).toBe(true);
  expect(sum([], 'EUR')).toEqual(zeroMoney('EUR'));
  expect(minimum(gbp(3), gbp(2))).toEqual(gbp(2));
});

describe('equal parts', () => {
  test.each([
    // bill  payers  parts
    [10_000, 3, [3334, 3333, 3333]],
    [10_001, 3, [3334, 3334, 3333]],
    [2, 3, [1, 1, 0]],
    [1, 1, [1]],
    [0, 2, [0, 0]],
  ])('a bill of %d among %d is %j', (bill, payers, expected) => {
    expect(listParts(bill, payers)).toEqual(expected);
  });

  test('always add up to the bill and differ by a penny at most', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 60 }), (bill, payers) => {
        const parts = listParts(bill, payers);
        expect(parts.reduce((total, part) => total + part, 0)).toBe(bill);
        expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('spreading', () => {
  test.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [100, [2, 1], [67, 33]],
    [-100, [1, 1, 1], [-34, -33, -33]],
    [1, [0, 5], [0, 1]],
    [0, [1, 2], [0, 0]],
    [999_999_999_999, [999_999_999_999, 1], [999_999_999_998, 1]],
  ])('%d over %j is %j', (total, weights, expected) => {
    expect(allocate(gbp(total), weights).map(({ value }) => value)).toEqual(expected);
  });

  test('always adds up, and no part strays a whole penny from its exact share', () => {
    const weightLists = fc
      .array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 20 })
      .filter((weights) => weights.some((weight) => weight > 0));
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), weightLists, (total, weights) => {
        const parts = allocate(gbp(total), weights).map(({ value }) => value);
        expect(parts.reduce((reached, part) => reached + part, 0)).toBe(total === 0 ? 0 : total);
        const whole = weights.reduce((reached, weight) => reached + weight, 0);
        parts.forEach((part, index) => {
          expect(Math.abs(part - (total * (weights[index] ?? 0)) / whole)).toBeLessThan(1);
        });
      }),
    );
  });
});

describe('the first fraction of an amount', () => {
  test.each([
    [100, 1n, 3n, 33],
    [100, 2n, 3n, 67],
    [1, 1n, 2n, 1],
    [100, 0n, 7n, 0],
    [100, 7n, 7n, 100],
    [999_999_999_999, 10n ** 40n - 1n, 10n ** 40n, 999_999_999_999],
  ])('%d up to %d of %d is %d', (amount, part, whole, expected) => {
    expect(takeFraction(gbp(amount), { part, whole }).value).toBe(expected);
  });

  test('is never more than half a unit off, and never shrinks as the fraction grows', () => {
    const fractions = fc.tuple(fc.nat(), fc.nat(), fc.nat()).filter(([a, b, c]) => a + b + c > 0);
    fc.assert(
      fc.property(amounts, fractions, (amount, [first, second, third]) => {
        const whole = BigInt(first + second + third);
        const [early, late] = [first, first + second].map((part) =>
          takeFraction(gbp(amount), { part: BigInt(part), whole }),
        );
        expect(late?.value).toBeGreaterThanOrEqual(early?.value ?? Number.NaN);
        const error = BigInt(early?.value ?? Number.NaN) * whole - BigInt(amount) * BigInt(first);
        expect((error < 0n ? -error : error) * 2n <= whole).toBe(true);
      }),
    );
  });
});

function listParts(bill: number, payers: number): number[] {
  let outstanding = gbp(bill);
  return Array.from({ length: payers }, (_, payer) => {
    const part = shareEqually({ outstanding, partsLeft: payers - payer });
    outstanding = subtract(outstanding, part);
    return part.value;
  });
}
