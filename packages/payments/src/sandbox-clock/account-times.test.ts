import { expect, test } from '@jest/globals';
import { DAY_MS } from '@pos/core/time';
import { testId } from '@pos/core/testing';
import { toAccountTime } from './account-times.js';

const REAL = new Date('2026-03-01T12:00:00.000Z');
const ANSWERED = '2026-03-01T11:59:58.500Z';
const later = (ms: number) => new Date(REAL.getTime() + ms);

test.each([
  ['production keeps the time of the acquirer', 'production', 10 * DAY_MS, false, ANSWERED],
  ['a sandbox whose clock was never advanced keeps it, too', 'sandbox', 0, false, ANSWERED],
  ['ten days later it is ten days later', 'sandbox', 10 * DAY_MS, false, '2026-03-11T11:59:58.500Z'],
  ['a frozen clock shows one time', 'sandbox', 10 * DAY_MS, true, '2026-03-11T12:00:00.000Z'],
] as const)('%s', (_, environment, byMs, isClockFrozen, shown) => {
  const scope = { accountId: testId('account'), environment };
  expect(toAccountTime({ scope, now: later(byMs), databaseNow: REAL, isClockFrozen }, ANSWERED)).toBe(shown);
});

test('a machine whose clock is fast is not in the future of the sandbox', () => {
  const scope = { accountId: testId('account'), environment: 'sandbox' } as const;
  const times = { scope, now: later(DAY_MS), databaseNow: REAL, isClockFrozen: false };
  expect(toAccountTime(times, later(5_000).toISOString())).toBe(later(DAY_MS).toISOString());
});
