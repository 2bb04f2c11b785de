import { describe, expect, test } from '@jest/globals';
import { decideRetry, type FailedAttempt, type RetryQuestion } from './retry.js';

const NOW = Date.parse('2027-01-31T12:00:00Z');

const ask = (failed: FailedAttempt, parts: Partial<RetryQuestion> = {}): number | null =>
  decideRetry({ failed, repeat: 'key', retries: 0, retriesMax: 4, chance: 0, now: NOW, ...parts });

const answer = (status: number, reason: string | null = null, retryAfter: string | null = null): FailedAttempt => ({
  ...{ kind: 'answer', status, reason, retryAfter },
});

describe('what is attempted again', () => {
  test.each<[string, FailedAttempt, RetryQuestion['repeat']]>([
    ['a payment whose connection broke, under its key', { kind: 'connection' }, 'key'],
    ['a payment without an answer in time, under its key', { kind: 'timeout' }, 'key'],
    ['a read whose connection broke', { kind: 'connection' }, 'read'],
    ['a call that a limit refused', answer(429, 'rate_limited'), 'key'],
    ['a call that a limit refused, of which no repeat is safe', answer(429, 'rate_limited'), 'never'],
    ['an unavailable service', answer(503, 'service_unavailable'), 'key'],
    ['an unavailable service, which promises that nothing was done', answer(503, 'service_unavailable'), 'never'],
    ['a commit without confirmation, under its key', answer(503, 'commit_unknown'), 'key'],
    ['an acquirer without an answer, under its key', answer(504, 'acquirer_unanswered'), 'key'],
    ['a key whose first call still runs', answer(409, 'idempotency_in_progress'), 'key'],
    ['a proxy that lost the service', answer(502), 'read'],
    ['a request that did not arrive completely', answer(408, 'request_timeout'), 'never'],
  ])('%s', (_, failed, repeat) => {
    expect(ask(failed, { repeat })).not.toBeNull();
  });
});

describe('what is final', () => {
  test.each<[string, FailedAttempt, RetryQuestion['repeat']]>([
    ['a broken connection where no repeat is safe', { kind: 'connection' }, 'never'],
    ['silence where no repeat is safe', { kind: 'timeout' }, 'never'],
    ['a commit without confirmation where no repeat is safe', answer(503, 'commit_unknown'), 'never'],
    ['a proxy without a reason where no repeat is safe', answer(503), 'never'],
    ['a limit of a proxy without a reason where no repeat is safe', answer(429), 'never'],
    ['a refusal of the input', answer(400, 'validation_failed'), 'key'],
    ['a refused key', answer(401, 'unauthenticated'), 'read'],
    ['a missing resource', answer(404, 'payment_intent_not_found'), 'read'],
    ['a capture that the acquirer refused', answer(409, 'capture_refused'), 'key'],
    ['a key that was used for another body', answer(409, 'idempotency_key_reused'), 'key'],
    ['a conflict without a reason', answer(409), 'key'],
    ['a payment whose outcome is unknown', answer(500, 'payment_outcome_unknown'), 'key'],
    ['a defect of the service', answer(500, 'internal_error'), 'key'],
    ['an acquirer that a person must configure', answer(503, 'acquirer_not_configured'), 'key'],
    ['a redirect', answer(302), 'read'],
  ])('%s', (_, failed, repeat) => {
    expect(ask(failed, { repeat })).toBeNull();
  });

  test('the last permitted retry', () => {
    expect(ask({ kind: 'connection' }, { retries: 3 })).not.toBeNull();
    expect(ask({ kind: 'connection' }, { retries: 4 })).toBeNull();
    expect(ask({ kind: 'connection' }, { retriesMax: 0 })).toBeNull();
  });
});

describe('how long to wait', () => {
  test.each([
    // retries, chance, milliseconds
    [0, 0, 125],
    [0, 1, 250],
    [1, 0, 250],
    [2, 1, 1000],
    [20, 1, 8000],
  ])('after %i retries with the chance %d: %i ms', (retries, chance, ms) => {
    expect(ask({ kind: 'connection' }, { retries, chance, retriesMax: 99 })).toBe(ms);
  });

  test.each<[string, string, number]>([
    ['seconds', '7', 7000],
    ['no seconds', '0', 0],
    ['a date', 'Sun, 31 Jan 2027 12:00:05 GMT', 5000],
    ['a date that has passed', 'Sun, 31 Jan 2027 11:00:00 GMT', 0],
  ])('retry-after as %s is followed', (_, header, ms) => {
    expect(ask(answer(429, 'rate_limited', header))).toBe(ms);
    expect(ask(answer(429, 'rate_limited', header), { chance: 1 })).toBe(ms + 250);
  });

  test.each(['', 'soon', '-5', '1.5', '99999999999'])('retry-after %j is ignored', (header) => {
    expect(ask(answer(429, 'rate_limited', header))).toBe(125);
  });
});
