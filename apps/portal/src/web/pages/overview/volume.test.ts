import { expect, test } from '@jest/globals';
import { sumByCurrency } from './volume.js';

const day = (value: number, currencyCode = 'GBP') => ({
  day: '2026-03-01',
  amount: { value, currencyCode },
  payments: 1,
});

test.each([
  [[], []],
  [[day(100), day(250)], ['350 GBP of 2']],
  [
    [day(100), day(40, 'EUR'), day(1)],
    ['101 GBP of 2', '40 EUR of 1'],
  ],
])('the days %j sum to %j', (days, sums) => {
  const found = sumByCurrency(days).map(
    ({ amount, payments }) => `${amount.value} ${amount.currencyCode} of ${payments}`,
  );
  expect(found).toEqual(sums);
});
