import { expect, test } from '@jest/globals';
import { formatAmount, formatDecimal } from './money-text.js';

test.each([
  [1250, 'GBP', '12.50'],
  [-5, 'EUR', '-0.05'],
  [1250, 'JPY', '1250'],
  [125_000, 'HUF', '1250.00'],
  [1250, 'KWD', '1.250'],
  [1250, 'UYW', '0.1250'],
  [1250, 'constructor', '12.50'],
])('%d minor units of %s are %s', (value, currencyCode, text) => {
  expect(formatDecimal({ value, currencyCode })).toBe(text);
});

test.each([
  ['en-GB', 1250, 'GBP', '£12.50'],
  ['hu', 125_000, 'HUF', '1250,00 Ft'],
  ['de-DE', 125_000, 'RSD', '1.250,00 RSD'],
  ['en-GB', 999_999_999_999, 'GBP', '£9,999,999,999.99'],
])('for %s, %d minor units of %s are %s', (locale, value, currencyCode, text) => {
  expect(formatAmount({ value, currencyCode }, locale).replaceAll('\u00a0', ' ')).toBe(text);
});
