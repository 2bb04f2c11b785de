import { expect, test } from '@jest/globals';
import { formatMoney, parseAmount } from './format-money.js';

test.each([
  ['en', 1250, 'GBP', '£12.50'],
  ['de', 1250, 'EUR', '12,50 €'],
  ['en', -5, 'GBP', '-£0.05'],
  ['en', 0, 'GBP', '£0.00'],
  ['en', 1250, 'JPY', '¥1,250'],
  ['en', 125_000, 'HUF', 'HUF 1,250.00'],
  ['de', 125_000, 'IDR', '1.250,00 IDR'],
  ['en', 999_999_999_999, 'GBP', '£9,999,999,999.99'],
])('in %s, %d minor units of %s3 are written %s', (language, value, currencyCode, text) => {
  expect(formatMoney({ value, currencyCode }, language).replaceAll('\u00a0', ' ')).toBe(text);
});

test.each([
  ['12', 'GBP', 1200],
  ['12.5', 'GBP', 1250],
  ['12,50', 'EUR', 1250],
  [' 0.05 ', 'GBP', 5],
  ['1250', 'JPY', 1250],
  ['1250', 'HUF', 125_000],
  ['1250', 'RSD', 125_000],
  ['1,000.00', 'GBP', 100_000],
])('the text "%s" in %s is %d minor units', (text, currencyCode, value) => {
  expect(parseAmount(text, currencyCode, 'en')).toBe(value);
});

test.each([
  ['', 'GBP'],
  ['12.505', 'GBP'],
  ['12.5', 'JPY'],
  ['-1', 'GBP'],
  ['1e3', 'GBP'],
  ['1.000', 'HUF'],
  ['1,00,000', 'GBP'],
  ['twelve', 'GBP'],
  ['£12', 'GBP'],
  ['1234567890123', 'GBP'],
])('the text "%s" in %s is no amount', (text, currencyCode) => {
  expect(parseAmount(text, currencyCode, 'en')).toBeNull();
});
