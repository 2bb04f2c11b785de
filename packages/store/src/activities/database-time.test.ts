import { expect, test } from '@jest/globals';
import { DatabaseTime } from './database-time.js';

/** A sample of a database whose clock is 1,000,000 ms ahead of the process, read `upMs` after the request. */
const sample = (requestedAtMs: number, upMs: number, downMs: number, aheadMs = 1_000_000) => ({
  databaseMs: Math.floor(requestedAtMs + upMs + aheadMs),
  requestedAtMs,
  receivedAtMs: requestedAtMs + upMs + downMs,
});

test.each([
  ['one quick answer', [sample(100, 0.2, 0.2)], 1],
  ['a slow request and a quick one', [sample(100, 80, 0.2), sample(200, 0.2, 0.2)], 1],
  ['a quick one and a slow answer', [sample(100, 0.2, 0.2), sample(200, 0.2, 80)], 1],
  ['a slow request and a slow answer', [sample(100, 80, 0.2), sample(300, 0.2, 80)], 1],
  ['only slow requests', [sample(100, 80, 0.2), sample(300, 60, 0.2)], 31],
])('after %s, a time is converted with a small error', (_, samples, errorMax) => {
  const time = new DatabaseTime();
  for (const each of samples) time.addSample(each);
  expect(Math.abs(time.toDatabaseMs(500) - 1_000_500)).toBeLessThanOrEqual(errorMax);
});

test('a clock that was set replaces the earlier bounds', () => {
  const time = new DatabaseTime();
  time.addSample(sample(100, 0.2, 0.2));
  time.addSample(sample(200, 0.2, 0.2, 2_000_000));
  expect(Math.abs(time.toDatabaseMs(500) - 2_000_500)).toBeLessThanOrEqual(1);
});

test('bounds are older than a minute at most, because clocks drift', () => {
  const time = new DatabaseTime();
  time.addSample(sample(100, 0.2, 0.2));
  time.addSample(sample(70_000, 5, 5, 1_000_003));
  expect(Math.abs(time.toDatabaseMs(70_000) - 1_070_003)).toBeLessThanOrEqual(1);
});

test('samples are taken until one is quick, or five were slow', () => {
  const time = new DatabaseTime();
  expect(time.isExact()).toBe(false);
  for (let at = 0; at < 4; at += 1) time.addSample(sample(at * 100, 40, 40));
  expect(time.isExact()).toBe(false);
  time.addSample(sample(400, 40, 40));
  expect(time.isExact()).toBe(true);
  const quick = new DatabaseTime();
  quick.addSample(sample(0, 0.2, 0.2));
  expect(quick.isExact()).toBe(true);
});
