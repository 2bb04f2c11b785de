import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NO_MOMENT, parseMoment, presentMoment, presentMomentOrNone } from './moment.js';

describe('a timestamp', () => {
  test.each([
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01t12:00:00z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00.1Z', '2026-03-01T12:00:00.100Z'],
    ['2022-02-01T13:07:41.8667859Z', '2022-02-01T13:07:41.866Z'],
    ['2026-03-01T12:00:00.123456789Z', '2026-03-01T12:00:00.123Z'],
    ['2026-03-01T12:00:00+01:00', '2026-03-01T11:00:00.000Z'],
    ['2026-03-01T12:00:00-0330', '2026-03-01T15:30:00.000Z'],
    ['2026-03-01T12:00:00+02', '2026-03-01T10:00:00.000Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('%s is %s', (sent, read) => {
    expect(parseMoment(sent)?.toISOString()).toBe(read);
  });

  test.each([
    '2026-03-01',
    '2026-03-01T12:00:00',
    '2026-03-01 12:00:00Z',
    '2026-03-01T12:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T12:60:00Z',
    '2026-06-30T23:59:60Z',
    '2026-03-01T12:00:00.Z',
    '2026-03-01T12:00:00.1234567890Z',
    '2026-03-01T12:00:00+19:00',
    '2026-03-01T12:00:00+01:60',
    '2026-03-01T12:00:00 +01:00',
    '0000-12-31T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+022026-03-01T12:00:00Z',
    '1772366400',
    ' 2026-03-01T12:00:00Z',
    '',
  ])('%j is no timestamp', (sent) => {
    expect(parseMoment(sent)).toBeNull();
  });

  test('a written timestamp is read as the same moment', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
        (moment) => expect(parseMoment(presentMoment(moment))).toEqual(moment),
      ),
    );
  });

  test('a missing value is written as the first possible moment', () => {
    expect(presentMomentOrNone(null)).toBe(NO_MOMENT);
    expect(presentMomentOrNone(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
  });
});
