import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HOUR_MS } from './timespan.js';
import { addDays, findNextMidnight, formatZonedTime, isTimeZone, toZonedDay, toZonedMoment } from './time-zone.js';

test.each(['UTC', 'Europe/London', 'America/Argentina/Rio_Gallegos', 'Asia/Kolkata', 'Europe/Kyiv', 'Etc/GMT+1'])(
  '%s is a time zone',
  (name) => {
    expect(isTimeZone(name)).toBe(true);
  },
);

test.each([
  '',
  'utc',
  'BST',
  'CET',
  'GMT',
  '+01:00',
  'UTC+1',
  'Europe/Atlantis',
  'europe/london',
  'Europe/London\n',
  'Europe',
])('"%s" is no time zone of a location', (name) => {
  expect(isTimeZone(name)).toBe(false);
});

test.each([
  // Hours of the day: clocks go forward, back, and not at all.
  ['Europe/London', '2026-03-29', '2026-03-29T00:00:00.000Z', 23],
  ['Europe/London', '2026-10-25', '2026-10-24T23:00:00.000Z', 25],
  ['Europe/London', '2026-07-01', '2026-06-30T23:00:00.000Z', 24],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
  ['Asia/Kolkata', '2026-03-29', '2026-03-28T18:30:00.000Z', 24],
  ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', 23.5],
  ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z', 24],
  ['Pacific/Pago_Pago', '2026-01-01', '2026-01-01T11:00:00.000Z', 24],
  // Midnight does not exist on this day.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', 23],
  ['UTC', '2026-03-29', '2026-03-29T00:00:00.000Z', 24],
])('in %s the day %s begins at %s and has %d hours', (zone, day, begin, hours) => {
  const from = toZonedMoment(day, zone);
  expect(from.toISOString()).toBe(begin);
  expect((toZonedMoment(addDays(day, 1), zone).getTime() - from.getTime()) / HOUR_MS).toBe(hours);
  expect([toZonedDay(from, zone), toZonedDay(new Date(from.getTime() - 1), zone)]).toEqual([day, addDays(day, -1)]);
});

test('every moment is in the day that its zone gives it', () => {
  const moments = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
  const zones = fc.constantFrom(
    'UTC',
    'Europe/London',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Pacific/Chatham',
    'Africa/Cairo',
  );
  fc.assert(
    fc.property(moments, zones, (moment, zone) => {
      const day = toZonedDay(moment, zone);
      const next = findNextMidnight(moment, zone);
      expect(toZonedMoment(day, zone).getTime()).toBeLessThanOrEqual(moment.getTime());
      expect(next.getTime()).toBeGreaterThan(moment.getTime());
      expect(toZonedDay(next, zone)).toBe(addDays(day, 1));
    }),
    { numRuns: 50 },
  );
});

test.each([
  ['UTC', '2026-03-01 12:00:00 UTC'],
  ['Europe/London', '2026-03-01 12:00:00 UTC'],
  ['Europe/Berlin', '2026-03-01 13:00:00 UTC+01:00'],
  ['America/New_York', '2026-03-01 07:00:00 UTC-05:00'],
  ['Asia/Kathmandu', '2026-03-01 17:45:00 UTC+05:45'],
])('in %s a receipt of noon says %s', (zone, text) => {
  expect(formatZonedTime(new Date('2026-03-01T12:00:00.600Z'), zone)).toBe(text);
});

test('the two hours that a clock shows twice differ in their offset', () => {
  const at = (moment: string): string => formatZonedTime(new Date(moment), 'Europe/Berlin');
  expect([at('2026-10-25T00:30:00Z'), at('2026-10-25T01:30:00Z')]).toEqual([
    '2026-10-25 02:30:00 UTC+02:00',
    '2026-10-25 02:30:00 UTC+01:00',
  ]);
});
