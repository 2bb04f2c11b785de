import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Defect } from '../refusals/assert.js';
import { formatTimespan, parseTimespan } from './timespan.js';

test.each([
  ['00:00:00', 0],
  ['00:00:31', 31_000],
  ['23:59:59', 86_399_000],
  ['1.00:00:00', 86_400_000],
  ['6.23:59:59', 604_799_000],
])('%s is %d ms, there and back', (text, ms) => {
  expect(parseTimespan(text)).toBe(ms);
  expect(formatTimespan(ms)).toBe(text);
});

test.each([
  '',
  '1',
  'PT30S',
  '24:00:00',
  '12:60:00',
  '12:00:60',
  '1:00:00',
  '-00:00:01',
  '00:00:01.5',
  '1,00:00:00',
  ' 00:00:01',
  '10000.00:00:00',
])('"%s" is no timespan', (text) => {
  expect(parseTimespan(text)).toBeNull();
});

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 10_000 * 86_400_000])('%d ms are not written', (ms) => {
  expect(() => formatTimespan(ms)).toThrow(Defect);
});

test('a written timespan is read again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999 * 86_400 }), (seconds) => {
      expect(parseTimespan(formatTimespan(seconds * 1000))).toBe(seconds * 1000);
    }),
  );
});
