import { expect, test } from '@jest/globals';
import { COUNTRY_CODES } from './countries.js';

test('the payer chooses from the 249 countries of ISO 3166-1, which every browser can name', () => {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  expect(COUNTRY_CODES.filter((code) => !/^[A-Z]{2}$/.test(code) || names.of(code) === undefined)).toEqual([]);
  expect(COUNTRY_CODES).toHaveLength(249);
  expect(new Set(COUNTRY_CODES).size).toBe(249);
  expect(COUNTRY_CODES.toSorted()).toEqual(COUNTRY_CODES);
});

test.each(['AD', 'AX', 'DE', 'DZ', 'FR', 'GB', 'OM', 'QA', 'US', 'ZA', 'ZW'])('%s is a country', (code) => {
  expect(COUNTRY_CODES).toContain(code);
});

test.each(['UK', 'EU', 'XK', 'ZZ', 'SU'])('%s is none, though browsers can name it', (code) => {
  expect(COUNTRY_CODES).not.toContain(code);
});
