import { describe, expect, test } from '@jest/globals';
import { isLightColor } from './theme-style.js';
import { createTexts, formatMoney } from './texts.js';

test.each([
  [['de-AT', 'en'], 'de', 'Abbrechen'],
  [['fr', 'de'], 'de', 'Abbrechen'],
  [['en-US'], 'en', 'Cancel'],
  [['fr'], 'en', 'Cancel'],
  [['den'], 'en', 'Cancel'],
  [[], 'en', 'Cancel'],
])('a payer with the languages %j has the texts of %s', (languages, language, cancel) => {
  const texts = createTexts(languages);
  expect([texts.language, texts.get('cancel')]).toEqual([language, cancel]);
});

test('values are put into a text as they are', () => {
  expect(createTexts(['en']).get('title', { merchant: '{amount} $& <b>' })).toBe('Pay {amount} $& <b>');
});

describe('an amount', () => {
  test.each([
    [1250, 'GBP', 'en-GB', '£12.50'],
    [1250, 'JPY', 'en-GB', 'JP¥1,250'],
    [1250, 'KWD', 'en-GB', 'KWD 1.250'],
    [125_000, 'HUF', 'en-GB', 'HUF 1,250.00'],
    [125_000, 'IDR', 'de-DE', '1.250,00 IDR'],
    [123_456, 'EUR', 'de-DE', '1.234,56 €'],
  ])('%i %s for %s is %s', (value, currencyCode, language, text) => {
    expect(formatMoney({ value, currencyCode }, createTexts([language])).replaceAll('\u00a0', ' ')).toBe(text);
  });
});

test.each([
  ['#ffffff', true],
  ['#f5f0e6', true],
  ['#ffd400', true],
  ['#000000', false],
  ['#10243a', false],
  ['#1d4ed8', false],
  ['#10243a80', false],
])('the background %s is light: %s', (color, isLight) => {
  expect(isLightColor(color)).toBe(isLight);
});
