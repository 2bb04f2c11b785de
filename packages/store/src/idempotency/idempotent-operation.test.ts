import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Refusal } from '@pos/core/refusals';
import type { Idempotency } from './key-columns.js';
import { IdempotentOperation } from './idempotent-operation.js';
import { defineStatement } from '@pos/postgres/statements';
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

/** How `execute` of a request ends: it succeeds, gives up, or its process crashes and nothing follows. */
type Ending = 'succeeds' | 'gives up' | 'crashes';

/** Requests of one key in a scope of its own, and how often the first step ran. */
function createRequests(idempotency: Idempotency | null = KEY) {
  const scope = createTestScope();
  let reservations = 0;
  const send = (ending: Ending = 'succeeds', changes: Partial<Idempotency> = {}, onExecute = (): void => undefined) => {
    const request = { scope, idempotency: idempotency && { ...idempotency, ...changes } };
    const operation = new IdempotentOperation<string, string>(testDatabase.database, request, {
      encodeResult: (result) => result,
      encodeRefusal: () => null,
    });
    return operation.run({
      reserve: () => Promise.resolve(`reference ${(reservations += 1)}`),
      execute: () => {
        onExecute();
        return EXECUTIONS[ending]();
      },
      getResult: (_, reference) => Promise.resolve(`result of ${reference}`),
    });
  };
  return { scope, send, countReservations: () => reservations };
}

const EXECUTIONS: Record<Ending, () => Promise<void>> = {
  succeeds: () => Promise.resolve(),
  'gives up': () => Promise.reject(new Refusal('acquirer_unanswered', 'no answer yet')),
  crashes: () => new Promise(() => undefined),
};

/** Sends a request whose process crashes once its first step is committed. */
async function crash({ send }: ReturnType<typeof createRequests>): Promise<void> {
  await new Promise<void>((resolve) => void send('crashes', {}, resolve));
}

const outcomeOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.catch((error: unknown) => (error instanceof Refusal ? error.code : error));

/** A promise that the test resolves. */
function createDeferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const FIRST_RESULT = { kind: 'completed', body: 'result of reference 1' };

test('a repeat is refused while the first request runs, and takes no step', async () => {
  const requests = createRequests();
  await crash(requests);
  expect(await outcomeOf(requests.send())).toBe('idempotency_in_progress');
  expect(requests.countReservations()).toBe(1);
});

test('a repeat continues at once what gave up, and what crashed after its lease', async () => {
  const requests = createRequests();
  expect(await outcomeOf(requests.send('gives up'))).toBe('acquirer_unanswered');
  expect(await outcomeOf(requests.send('gives up'))).toBe('acquirer_unanswered');
  expect(await requests.send()).toEqual(FIRST_RESULT);
  const crashed = createRequests();
  await crash(crashed);
  await testDatabase.database.transact(crashed.scope, (tx) => tx.query(OVER, [crashed.scope.accountId]));
  expect(await crashed.send()).toEqual(FIRST_RESULT);
  expect([requests, crashed].map(({ countReservations }) => countReservations())).toEqual([1, 1]);
});

test('of two requests that outlive their leases, the answer that is stored first counts for both', async () => {
  const { scope } = createRequests();
  const endLease = () => testDatabase.database.transact(scope, (tx) => tx.query(OVER, [scope.accountId]));
  const slowResult = createDeferred<string>();
  const isSlowRunning = createDeferred<undefined>();
  const createOperation = () =>
    new IdempotentOperation<string, string>(
      testDatabase.database,
      { scope, idempotency: KEY },
      { encodeResult: (result) => result, encodeRefusal: () => ANSWER },
    );
  const steps = { reserve: () => Promise.resolve('reference'), execute: () => Promise.resolve() };
  const slow = createOperation().run({
    ...steps,
    getResult: () => {
      isSlowRunning.resolve(undefined);
      return slowResult.promise;
    },
  });
  await isSlowRunning.promise;
  await endLease();
  expect(await createOperation().run({ ...steps, getResult: () => Promise.resolve('first') })).toEqual({
    kind: 'completed',
    body: 'first',
  });
  slowResult.resolve('second');
  const replayed = { kind: 'replayed', answer: { status: 200, body: 'first' } };
  expect(await slow).toEqual(replayed);
  expect(await createOperation().run({ ...steps, getResult: () => Promise.resolve('third') })).toEqual(replayed);
});

