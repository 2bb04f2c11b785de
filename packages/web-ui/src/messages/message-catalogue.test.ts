import { expect, test } from '@jest/globals';
import { chooseLanguage, chooseRegion } from './language.js';
import { createTranslate, listPlaceholders } from './message-catalogue.js';

const CATALOGUE = {
  en: { paid: '{amount} paid by {payer}', empty: 'No payments yet' },
  de: { paid: '{payer} hat {amount} bezahlt', empty: 'Noch keine Zahlungen' },
};

test.each([
  ['en', 'paid', '£5.00 paid by Ann'],
  ['de', 'paid', 'Ann hat £5.00 bezahlt'],
  ['de', 'empty', 'Noch keine Zahlungen'],
] as const)('the text of "%s" %s is "%s"', (language, key, text) => {
  expect(createTranslate(CATALOGUE, language)(key, { amount: '£5.00', payer: 'Ann' })).toBe(text);
});

test('a placeholder without a value stays visible', () => {
  expect(createTranslate(CATALOGUE, 'en')('paid', { payer: 'Ann' })).toBe('{amount} paid by Ann');
});

test('the placeholders of a text are sorted', () => {
  expect(listPlaceholders(CATALOGUE.de.paid)).toEqual(listPlaceholders(CATALOGUE.en.paid));
  expect(listPlaceholders('no placeholder')).toEqual([]);
});

test.each([
  [['de-AT', 'en'], 'de'],
  [['fr', 'de'], 'de'],
  [['EN-gb'], 'en'],
  [['fr', 'it'], 'en'],
  [[], 'en'],
  [['deu'], 'en'],
])('a browser that prefers %j gets %s', (preferred, language) => {
  expect(chooseLanguage(preferred)).toBe(language);
});

test.each([
  ['en', ['fr-FR', 'en-GB', 'en-US'], 'en-GB'],
  ['en', ['EN-au'], 'EN-au'],
  ['de', ['de-AT', 'en-GB'], 'de-AT'],
  ['en', ['fr-FR'], 'en'],
  ['en', ['en', 'enx-GB'], 'en'],
])('dates in %s for a browser that prefers %p are written as in %s', (language, preferred, region) => {
  expect(chooseRegion(language, preferred)).toBe(region);
});
