import { expect, test } from '@jest/globals';
import { formatTimespan } from './sandbox-commands.js';

test.each([
  ['1s', '00:00:01'],
  ['90s', '00:01:30'],
  ['5m', '00:05:00'],
  ['25h', '1.01:00:00'],
  ['7d', '7.00:00:00'],
  ['366d', '366.00:00:00'],
])('%s is the timespan %s', (span, timespan) => {
  expect(formatTimespan(span)).toBe(timespan);
});

test.each(['', '0s', '0d', '5', 's', '1.5h', '-1s', '5w', '1s1', ' 1s', '1234567s', '5constructor'])(
  '%j is no span',
  (span) => {
    expect(() => formatTimespan(span)).toThrow('must be like 10s, 5m, 2h or 7d');
  },
);
