import { expect, test } from '@jest/globals';
import { DatabaseClock } from './database-clock.js';

const AT = Date.parse('2026-03-02T12:00:00.000Z');

/** Answers with the database's time, and when they arrive on the process's own clock. */
type ClockSample = readonly {
  readonly databaseTime: number;
  readonly receivedAt: number;
  readonly requestedAt?: number;
}[];

test.each<[string, ClockSample, number, number | null]>([
  ['nothing was received', [], 5_000, null],
  ['it was received just now', [{ databaseTime: 0, receivedAt: 5_000 }], 5_000, 0],
  ['it was received a while ago, and runs since', [{ databaseTime: 0, receivedAt: 5_000 }], 5_700.9, 700],
  ['it was received more than a second ago', [{ databaseTime: 0, receivedAt: 5_000 }], 6_000.1, null],
  [
    'a later answer was delayed, so that the one before lags less',
    [
      { databaseTime: 0, receivedAt: 5_000 },
      { databaseTime: 400, receivedAt: 5_500 },
    ],
    5_600,
    600,
  ],
  [
    'a later answer lags less than the one before',
    [
      { databaseTime: 0, receivedAt: 5_300 },
      { databaseTime: 400, receivedAt: 5_500 },
    ],
    5_600,
    500,
  ],
  ['its answer took a while', [{ databaseTime: 0, requestedAt: 4_600, receivedAt: 5_000 }], 5_200, 200],
  [
    'the process was paused before it received the answer',
    [{ databaseTime: 0, requestedAt: 5_000, receivedAt: 35_000 }],
    35_100,
    null,
  ],
  [
    'the clock was set back, and the answer before is too old',
    [
      { databaseTime: 9_000, receivedAt: 5_000 },
      { databaseTime: 0, receivedAt: 6_500 },
    ],
    6_600,
    100,
  ],
])('if %s, the clock returns the right time or none', (_, samples, askedAt, expected) => {
  let monotonic = 0;
  const clock = new DatabaseClock(() => monotonic);
  for (const { databaseTime, receivedAt, requestedAt = receivedAt } of samples) {
    monotonic = requestedAt;
    const requestedAtMs = clock.readMonotonic();
    monotonic = receivedAt;
    clock.receive(new Date(AT + databaseTime), requestedAtMs);
  }
  monotonic = askedAt;
  expect(clock.now()).toEqual(expected === null ? null : new Date(AT + expected));
});
