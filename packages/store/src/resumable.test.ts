import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Refusal } from '@pos/core/refusal';
import type { Idempotency } from './once.js';
import { beginResumable, finishResumable, pauseResumable } from './resumable.js';
import { statement } from './statement.js';
import { freshDatabase, freshScope, type TestDatabase } from './testing.js';

let place: TestDatabase;
beforeAll(async () => {
  place = await freshDatabase();
});
afterAll(() => place.close());

const KEY: Idempotency = { method: 'POST', path: '/payment-intents/pi_1/refunds', key: 'k', fingerprintInput: '{}' };
const ANSWER = { status: 409, body: { title: 'Conflict' } };
const OVER = statement(
  'test_lease_over',
  `update idempotency_keys set leased_until = clock_timestamp() - interval '1 second' where account_id = $1 returning key`,
);

/** A scope of its own, and a first step that counts how often it was taken. */
function asking(idempotency: Idempotency | null = KEY) {
  const asked = { scope: freshScope(), idempotency };
  let steps = 0;
  const begin = (more: Partial<Idempotency> = {}) => {
    const key = asked.idempotency === null ? null : { ...asked.idempotency, ...more };
    return beginResumable(place.database, { ...asked, idempotency: key }, () =>
      Promise.resolve(`point ${(steps += 1)}`),
    );
  };
  return { asked, begin, steps: () => steps };
}

const refusalOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.code : error),
  );

test('while the first request is at it a repeat is told to wait, and takes no step', async () => {
  const { begin, steps } = asking();
  expect(await begin()).toEqual({ kind: 'begun', point: 'point 1' });
  expect(await refusalOf(begin())).toBe('idempotency_in_progress');
  expect(steps()).toBe(1);
});

test('what was given up goes on at once from where it was, and so does what died, after its lease', async () => {
  const { asked, begin, steps } = asking();
  await begin();
  await pauseResumable(place.database, asked, 'point 1');
  expect(await begin()).toEqual({ kind: 'begun', point: 'point 1' });
  expect(await refusalOf(begin())).toBe('idempotency_in_progress');
  await place.database.transact(asked.scope, (tx) => tx.query(OVER, [asked.scope.accountId]));
  expect(await begin()).toEqual({ kind: 'begun', point: 'point 1' });
  expect(steps()).toBe(1);
});

test('what is finished is answered again, to the end, and giving it up changes nothing', async () => {
  const { asked, begin } = asking();
  await begin();
  await finishResumable(place.database, asked, ANSWER);
  await pauseResumable(place.database, asked, 'point 1');
  expect(await begin()).toEqual({ kind: 'answered', answer: ANSWER });
});

test('another body is refused, whether the first request runs or has ended', async () => {
  const { asked, begin } = asking();
  await begin();
  expect(await refusalOf(begin({ fingerprintInput: '{"amount":1}' }))).toBe('idempotency_key_reused');
  await finishResumable(place.database, asked, ANSWER);
  expect(await refusalOf(begin({ fingerprintInput: '{"amount":1}' }))).toBe('idempotency_key_reused');
});

test('a step that is refused leaves the key unbound', async () => {
  const { asked, begin } = asking();
  const refused = beginResumable(place.database, asked, () => Promise.reject(new Refusal('not_refundable', 'no')));
  expect(await refusalOf(refused)).toBe('not_refundable');
  expect(await begin({ fingerprintInput: '{"amount":1}' })).toMatchObject({ kind: 'begun' });
});

test('without a key each request is a new operation', async () => {
  const { asked, begin, steps } = asking(null);
  await begin();
  await finishResumable(place.database, asked, ANSWER);
  await pauseResumable(place.database, asked, 'point 1');
  expect(await begin()).toEqual({ kind: 'begun', point: 'point 2' });
  expect(steps()).toBe(2);
});

test('twenty requests at once take one step', async () => {
  const { begin, steps } = asking();
  const answers = await Promise.all(Array.from({ length: 20 }, () => refusalOf(begin())));
  expect(answers.filter((each) => each === 'done')).toHaveLength(1);
  expect(steps()).toBe(1);
});
