import { expect, test } from '@jest/globals';
import { createPaymentIntent } from '@pos/rest-contracts/payment-intent-operations';
import { payByCard } from '@pos/rest-contracts/client-payments';
import { readBody } from '@pos/rest-contracts/reading';
import { worstBodies } from './worst-bodies.js';

test.each([
  ['itemLines', createPaymentIntent.body],
  ['itemLines.*.modifiers', createPaymentIntent.body],
  ['paymentMethods', createPaymentIntent.body],
  ['metadata', createPaymentIntent.body],
  ['metaData', payByCard.body],
])('the worst bodies of an operation make %s as large as a request may be', (place, schema) => {
  const bodies = worstBodies(schema).filter(({ name }) => name.startsWith(`${place} `));
  expect(Math.max(...bodies.map(({ json }) => json.length))).toBeGreaterThan(50_000);
  expect(bodies.every(({ json }) => json.length <= 1024 * 1024)).toBe(true);
});

test('no body is answered by more than a hundred faults, and some large ones are accepted', () => {
  const readings = worstBodies(createPaymentIntent.body).map(({ json }) => {
    return readBody(createPaymentIntent.body, json.length > 600_000 ? {} : (JSON.parse(json) as unknown));
  });
  expect(readings.some(({ ok }) => ok)).toBe(true);
  expect(readings.every((each) => each.ok || Object.keys(each.errors).length <= 100)).toBe(true);
});
