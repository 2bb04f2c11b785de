import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Defect } from '../refusals/assert.js';
import { createPaymentIntentEvent, createTerminalSessionEvent } from './event.js';
import { buildIntent, buildSession, NOON, testId } from '../testing/builders.js';
import {
  ATTEMPTS_MAX,
  isDeliveredBy,
  isLetGo,
  formatLaneKey,
  computeNextAttemptAt,
  formatReplayLaneKey,
} from './delivery-schedule.js';

test('a delivery is tried thirteen times over about four days', () => {
  const waits = [];
  for (let attempts = 1; attempts < ATTEMPTS_MAX; attempts += 1) waits.push(waitAfter(attempts, 0.5) / 1000);
  expect(waits).toEqual([10, 30, 90, 270, 810, 2430, 7290, 21_870, 65_610, 86_400, 86_400, 86_400]);
  expect(computeNextAttemptAt({ attempts: 13, failedAt: NOON, jitter: 0.5, scale: 1 })).toBeNull();
});

test('jitter moves a wait by a tenth at most, to both sides', () => {
  expect([waitAfter(1, 0), waitAfter(1, 1)]).toEqual([9_000, 11_000]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, jitter) => {
      const ratio = waitAfter(attempts, jitter) / waitAfter(attempts, 0.5);
      expect(Math.abs(ratio - 1)).toBeLessThanOrEqual(0.1 + 1e-9);
    }),
  );
});

test('a test run shrinks the whole schedule by one scale', () => {
  expect(computeNextAttemptAt({ attempts: 10, failedAt: NOON, jitter: 0.5, scale: 0.001 })).toEqual(
    new Date(NOON.getTime() + 86_400),
  );
});

test.each([
  ['before the first attempt', { attempts: 0, jitter: 0.5, scale: 1 }],
  ['with a jitter above one', { attempts: 1, jitter: 1.1, scale: 1 }],
  ['without a scale', { attempts: 1, jitter: 0.5, scale: 0 }],
])('there is no next attempt %s', (_, failure) => {
  expect(() => computeNextAttemptAt({ ...failure, failedAt: NOON })).toThrow(Defect);
});

test.each([
  [200, true],
  [204, true],
  [299, true],
  [199, false],
  [301, false],
  [404, false],
  [503, false],
])('an answer of %d is a delivery: %s', (status, is) => {
  expect(isDeliveredBy(status)).toBe(is);
});

test('a session keeps its events in one lane, an intent in its own', () => {
  const head = { id: testId('event'), accountId: testId('account'), createdAt: NOON };
  const session = buildSession();
  const ofSession = createTerminalSessionEvent({ ...head, kind: 'terminal_session.created' }, session, session.status);
  const notified = createTerminalSessionEvent(
    { ...head, kind: 'terminal_session.notification' },
    session,
    'PresentCard',
  );
  const ofIntent = createPaymentIntentEvent({ ...head, kind: 'payment_intent.created' }, buildIntent());
  expect([ofSession, notified, ofIntent].map(formatLaneKey)).toEqual([session.id, session.id, buildIntent().id]);
});

test.each([
  [testId('terminalSession'), false],
  [testId('paymentIntent'), true],
  [formatReplayLaneKey({ replayId: 'r', subjectId: testId('terminalSession') }), false],
  [formatReplayLaneKey({ replayId: 'r', subjectId: testId('paymentIntent') }), true],
  [testId('delivery'), false],
])('a failure in lane %s lets the following deliveries continue: %s', (key, is) => {
  expect(isLetGo(key)).toBe(is);
});

function waitAfter(attempts: number, jitter: number): number {
  const at = computeNextAttemptAt({ attempts, failedAt: NOON, jitter, scale: 1 });
  return (at?.getTime() ?? Number.NaN) - NOON.getTime();
}
