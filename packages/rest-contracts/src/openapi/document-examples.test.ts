import { describe, expect, test } from '@jest/globals';
import { CARD_VAULT_OPERATIONS } from '../card-vault/client-payments.js';
import { OPERATION_EXAMPLES } from '../examples/examples.js';
import { API_OPERATIONS } from '../operations/operations.js';
import type { Operation } from '../operation/operation.js';
import { TESTER_OPERATIONS } from '../operators/tester.js';
import { readBody } from '../parsing/reading.js';
import { listReasons } from '../problems/operation-reasons.js';
import { Problem } from '../problems/problems.js';
import { walkLeaves } from '../shapes/leaves.js';
import { LATEST_RELEASE, RELEASES } from '../versions/versions.js';
import { findExamples, getBody } from './document-examples.js';

const OPERATIONS: readonly Operation[] = [...API_OPERATIONS, ...CARD_VAULT_OPERATIONS, ...TESTER_OPERATIONS];
const byId = OPERATIONS.map((operation) => [operation.id, operation] as const);
/** What the sandbox documents as test cards; no other number may be in an example. */
const TEST_CARDS = ['4456530000091014', '4456530000001096'];

describe('every operation', () => {
  test.each(byId)('%s has an example of a success and of a refusal', (_, operation) => {
    const { request, success, problems, parameters } = findExamples(operation, LATEST_RELEASE);
    if (operation.returns !== null) expect(Object.keys(success)).not.toEqual([]);
    if (operation.body !== undefined) expect(Object.keys(request)).not.toEqual([]);
    expect([...problems.values()].flatMap((named) => Object.keys(named))).not.toEqual([]);
    expect(Object.keys(parameters)).toEqual(expect.arrayContaining(Object.keys(operation.params?.shape ?? {})));
  });

  test.each(byId)('%s accepts the bodies of its examples, and gives their answers', (_, operation) => {
    const { success, problems } = findExamples(operation, LATEST_RELEASE);
    for (const { value } of Object.values(success)) expect(operation.returns?.parse(value)).toEqual(value);
    for (const named of problems.values()) {
      for (const { value } of Object.values(named)) {
        expect(Problem.parse(value)).toEqual(value);
        expect(listReasons(operation)).toContain(Problem.parse(value).reason);
      }
    }
  });
});

test.each(OPERATION_EXAMPLES.map((example) => [`${example.operationId} ${example.name}`, example] as const))(
  '%s: its body is valid, unless it is the example of an invalid one',
  (_, example) => {
    const operation = OPERATIONS.find(({ id }) => id === example.operationId);
    if (operation?.body === undefined) return;
    const { ok } = readBody(operation.body, JSON.parse(JSON.stringify(getBody(operation, example))));
    if (example.refusal?.reason !== 'validation_failed') expect(ok).toBe(true);
  },
);

test('no two examples of an operation have one name', () => {
  const names = OPERATION_EXAMPLES.map(({ operationId, name }) => `${operationId} ${name}`);
  expect(names).toEqual([...new Set(names)]);
});

test('examples contain no card number except those of test cards, and no key that works', () => {
  for (const example of OPERATION_EXAMPLES) {
    walkLeaves(example, ({ value }) => {
      if (typeof value !== 'string') return;
      if (/^\d{12,19}$/.test(value)) expect(TEST_CARDS).toContain(value);
      expect(value).not.toMatch(/sk_prod_/);
    });
  }
});

test.each(RELEASES)('in release %s, the example of a payment has the form of the release', (release) => {
  const operation = API_OPERATIONS.find(({ id }) => id === 'readPaymentIntent');
  if (operation === undefined) throw new Error('there is no such operation');
  const { success } = findExamples(operation, release);
  const isBeside = release < '2024-02-05';
  const [{ value } = { value: {} }] = Object.values(success);
  const { paymentDetails } = value as { paymentDetails: object };
  expect(Object.keys(paymentDetails).includes('cardType')).toBe(isBeside);
});
