import { expect, test } from '@jest/globals';
import { nextDay, toDay, toDays, toMoment } from './utc-day.js';

test('a day begins at midnight UTC', () => {
  expect(toMoment('2026-03-01').toISOString()).toBe('2026-03-01T00:00:00.000Z');
  expect(toDay(new Date('2026-03-01T23:59:59.999Z'))).toBe('2026-03-01');
  expect(nextDay('2026-02-28')).toBe('2026-03-01');
});

test.each([
  ['2026-03-02T00:00:00.000Z', '2026-03-01'],
  ['2026-03-02T00:00:00.001Z', '2026-03-02'],
])('the last day of a span that ends before %s is %s', (to, last) => {
  expect(toDays({ from: new Date('2026-03-01T12:00:00Z'), to: new Date(to) })).toEqual({ first: '2026-03-01', last });
});
