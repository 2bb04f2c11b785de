import { expect, test } from '@jest/globals';
import { CARD_SCHEMES, findLongestPrefix, findScheme, SCHEMES } from './schemes.js';

test.each([
  ['4', 'VISA'],
  ['51', 'MASTERCARD'],
  ['55', 'MASTERCARD'],
  ['2221', 'MASTERCARD'],
  ['2720', 'MASTERCARD'],
  ['50', 'MAESTRO'],
  ['58', 'MAESTRO'],
  ['60', 'MAESTRO'],
  ['6012', 'MAESTRO'],
  ['643', 'MAESTRO'],
  ['6011', 'DISCOVER'],
  ['644', 'DISCOVER'],
  ['65', 'DISCOVER'],
  ['305', 'DCI'],
  ['3095', 'DCI'],
  ['36', 'DCI'],
  ['34', 'AMEX'],
  ['37', 'AMEX'],
])('%s begins a number of %s', (digits, scheme) => {
  expect(findScheme(digits)).toBe(scheme);
});

test.each(['', '0', '1', '2', '2220', '2721', '3', '306', '3094', '35', '59', '7', '9'])(
  'no scheme of ours owns "%s"',
  (digits) => {
    expect(findScheme(digits)).toBeNull();
  },
);

test('a new scheme takes its range from a wider one, on any row', () => {
  const jcb = ['JCB', /^35(2[89]|[3-8]\d)/] as const;
  const wide = ['WIDE', /^3/] as const;
  for (const prefixes of [
    [jcb, wide],
    [wide, jcb],
  ]) {
    expect(findLongestPrefix<string>(prefixes, '3528')).toBe('JCB');
    expect(findLongestPrefix<string>(prefixes, '3527')).toBe('WIDE');
  }
});

test.each(CARD_SCHEMES)(
  'the digits of a number of %s fit into its groups, and none is shorter than its minimum',
  (name) => {
    const { groups, lengthMin, lengthsInTexts } = SCHEMES[name];
    const digits = groups.reduce((sum, size) => sum + size, 0);
    expect(digits).toBeGreaterThanOrEqual(lengthMin);
    expect(Math.min(...lengthsInTexts)).toBeGreaterThanOrEqual(lengthMin);
  },
);

test('names of schemes are unique for payers and for integrators', () => {
  for (const member of ['name', 'transactionType', 'tablesName', 'machineName'] as const) {
    expect(new Set(CARD_SCHEMES.map((scheme) => SCHEMES[scheme][member])).size).toBe(CARD_SCHEMES.length);
  }
});
