import { expect, test } from '@jest/globals';
import { DatabaseClock } from './database-clock.js';

const AT = Date.parse('2026-03-02T12:00:00.000Z');

/** What is told of the database's clock, and when on the process's own. */
type ClockSample = readonly {
  readonly databaseTime: number;
  readonly receivedAt: number;
  readonly requestedAt?: number;
}[];

test.each<[string, ClockSample, number, number | null]>([
  ['nothing was heard', [], 5_000, null],
  ['it was told just now', [{ databaseTime: 0, receivedAt: 5_000 }], 5_000, 0],
  ['it was told a while ago, and goes on since', [{ databaseTime: 0, receivedAt: 5_000 }], 5_700.9, 700],
  ['it was told more than a second ago', [{ databaseTime: 0, receivedAt: 5_000 }], 6_000.1, null],
  [
    'a later telling was long on its way, so that the one before lags less',
    [
      { databaseTime: 0, receivedAt: 5_000 },
      { databaseTime: 400, receivedAt: 5_500 },
    ],
    5_600,
    600,
  ],
  [
    'a later telling lags less than the one before',
    [
      { databaseTime: 0, receivedAt: 5_300 },
      { databaseTime: 400, receivedAt: 5_500 },
    ],
    5_600,
    500,
  ],
  ['its answer took a while', [{ databaseTime: 0, requestedAt: 4_600, receivedAt: 5_000 }], 5_200, 200],
  [
    'the process stood still before it heard the answer',
    [{ databaseTime: 0, requestedAt: 5_000, receivedAt: 35_000 }],
    35_100,
    null,
  ],
  [
    'the clock was set back, and the telling before is old by now',
    [
      { databaseTime: 9_000, receivedAt: 5_000 },
      { databaseTime: 0, receivedAt: 6_500 },
    ],
    6_600,
    100,
  ],
])('where %s, the time of the database is known as far as it is', (_, samples, askedAt, known) => {
  let monotonic = 0;
  const clock = new DatabaseClock(() => monotonic);
  for (const { databaseTime: published, receivedAt, requestedAt: requestedAt = receivedAt } of samples) {
    monotonic = requestedAt;
    const requestedAtMs = clock.readMonotonic();
    monotonic = receivedAt;
    clock.receive(new Date(AT + published), requestedAtMs);
  }
  monotonic = askedAt;
  expect(clock.now()).toEqual(known === null ? null : new Date(AT + known));
});
