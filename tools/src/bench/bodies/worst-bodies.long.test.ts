import { expect, test } from '@jest/globals';
import { createPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { payByCard } from '@pos/rest-contracts/card-vault';
import { readBody } from '@pos/rest-contracts/parsing';
import { parseJson } from '@pos/service-kit/request-checks';
import { listWorstBodies } from './worst-bodies.js';

test.each([
  ['itemLines', createPaymentIntent.body],
  ['itemLines.*.modifiers', createPaymentIntent.body],
  ['paymentMethods', createPaymentIntent.body],
  ['metadata', createPaymentIntent.body],
  ['metaData', payByCard.body],
])('the worst bodies of an operation have %s of the maximal size of a request', (place, schema) => {
  const isOfPlace = (name: string): boolean => name.startsWith(`${place} `);
  const large = Array.from(listWorstBodies(schema, isOfPlace), ({ name, json }) => ({ name, size: json.length }));
  expect(large.filter(({ name }) => !isOfPlace(name))).toEqual([]);
  const largest = Math.max(...large.map(({ size }) => size));
  expect(largest).toBeGreaterThan(50_000);
  expect(largest).toBeLessThanOrEqual(1024 * 1024);
});

test('no body is answered with more than a hundred violations, and some large ones are accepted', () => {
  let accepted = 0;
  for (const { json } of listWorstBodies(createPaymentIntent.body)) {
    const body = json.length > 600_000 ? undefined : parsed(json);
    if (body === undefined) continue;
    const reading = readBody(createPaymentIntent.body, body);
    if (reading.ok) accepted += json.length > 100_000 ? 1 : 0;
    else expect(Object.keys(reading.errors).length).toBeLessThanOrEqual(100);
  }
  expect(accepted).toBeGreaterThan(0);
});

/** Undefined for a body that is refused before its members are validated. */
function parsed(json: string): unknown {
  try {
    return parseJson(Buffer.from(json));
  } catch {
    return undefined;
  }
}
