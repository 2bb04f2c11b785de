import { expect, test } from '@jest/globals';
import { isDecided } from './decided-action.js';

test.each([
  [0, 'unreachable'],
  [401, 'portal_session_missing'],
  [403, 'reauthentication_needed'],
  [403, 'cross_site_request'],
  [408, 'request_timeout'],
  [409, 'idempotency_in_progress'],
  [429, 'rate_limited'],
  [500, 'internal_error'],
  [502, 'unknown'],
  [503, 'commit_unknown'],
  [504, 'acquirer_unanswered'],
])('after %i %s a second press repeats the action under the same key', (status, reason) => {
  expect(isDecided({ status, reason })).toBe(false);
});

test.each([
  [400, 'validation_failed'],
  [404, 'payment_intent_not_found'],
  [409, 'not_refundable'],
  [409, 'idempotency_key_reused'],
])('after %i %s a second press is another action', (status, reason) => {
  expect(isDecided({ status, reason })).toBe(true);
});
