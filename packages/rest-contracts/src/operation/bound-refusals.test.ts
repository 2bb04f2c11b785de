import { expect, test } from '@jest/globals';
import { BOUND_REFUSALS, findBoundRefusal } from './bound-refusals.js';
import { API_OPERATIONS } from '../operations/operations.js';

test('an operation stores at most one kind of refusal, and each stored kind belongs to an operation', () => {
  for (const { refusals } of API_OPERATIONS) {
    expect(BOUND_REFUSALS.filter((code) => refusals.includes(code)).length).toBeLessThanOrEqual(1);
  }
  expect(new Set(API_OPERATIONS.flatMap((each) => findBoundRefusal(each) ?? []))).toEqual(new Set(BOUND_REFUSALS));
});
