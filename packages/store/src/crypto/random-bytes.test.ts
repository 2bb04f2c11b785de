import { expect, test } from '@jest/globals';
import { createRandomBytes } from './random-bytes.js';

test('bytes have the wanted length, also more than are drawn at once', () => {
  for (const length of [0, 1, 16, 83, 256, 257, 10_000]) expect(createRandomBytes(length)).toHaveLength(length);
});

test('no bytes are handed out twice, however often the pool is drawn again', () => {
  const drawn = Array.from({ length: 20_000 }, () => createRandomBytes(12).toString('hex'));
  expect(new Set(drawn).size).toBe(drawn.length);
});

test('bytes that were handed out stay as they are', () => {
  const first = createRandomBytes(256);
  const text = first.toString('hex');
  for (let number = 0; number < 100; number += 1) createRandomBytes(256).fill(0);
  expect(first.toString('hex')).toBe(text);
});

test('every value of a byte is as likely as any other', () => {
  const counts = new Uint32Array(256);
  const total = 256 * 1_000;
  for (let number = 0; number < total / 16; number += 1) for (const byte of createRandomBytes(16)) counts[byte]! += 1;
  // Seven standard deviations around the mean of 1,000.
  expect(Math.min(...counts)).toBeGreaterThan(780);
  expect(Math.max(...counts)).toBeLessThan(1_220);
});
