import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Refusal } from '@pos/core/refusals/refusal';
import type { Idempotency } from './idempotency-keys.js';
import { beginOperation, completeOperation, releaseOperation } from './idempotent-operation.js';
import { defineStatement } from '../postgres/statement.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

const KEY: Idempotency = { method: 'POST', path: '/payment-intents/pi_1/refunds', key: 'k', fingerprintInput: '{}' };
const ANSWER = { status: 409, body: { title: 'Conflict' } };
const OVER = defineStatement(
  'test_lease_over',
  `update idempotency_keys set leased_until = clock_timestamp() - interval '1 second' where account_id = $1 returning key`,
);

/** A scope of its own, and a first step that counts how often it was taken. */
function startOperation(idempotency: Idempotency | null = KEY) {
  const operation = { scope: createTestScope(), idempotency };
  let steps = 0;
  const begin = (more: Partial<Idempotency> = {}) => {
    const key = operation.idempotency === null ? null : { ...operation.idempotency, ...more };
    return beginOperation(testDatabase.database, { ...operation, idempotency: key }, () =>
      Promise.resolve(`point ${(steps += 1)}`),
    );
  };
  return { asked: operation, begin, steps: () => steps };
}

const refusalOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.code : error),
  );

test('while the first request is at it a repeat is told to wait, and takes no step', async () => {
  const { begin, steps } = startOperation();
  expect(await begin()).toEqual({ kind: 'begun', point: 'point 1' });
  expect(await refusalOf(begin())).toBe('idempotency_in_progress');
  expect(steps()).toBe(1);
});

test('what was given up goes on at once from where it was, and so does what died, after its lease', async () => {
  const { asked: operation, begin, steps } = startOperation();
  await begin();
  await releaseOperation(testDatabase.database, operation, 'point 1');
  expect(await begin()).toEqual({ kind: 'begun', point: 'point 1' });
  expect(await refusalOf(begin())).toBe('idempotency_in_progress');
  await testDatabase.database.transact(operation.scope, (tx) => tx.query(OVER, [operation.scope.accountId]));
  expect(await begin()).toEqual({ kind: 'begun', point: 'point 1' });
  expect(steps()).toBe(1);
});

test('what is finished is answered again, to the end, and giving it up changes nothing', async () => {
  const { asked: operation, begin } = startOperation();
  await begin();
  await completeOperation(testDatabase.database, operation, ANSWER);
  await releaseOperation(testDatabase.database, operation, 'point 1');
  expect(await begin()).toEqual({ kind: 'answered', answer: ANSWER });
});

test('another body is refused, whether the first request runs or has ended', async () => {
  const { asked: operation, begin } = startOperation();
  await begin();
  expect(await refusalOf(begin({ fingerprintInput: '{"amount":1}' }))).toBe('idempotency_key_reused');
  await completeOperation(testDatabase.database, operation, ANSWER);
  expect(await refusalOf(begin({ fingerprintInput: '{"amount":1}' }))).toBe('idempotency_key_reused');
});

test('a step that is refused leaves the key unbound', async () => {
  const { asked: operation, begin } = startOperation();
  const refused = beginOperation(testDatabase.database, operation, () =>
    Promise.reject(new Refusal('not_refundable', 'no')),
  );
  expect(await refusalOf(refused)).toBe('not_refundable');
  expect(await begin({ fingerprintInput: '{"amount":1}' })).toMatchObject({ kind: 'begun' });
});

test('without a key each request is a new operation', async () => {
  const { asked: operation, begin, steps } = startOperation(null);
  await begin();
  await completeOperation(testDatabase.database, operation, ANSWER);
  await releaseOperation(testDatabase.database, operation, 'point 1');
  expect(await begin()).toEqual({ kind: 'begun', point: 'point 2' });
  expect(steps()).toBe(2);
});

test('twenty requests at once take one step', async () => {
  const { begin, steps } = startOperation();
  const answers = await Promise.all(Array.from({ length: 20 }, () => refusalOf(begin())));
  expect(answers.filter((each) => each === 'done')).toHaveLength(1);
  expect(steps()).toBe(1);
});