test('a request that gives up after its lease does not end the lease of the repeat', async () => {
  const { scope } = createRequests();
  const givingUp = createDeferred<undefined>();
  const isSlowRunning = createDeferred<undefined>();
  const run = (getResult: () => Promise<string>) =>
    new IdempotentOperation<string, string>(
      testDatabase.database,
      { scope, idempotency: KEY },
      { encodeResult: (result) => result, encodeRefusal: () => null },
    ).run({ reserve: () => Promise.resolve('reference'), execute: () => Promise.resolve(), getResult });
  const slow = run(async () => {
    isSlowRunning.resolve(undefined);
    await givingUp.promise;
    throw new Refusal('acquirer_unanswered', 'no answer yet');
  });
  await isSlowRunning.promise;
  await testDatabase.database.transact(scope, (tx) => tx.query(OVER, [scope.accountId]));
  const repeatResult = createDeferred<string>();
  const isRepeatRunning = createDeferred<undefined>();
  const repeat = run(() => {
    isRepeatRunning.resolve(undefined);
    return repeatResult.promise;
  });
  await isRepeatRunning.promise;
  givingUp.resolve(undefined);
  expect(await outcomeOf(slow)).toBe('acquirer_unanswered');
  expect(await outcomeOf(run(() => Promise.resolve('third')))).toBe('idempotency_in_progress');
  repeatResult.resolve('second');
  expect(await repeat).toEqual({ kind: 'completed', body: 'second' });
});

test('a repeat of a completed request gets its answer', async () => {
  const requests = createRequests();
  expect(await requests.send()).toEqual(FIRST_RESULT);
  const replayed = { kind: 'replayed', answer: { status: 200, body: 'result of reference 1' } };
  expect(await requests.send()).toEqual(replayed);
  expect(await requests.send('gives up')).toEqual(replayed);
});

test('a refusal that is final is bound to the key', async () => {
  const scope = createTestScope();
  const operation = new IdempotentOperation<string, string>(
    testDatabase.database,
    { scope, idempotency: KEY },
    { encodeResult: (result) => result, encodeRefusal: () => ANSWER },
  );
  const steps = {
    reserve: () => Promise.resolve('reference'),
    execute: () => Promise.resolve(),
    getResult: () => Promise.reject(new Refusal('refund_refused', 'the acquirer refused it')),
  };
  expect(await outcomeOf(operation.run(steps))).toBe('refund_refused');
  expect(await operation.run(steps)).toEqual({ kind: 'replayed', answer: ANSWER });
});

test('another body is refused, whether the first request runs or has ended', async () => {
  const requests = createRequests();
  await crash(requests);
  const sendOther = () => outcomeOf(requests.send('succeeds', { fingerprintInput: '{"amount":1}' }));
  expect(await sendOther()).toBe('idempotency_key_reused');
  await testDatabase.database.transact(requests.scope, (tx) => tx.query(OVER, [requests.scope.accountId]));
  expect(await requests.send()).toEqual(FIRST_RESULT);
  expect(await sendOther()).toBe('idempotency_key_reused');
});

test('a first step that is refused leaves the key unbound', async () => {
  const { scope, send } = createRequests();
  const operation = new IdempotentOperation<string, string>(
    testDatabase.database,
    { scope, idempotency: KEY },
    { encodeResult: (result) => result, encodeRefusal: () => ANSWER },
  );
  const refused = operation.run({
    reserve: () => Promise.reject(new Refusal('not_refundable', 'no')),
    execute: () => Promise.resolve(),
    getResult: () => Promise.resolve(''),
  });
  expect(await outcomeOf(refused)).toBe('not_refundable');
  expect(await send('succeeds', { fingerprintInput: '{"amount":1}' })).toEqual(FIRST_RESULT);
});

test('without a key each request is a new operation', async () => {
  const { send, countReservations } = createRequests(null);
  expect(await send()).toEqual(FIRST_RESULT);
  expect(await outcomeOf(send('gives up'))).toBe('acquirer_unanswered');
  expect(await send()).toEqual({ kind: 'completed', body: 'result of reference 3' });
  expect(countReservations()).toBe(3);
});

test('twenty requests at once take one step', async () => {
  const { send, countReservations } = createRequests();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(send())));
  expect(outcomes.filter((each) => (each as { kind?: string }).kind === 'completed')).toHaveLength(1);
  expect(countReservations()).toBe(1);
});
