import { expect, test } from '@jest/globals';
import { Defect } from '../refusals/assert.js';
import {
  authoriseEntry,
  computeBalances,
  captureEntry,
  formatChainRecord,
  refundEntry,
  releaseEntry,
  reverseCaptureEntry,
  reverseHoldEntry,
} from './ledger.js';
import { gbp, NOON } from '../testing/builders.js';

const ENTRIES = [authoriseEntry, captureEntry, refundEntry, releaseEntry, reverseCaptureEntry, reverseHoldEntry];

test('every kind of entry, as it is posted', () => {
  const shown = ENTRIES.map((make) => make('ref', gbp(100))).map(
    ({ kind, postings }) => `${kind}: ${postings.map(({ account, amount }) => `${account} ${amount}`).join(', ')}`,
  );
  expect(shown.join('\n')).toMatchInlineSnapshot(`
   "authorise: card_hold 100, merchant_hold -100
   capture: card_hold -100, merchant_hold 100, card_receivable 100, merchant_payable -100
   refund: card_receivable -100, merchant_payable 100
   release: card_hold -100, merchant_hold 100
   reverse: card_receivable -100, merchant_payable 100
   reverse: card_hold -100, merchant_hold 100"
  `);
});

test('the postings of every entry add up to zero', () => {
  for (const make of ENTRIES) {
    expect(make('ref', gbp(100)).postings.reduce((total, { amount }) => total + amount, 0)).toBe(0);
  }
});

test.each([0, -1])('an entry of %d is a defect', (value) => {
  for (const make of ENTRIES) expect(() => make('ref', gbp(value))).toThrow(Defect);
});

test('a payment held, captured in part, released and refunded leaves nothing open', () => {
  const entries = [
    authoriseEntry('a', gbp(2000)),
    captureEntry('b', gbp(500)),
    releaseEntry('a', gbp(1500)),
    refundEntry('c', gbp(500)),
  ];
  expect(Object.values(computeBalances(entries))).toEqual([0, 0, 0, 0]);
});

test('the chained text contains everything of an entry', () => {
  const place = { subjectId: 'pi_1', number: 3, postedAt: NOON };
  expect(formatChainRecord(authoriseEntry('auth-1', gbp(100)), place)).toBe(
    '["pi_1",3,"2026-03-01T12:00:00.000Z","authorise","auth-1","GBP",[["card_hold",100],["merchant_hold",-100]]]',
  );
});
