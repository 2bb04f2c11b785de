import { expect, test } from '@jest/globals';
import { createPaymentIntent } from '@pos/rest-contracts/payment-intents/payment-intent-operations';
import { payByCard } from '@pos/rest-contracts/card-vault/client-payments';
import { readBody } from '@pos/rest-contracts/parsing/reading';
import { parseJson } from '@pos/service-kit/request-checks/json-body';
import { listWorstBodies } from './worst-bodies.js';

/** A long run parses every body, the short one each seventh, which are of all kinds. */
const STEP = process.env['LONG'] === '1' ? 1 : 7;

test.each([
  ['itemLines', createPaymentIntent.body],
  ['itemLines.*.modifiers', createPaymentIntent.body],
  ['paymentMethods', createPaymentIntent.body],
  ['metadata', createPaymentIntent.body],
  ['metaData', payByCard.body],
])('the worst bodies of an operation have %s of the maximal size of a request', (place, schema) => {
  const large = listSizes(schema)
    .filter(({ name }) => name.startsWith(`${place} `))
    .map(({ size }) => size);
  expect(Math.max(...large)).toBeGreaterThan(50_000);
  expect(Math.max(...large)).toBeLessThanOrEqual(1024 * 1024);
});

test('no body is answered with more than a hundred violations, and some large ones are accepted', () => {
  let accepted = 0;
  for (const [index, { json }] of [...listWorstBodies(createPaymentIntent.body)].entries()) {
    const isLeftOut = json.length > 600_000 || index % STEP > 0;
    const body = isLeftOut ? undefined : parsed(json);
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

const sizesOfSchemas = new Map<object, { readonly name: string; readonly size: number }[]>();

function listSizes(schema: Parameters<typeof listWorstBodies>[0]): { readonly name: string; readonly size: number }[] {
  const known =
    sizesOfSchemas.get(schema) ??
    Array.from(listWorstBodies(schema), ({ name, json }) => ({ name, size: json.length }));
  sizesOfSchemas.set(schema, known);
  return known;
}
