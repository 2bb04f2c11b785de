import { expect, test } from '@jest/globals';
import { computeTip } from './amount-choice.js';

test.each([
  [1250, 10, 125],
  [1255, 10, 126],
  [1254, 10, 125],
  [7050, 15, 1058],
  [1, 20, 0],
  [0, 20, 0],
  [999_999_999_999, 20, 200_000_000_000],
])('of %d minor units, %d percent are %d', (value, percent, tip) => {
  expect(computeTip(value, percent)).toBe(tip);
});
