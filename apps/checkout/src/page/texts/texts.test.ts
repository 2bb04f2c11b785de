import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { guessCountry, getAddressForm, listCountries } from './countries.js';
import { ENGLISH } from './english.js';
import { GERMAN } from './german.js';
import { formatInputAmount, formatMoney, getCurrencySign, parseAmount } from './money-text.js';
import { chooseLocale, getText, setLocale } from './texts.js';

afterEach(() => setLocale({ language: 'en', locale: 'en-GB' }));

const PAGE_FOLDER = new URL('../', import.meta.url);
const placesOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe('the language of the page', () => {
  test.each([
    [['de-AT', 'en'], { language: 'de', locale: 'de-AT' }],
    [['fr-FR', 'de', 'en-GB'], { language: 'de', locale: 'de' }],
    [['en-US'], { language: 'en', locale: 'en-US' }],
    [['fr-FR', 'it'], { language: 'en', locale: 'en-GB' }],
    [['de_DE@euro', 'x'], { language: 'en', locale: 'en-GB' }],
    [[], { language: 'en', locale: 'en-GB' }],
  ])('for a browser with %j is %j', (languages, chosen) => {
    expect(chooseLocale(languages)).toEqual(chosen);
  });

  test.each(Object.entries(ENGLISH))('%s has the same values in both languages', (name, text) => {
    expect(placesOf(GERMAN[name as keyof typeof ENGLISH])).toEqual(placesOf(text));
  });

  test('a text keeps the place of a value that is not given, and never reads a value as a pattern', () => {
    expect(getText('pay')).toBe('Pay {amount}');
    expect(getText('backTo', { merchant: '{amount} $& A' })).toBe('Back to {amount} $& A');
  });
});

/** Texts for payers in a source: words with a capital first letter or a blank between them. Errors are for developers. */
function findLiterals(source: string): string[] {
  const code = source
    .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .replaceAll(
      /^import .*$|new Error\([^)]*\)|(class: |sandbox: |isAmountShown \? )('[^']*'|`[^`]*`)( : '[^']*')?/gm,
      '',
    );
  return [...code.matchAll(/'([^'\n]*)'|`([^`\n]*)`/g)]
    .map(([, quoted, template = '']) => quoted ?? template.replaceAll(/\$\{[^}]*\}/g, ''))
    .filter((text) => /^[A-Z][a-z]+$|[A-Za-z]{2,} [A-Za-z]{2,}/.test(text) && !ALLOWED.has(text));
}

/** Values of the contract and of attributes. */
const ALLOWED = new Set([
  'shipping name',
  'icon icon-',
  'Card',
  'Wallet',
  'SavedCard',
  'Captured',
  'Authorized',
  'Active',
  'Expired',
  'Enter',
]);

test('every text for payers comes from the catalogue', () => {
  const sources = readdirSync(PAGE_FOLDER, { recursive: true })
    .map(String)
    .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|^texts\//.test(file));
  expect(sources.length).toBeGreaterThan(20);
  const literals = sources.flatMap((file) =>
    findLiterals(readFileSync(new URL(file, PAGE_FOLDER), 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(literals).toEqual([]);
});

test.each([
  ["createElement('p', {}, ['Thank you'])", ['Thank you']],
  ['button.textContent = `Pay ${amount} now please`', ['Pay  now please']],
  ["const title = 'Payment';", ['Payment']],
  ["class: 'summary with-amount'", []],
  ["// It's a 'Big word'", []],
])('in %s the literals are %j', (source, literals) => {
  expect(findLiterals(source)).toEqual(literals);
});

describe('an amount', () => {
  test.each([
    ['1.250,00', 'de-DE', 125_000],
    ['1.250', 'de-DE', 125_000],
    ['1,250', 'de-DE', null],
    ['12,505', 'de-DE', null],
    ['1’250.00', 'de-CH', 125_000],
    ['1 250,00', 'en-ZA', 125_000],
    ['1.250', 'en-GB', null],
    ['12.505', 'en-GB', null],
    ['1,2,3', 'en-GB', null],
    ['1,25,000', 'en-GB', null],
  ])('typed as %s for %s is read as %p: only its own separator forms thousands', (typed, locale, value) => {
    setLocale({ language: 'en', locale });
    expect(parseAmount(typed, 'EUR')).toBe(value);
  });

  test.each([
    ['12.50', 'GBP', 1250],
    ['12,5', 'GBP', 1250],
    ['12', 'GBP', 1200],
    ['1,250.00', 'GBP', 125_000],
    ['1250', 'JPY', 1250],
    ['1,250', 'GBP', 125_000],
    ['0', 'GBP', 0],
    ['9999999999.99', 'GBP', 999_999_999_999],
    ['10000000000', 'GBP', null],
    ['12.505', 'GBP', null],
    ['12.5', 'JPY', null],
    ['-5', 'GBP', null],
    ['1e3', 'GBP', null],
    ['12.', 'GBP', null],
    ['£12', 'GBP', null],
    ['', 'GBP', null],
    ['ten', 'GBP', null],
  ])('%s in %s is read as %p', (typed, currency, value) => {
    expect(parseAmount(typed, currency)).toBe(value);
  });

  test.each([
    ['en-GB', '£12.50', '12.50'],
    ['de-DE', '12,50\u00a0£', '12,50'],
  ])('is written for %s as %s, and in a field as %s', (locale, shown, typed) => {
    setLocale({ language: 'en', locale });
    const amount = { value: 1250, currencyCode: 'GBP' };
    expect([formatMoney(amount), formatInputAmount(amount)]).toEqual([shown, typed]);
    expect([parseAmount(typed, 'GBP'), getCurrencySign('GBP')]).toEqual([1250, '£']);
  });
});

describe('a country', () => {
  test('is listed once, by its name in the language of the payer', () => {
    const english = listCountries();
    expect(english).toHaveLength(249);
    expect(new Set(english.map(([code]) => code)).size).toBe(249);
    expect(new Set(english.map(([, name]) => name)).size).toBe(249);
    setLocale({ language: 'de', locale: 'de-DE' });
    expect(new Map(listCountries()).get('DE')).toBe('Deutschland');
  });

  test.each([
    ['de-AT', 'AT'],
    ['de', 'DE'],
    ['en-US', 'US'],
    ['en-GB', 'GB'],
    ['en-001', 'GB'],
  ])('of a payer with the locale %s is %s', (locale, code) => {
    setLocale({ language: 'en', locale });
    expect(guessCountry()).toBe(code);
  });

  test.each([
    ['GB', { isPostcodeFirst: false, postcodeName: 'postcode', isPostcodeRequired: true, stateName: null }],
    ['DE', { isPostcodeFirst: true, postcodeName: 'postcode', isPostcodeRequired: true, stateName: null }],
    ['US', { isPostcodeFirst: false, postcodeName: 'zipCode', isPostcodeRequired: true, stateName: 'state' }],
    ['CA', { isPostcodeFirst: false, postcodeName: 'postcode', isPostcodeRequired: true, stateName: 'province' }],
    ['IE', { isPostcodeFirst: false, postcodeName: 'eircode', isPostcodeRequired: false, stateName: null }],
    ['HK', { isPostcodeFirst: false, postcodeName: 'postcodeOptional', isPostcodeRequired: false, stateName: null }],
  ])('%s has addresses of the form %j', (code, form) => {
    expect(getAddressForm(code)).toEqual(form);
  });
});
