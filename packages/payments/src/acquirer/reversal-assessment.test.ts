import { describe, expect, test } from '@jest/globals';
import type { AcquirerBooking } from '@pos/core/acquirer';
import { money } from '@pos/core/money';
import { gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/time';
import { assessByBooks } from './reversal-assessment.js';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const ORIGINAL = {
  reference: 'auth-1',
  amount: gbp(1_000),
  deadlineAt: new Date(NOW.getTime() - 6 * DAY_MS),
};

/** The assessment of books in which these amounts were captured. */
function assess(captured: readonly ReturnType<typeof gbp>[], isComplete: boolean) {
  const bookings = captured.map((amount): AcquirerBooking => ({
    ...{ reference: 'auth-1', originalReference: null, kind: 'Capture', status: 'booked', amount, bookedAt: NOW },
    ...{ transactionId: '', tid: '' },
  }));
  const books = { bookings, isCompleteBetween: () => isComplete };
  return assessByBooks(books, { original: ORIGINAL, capabilities: null, databaseNow: NOW });
}

describe('books in which an authorisation that was given up is captured', () => {
  test.each([
    ['the parts of the whole amount', [gbp(600), gbp(400)], false, gbp(1_000)],
    ['more than the amount', [gbp(1_000), gbp(1_000)], false, gbp(2_000)],
    ['a part, when no other part can follow', [gbp(600)], true, gbp(600)],
    ['parts of less than the amount, when no other part can follow', [gbp(600), gbp(300)], true, gbp(900)],
  ])('refund the sum of %s', (_, captured, isComplete, amount) => {
    expect(assess(captured, isComplete)).toEqual({ kind: 'refund', amount });
  });

  test.each([
    ['a part is captured, and a file that has not arrived may name the rest', [gbp(600)], false],
    ['the parts have several currencies', [gbp(600), money(400, 'EUR')], true],
  ])('decide nothing while %s', (_, captured, isComplete) => {
    expect(assess(captured, isComplete)).toEqual({ kind: 'undecided' });
  });
});
