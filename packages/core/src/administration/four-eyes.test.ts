import { expect, test } from '@jest/globals';
import { gbp } from '../testing/builders.js';
import { readActionState } from './four-eyes-request.js';
import { needsSecondPerson } from './give-back-limits.js';

// oxfmt-ignore
test.each<[Record<string, string>, number, number, boolean]>([
  [{}, 1_000_000, 0, false],
  [{ GBP: '500' }, 500, 0, false],
  [{ GBP: '500' }, 501, 0, true],
  [{ GBP: '500' }, 100, 401, true],
  [{ GBP: '500' }, 100, 400, false],
  [{ GBP: '0' }, 1, 0, true],
  [{ EUR: '500' }, 1, 0, true],
  [{ GBP: 'many' }, 1, 0, true],
])('with the limits %j a give-back of %i after %i needs a second person: %p', (giveBacksAbove, value, returned, needed) => {
  expect(needsSecondPerson({ giveBacksAbove }, { amount: gbp(value), returned })).toBe(needed);
});

test.each([
  [200, null, 'Done'],
  [504, 'acquirer_unanswered', 'Approved'],
  [503, null, 'Approved'],
  [500, null, 'Approved'],
  [409, 'idempotency_in_progress', 'Approved'],
  [429, null, 'Approved'],
  [401, null, 'Approved'],
  [409, 'payment_intent_busy', 'Approved'],
  [400, 'refund_exceeds_captured', 'Failed'],
  [409, 'not_refundable', 'Failed'],
  [409, 'refund_refused', 'Failed'],
])('after the answer %i %s the action is %s', (status, reason, state) => {
  expect(readActionState({ status, reason })).toBe(state);
});
