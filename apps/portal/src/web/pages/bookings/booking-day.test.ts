import { expect, test } from '@jest/globals';
import { BookingDay, formatSpan, fromWallClock, toWallClock } from './booking-day.js';

test('an address names a day and one cursor, and the rest is left out', () => {
  expect(BookingDay.parse({ day: '2026-03-01', after: 'a', more: 1 })).toEqual({ day: '2026-03-01', after: 'a' });
  expect(BookingDay.parse({ before: 'b', after: 'a' })).toEqual({ before: 'b' });
  expect(BookingDay.parse({ day: '2026-13-01', after: 'x'.repeat(1025) })).toEqual({});
  expect(BookingDay.parse({ day: 20260301 })).toEqual({});
});

test('a day of the list is a day of the restaurant', () => {
  const query = BookingDay.toQuery({ day: '2026-07-01' }, { limit: 50, timeZone: 'Europe/Berlin' });
  expect(query).toEqual({ limit: 50, from: '2026-06-30T22:00:00.000Z', to: '2026-07-01T22:00:00.000Z' });
  const turned = BookingDay.toQuery({ day: '2026-07-01', after: 'a' }, { limit: 50, timeZone: 'UTC' });
  expect(turned).toMatchObject({ after: 'a', from: '2026-07-01T00:00:00.000Z' });
});

// oxfmt-ignore
test.each([
  ['in winter', '2026-01-10', '19:30', 'Europe/London', '2026-01-10T19:30:00.000Z'],
  ['in summer', '2026-07-10', '19:30', 'Europe/London', '2026-07-10T18:30:00.000Z'],
  ['behind UTC', '2026-07-10', '19:30', 'America/New_York', '2026-07-10T23:30:00.000Z'],
  ['on the day that clocks are set forward', '2026-03-29', '19:30', 'Europe/Berlin', '2026-03-29T17:30:00.000Z'],
  ['before clocks are set forward', '2026-03-29', '00:30', 'Europe/Berlin', '2026-03-28T23:30:00.000Z'],
  ['that clocks skip', '2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['that clocks show twice', '2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['after clocks were set back', '2026-10-25', '03:30', 'Europe/Berlin', '2026-10-25T02:30:00.000Z'],
  ['in UTC', '2026-10-25', '03:30', 'UTC', '2026-10-25T03:30:00.000Z'],
])('a time of the wall clock %s is one moment', (_, day, time, timeZone, moment) => {
  expect(fromWallClock({ day, time }, timeZone)).toBe(moment);
});

test('a field without a day or a time is no moment', () => {
  expect(fromWallClock({ day: '', time: '19:30' }, 'UTC')).toBeNull();
  expect(fromWallClock({ day: '2026-07-10', time: '' }, 'Europe/London')).toBeNull();
});

test('a moment is shown by the clocks of the restaurant', () => {
  expect(toWallClock('2026-07-10T22:30:59.500Z', 'Europe/Berlin')).toEqual({ day: '2026-07-11', time: '00:30' });
});

test('a time on another day is shown with the day', () => {
  const evening = { startTime: '2026-07-10T18:30:00.000Z', endTime: '2026-07-10T23:30:00.000Z' };
  const shown = { day: '2026-07-10', timeZone: 'Europe/London', region: 'en-GB' };
  expect(formatSpan(evening, shown)).toBe('19:30 – 11 Jul, 00:30');
  expect(formatSpan({ ...evening, endTime: '2026-07-10T20:00:00.000Z' }, shown)).toBe('19:30 – 21:00');
});
