import { expect, test } from '@jest/globals';
import { placementGiveBackReference } from './order-placement.js';

const SINCE = new Date('2026-03-01T12:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1000;
const ID = '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f';

test.each([
  ['at first', null, 0, 7, ''],
  ['while it is tried', SINCE, 0, 8, ''],
  ['a millisecond before a day is over', SINCE, DAY_MS - 1, 90, ''],
  ['after a day, at each try another one', SINCE, DAY_MS, 91, '-91'],
  ['at the next try', SINCE, DAY_MS + 600_000, 93, '-93'],
])('the key under which the money of an order goes back: %s', (_, giveBackSince, laterMs, version, more) => {
  const updatedAt = new Date(SINCE.getTime() + laterMs);
  const reference = placementGiveBackReference({ id: ID, giveBackSince, updatedAt, version });
  expect(reference).toBe(`order-giveback-${ID}${more}`);
  // The reversal of it has a prefix, and the acquirer takes 64 characters.
  expect(`rv-${reference}`.length).toBeLessThanOrEqual(64);
});
