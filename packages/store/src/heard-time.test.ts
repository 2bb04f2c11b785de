import { expect, test } from '@jest/globals';
import { HeardTime } from './heard-time.js';

const AT = Date.parse('2026-03-02T12:00:00.000Z');

/** What is told of the database's clock, and when on the process's own. */
type Told = readonly { readonly told: number; readonly heardAt: number; readonly askedAt?: number }[];

test.each<[string, Told, number, number | null]>([
  ['nothing was heard', [], 5_000, null],
  ['it was told just now', [{ told: 0, heardAt: 5_000 }], 5_000, 0],
  ['it was told a while ago, and goes on since', [{ told: 0, heardAt: 5_000 }], 5_700.9, 700],
  ['it was told more than a second ago', [{ told: 0, heardAt: 5_000 }], 6_000.1, null],
  [
    'a later telling was long on its way, so that the one before lags less',
    [
      { told: 0, heardAt: 5_000 },
      { told: 400, heardAt: 5_500 },
    ],
    5_600,
    600,
  ],
  [
    'a later telling lags less than the one before',
    [
      { told: 0, heardAt: 5_300 },
      { told: 400, heardAt: 5_500 },
    ],
    5_600,
    500,
  ],
  ['its answer took a while', [{ told: 0, askedAt: 4_600, heardAt: 5_000 }], 5_200, 200],
  ['the process stood still before it heard the answer', [{ told: 0, askedAt: 5_000, heardAt: 35_000 }], 35_100, null],
  [
    'the clock was set back, and the telling before is old by now',
    [
      { told: 9_000, heardAt: 5_000 },
      { told: 0, heardAt: 6_500 },
    ],
    6_600,
    100,
  ],
])('where %s, the time of the database is known as far as it is', (_, tellings, askedAt, known) => {
  let monotonic = 0;
  const heard = new HeardTime(() => monotonic);
  for (const { told, heardAt, askedAt = heardAt } of tellings) {
    monotonic = askedAt;
    const asked = heard.ask();
    monotonic = heardAt;
    heard.hear(new Date(AT + told), asked);
  }
  monotonic = askedAt;
  expect(heard.now()).toEqual(known === null ? null : new Date(AT + known));
});
