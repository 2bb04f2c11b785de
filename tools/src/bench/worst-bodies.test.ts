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
  const sizes = [...worstBodies(schema)]
    .filter(({ name }) => name.startsWith(`${place} `))
    .map(({ json }) => json.length);
  expect(Math.max(...sizes)).toBeGreaterThan(50_000);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024);
});

test('no body is answered by more than a hundred faults, and some large ones are accepted', () => {
  let accepted = 0;
  for (const { json } of worstBodies(createPaymentIntent.body)) {
    const reading = readBody(createPaymentIntent.body, json.length > 600_000 ? {} : parsed(json));
    if (reading.ok) accepted += json.length > 100_000 ? 1 : 0;
    else expect(Object.keys(reading.errors).length).toBeLessThanOrEqual(100);
  }
  expect(accepted).toBeGreaterThan(0);
});

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
