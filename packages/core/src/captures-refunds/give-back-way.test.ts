import { expect, test } from '@jest/globals';
import { findGiveBackWay } from './give-back.js';

const NOON = new Date('2026-03-01T12:00:00Z');

test.each([
  ['Authorized', null, false, 'reversal'],
  ['Captured', '2026-03-01T23:59:59.999Z', false, 'reversal'],
  ['Captured', '2026-02-28T23:59:59.999Z', false, 'refund'],
  ['Captured', '2026-03-01T11:00:00Z', true, 'refund'],
  ['Refunded', '2026-03-01T11:00:00Z', false, 'refund'],
])(
  'an intent %s, captured %s, partly refunded %s, is given back by %s',
  (status, capturedAt, isAnythingRefunded, way) => {
    const intent = { status, capturedAt: capturedAt === null ? null : new Date(capturedAt), isAnythingRefunded };
    expect(findGiveBackWay(intent, { now: NOON, timeZone: 'UTC' })).toBe(way);
  },
);

test.each([
  ['America/New_York', '2026-03-01T05:00:00Z', '2026-03-02T04:59:59Z', 'reversal'],
  ['America/New_York', '2026-03-01T05:00:00Z', '2026-03-02T05:00:00Z', 'refund'],
  ['America/New_York', '2026-03-01T04:59:59Z', '2026-03-01T05:00:00Z', 'refund'],
])('in %s a payment captured %s is given back at %s by %s', (timeZone, capturedAt, now, way) => {
  const intent = { status: 'Captured', capturedAt: new Date(capturedAt), isAnythingRefunded: false };
  expect(findGiveBackWay(intent, { now: new Date(now), timeZone })).toBe(way);
});
