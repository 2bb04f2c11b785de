import { expect, test } from '@jest/globals';
import { BOUND_REFUSALS, boundRefusalOf, completeStoredProblem } from './bound-refusals.js';
import { API_OPERATIONS } from './operations.js';
import { capturePaymentIntent, chargePaymentIntent } from './payment-money.js';
import { presentProblem } from './problems.js';

const about = { detail: 'NO', traceId: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', errors: {} };

test('an operation stores at most one kind of refusal, and each kind belongs to an operation', () => {
  for (const { refusals } of API_OPERATIONS) {
    expect(BOUND_REFUSALS.filter((code) => refusals.includes(code)).length).toBeLessThanOrEqual(1);
  }
  expect(new Set(API_OPERATIONS.flatMap((each) => boundRefusalOf(each) ?? []))).toEqual(new Set(BOUND_REFUSALS));
});

test.each(API_OPERATIONS.filter((each) => boundRefusalOf(each) !== null))(
  'a refusal of $id that was stored without a reason is sent as a new one',
  (operation) => {
    const fresh = presentProblem(boundRefusalOf(operation)!, about);
    const { reason: _reason, documentation: _documentation, ...old } = fresh;
    expect(JSON.parse(completeStoredProblem(operation, JSON.stringify(old)))).toEqual(fresh);
  },
);

test.each([
  ['a refusal that has its reason', capturePaymentIntent, presentProblem('capture_refused', about)],
  ['a problem of another status', capturePaymentIntent, { title: 'Bad Request', status: 400 }],
  ['a problem without a status', capturePaymentIntent, { title: 'Conflict' }],
  ['a refusal of an operation that stores none', chargePaymentIntent, { title: 'Conflict', status: 409 }],
  ['a list', capturePaymentIntent, []],
  ['nothing', capturePaymentIntent, null],
])('%s is sent as it was stored', (_, operation, body) => {
  const text = JSON.stringify(body);
  expect(completeStoredProblem(operation, text)).toBe(text);
});
