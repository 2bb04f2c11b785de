import { expect, test } from '@jest/globals';
import { formatFinding } from './finding-text.js';

test.each([
  ['Authorise of 2001 GBP', 'en', 'Authorise of £20.01'],
  ['Authorise of 2001 GBP', 'de', 'Authorise of 20,01\u00a0£'],
  ['the acquirer booked 5 GBP, we asked for 2000 EUR', 'en', 'the acquirer booked £0.05, we asked for €20.00'],
  ['Capture of 500 JPY in 2 lines', 'en', 'Capture of ¥500 in 2 lines'],
  [
    'the ledger keeps 1700 GBP, the transactions sum to 1701',
    'en',
    'the ledger keeps £17.00, the transactions sum to 1701',
  ],
  // No amounts.
  ['the outcome of the call Capture to the acquirer default is not known', 'en', undefined],
  ['reference ab2001 GBP', 'en', undefined],
  ['2001 GBPS', 'en', undefined],
  ['2001 gbp', 'en', undefined],
])('the finding “%s” is shown in %s with its amounts as money', (finding, language, shown = finding) => {
  expect(formatFinding(finding, language)).toBe(shown);
});
