import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CURRENCY_EXPONENTS, findCurrencyExponent, isActiveCurrency } from './currency.js';
import { AMOUNT_MAX } from './money.js';
import { formatAmount, formatDecimal, formatInputAmount, formatMoney, parseAmount } from './money-text.js';

const LOCALES = [
  'en',
  'en-GB',
  'de',
  'de-CH',
  'de-AT',
  'fr',
  'es',
  'pt-PT',
  'hu',
  'pl',
  'sv',
  'en-IN',
  'ar-EG',
  'fa',
  'ja',
];
const codes = fc.constantFrom(...CURRENCY_EXPONENTS.keys());

test.each([
  ['JPY', 0],
  ['ISK', 0],
  ['GBP', 2],
  ['HUF', 2],
  ['IDR', 2],
  ['RSD', 2],
  ['TWD', 2],
  ['MGA', 2],
  ['UGX', 0],
  ['UYI', 0],
  ['KWD', 3],
  ['IQD', 3],
  ['CLF', 4],
  ['UYW', 4],
])('ISO 4217 gives %s %d decimals', (code, exponent) => {
  expect([findCurrencyExponent(code), isActiveCurrency(code)]).toEqual([exponent, true]);
});

test('the table has every active code once', () => {
  const counts = [0, 2, 3, 4].map((exponent) => [...CURRENCY_EXPONENTS.values()].filter((each) => each === exponent));
  expect(counts.map(({ length }) => length)).toEqual([17, 138, 7, 2]);
});

test.each(['XAU', 'XTS', 'XXX', 'XDR', 'HRK', 'BGN', 'ABC', 'gbp', ''])('%s is no currency of a payment', (code) => {
  expect(isActiveCurrency(code)).toBe(false);
});

test.each([
  [1250, 'GBP', '12.50 GBP'],
  [-5, 'GBP', '-0.05 GBP'],
  [1250, 'JPY', '1250 JPY'],
  [1250, 'KWD', '1.250 KWD'],
  [1250, 'UYW', '0.1250 UYW'],
  [125_000, 'HUF', '1250.00 HUF'],
  [1250, 'HRK', '12.50 HRK'],
  [1250, 'ABC', '1250 ABC minor units'],
])('%d minor units of %s are printed %s', (value, currencyCode, text) => {
  expect(formatAmount({ value, currencyCode })).toBe(text);
});

test.each([
  ['en', 125_000, 'HUF', 'HUF 1,250.00'],
  ['de', 125_000, 'HUF', '1.250,00 HUF'],
  ['hu', 125_000, 'HUF', '1250,00 Ft'],
  ['en', 1250, 'JPY', '¥1,250'],
  ['en', 1250, 'KWD', 'KWD 1.250'],
  ['id', 125_000, 'IDR', 'Rp 1.250,00'],
  ['en', 999_999_999_999, 'GBP', '£9,999,999,999.99'],
  ['en', 9_007_199_254_740_991, 'GBP', '£90,071,992,547,409.91'],
])('in %s, %d minor units of %s are written %s', (locale, value, currencyCode, text) => {
  expect(formatMoney({ value, currencyCode }, locale).replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(text);
});

test.each([
  ['1250', 'HUF', 'en', 125_000],
  ['1250', 'HUF', 'hu', 125_000],
  ['1,250', 'HUF', 'en', 125_000],
  ['1.250', 'HUF', 'en', null],
  ['1250', 'JPY', 'de', 1250],
  ['12.5', 'JPY', 'en', null],
  ['1.5', 'KWD', 'en', 1500],
  ['1.250', 'KWD', 'en', 1250],
  ['1,250', 'KWD', 'en', null],
  ['1.250', 'KWD', 'de', null],
  ['1,250', 'KWD', 'de', 1250],
  ['0.1250', 'UYW', 'en', 1250],
  ['۱۲٫۵', 'EUR', 'fa', 1250],
  ['1,000.00', 'GBP', 'en', 100_000],
  ['', 'GBP', 'en', null],
  ['-1', 'GBP', 'en', null],
  ['1e3', 'GBP', 'en', null],
  ['12.505', 'GBP', 'en', null],
  ['12', 'ABC', 'en', null],
  ['10000000000.00', 'GBP', 'en', null],
])('"%s" of %s, typed in %s, is %j minor units', (text, currencyCode, locale, value) => {
  expect(parseAmount(text, currencyCode, locale)).toBe(value);
});

test('every amount of every currency is read back from its input field as it was, in each language', () => {
  fc.assert(
    fc.property(
      codes,
      fc.integer({ min: 0, max: AMOUNT_MAX }),
      fc.constantFrom(...LOCALES),
      (currencyCode, value, locale) => {
        expect(parseAmount(formatInputAmount({ value, currencyCode }, locale), currencyCode, locale)).toBe(value);
      },
    ),
  );
});

test('every form of an amount has the same digits, and as many decimals as the table says', () => {
  const values = fc.integer({ min: -AMOUNT_MAX, max: AMOUNT_MAX });
  fc.assert(
    fc.property(codes, values, fc.constantFrom('en', 'de', 'fr', 'hu', 'sv'), (currencyCode, value, locale) => {
      const money = { value, currencyCode };
      const decimal = formatDecimal(money);
      expect(decimal.split('.')[1]?.length ?? 0).toBe(findCurrencyExponent(currencyCode));
      const digits = (text: string): string => text.replaceAll(/\D/g, '');
      expect(digits(formatMoney(money, locale))).toBe(digits(decimal));
      expect(formatAmount(money)).toBe(`${decimal} ${currencyCode}`);
    }),
  );
});
