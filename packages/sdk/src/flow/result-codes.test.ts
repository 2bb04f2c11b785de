import { expect, test } from '@jest/globals';
import { RESULT_CODES, toResultCode } from './result-codes.js';

test('the codes are those of the interface, and those of the client alone', () => {
  expect(Object.values(RESULT_CODES).sort((first, second) => first - second)).toEqual([
    ...[0, 3, 4, 5, 20, 30, 99, 400, 401, 404, 500, 7770, 7780],
  ]);
  for (const code of Object.values(RESULT_CODES)) expect(toResultCode(code)).toBe(code);
});

test.each([1, 2, -1, 0.5, 200, 403, 429, 503, 7771, Number.NaN, '0', null, undefined, {}])('%j is 7770', (code) => {
  expect(toResultCode(code)).toBe(7770);
});
