import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { AcquirerRule } from '@pos/sandbox/testing';
import { defineInLongRun, selectRows } from '@pos/testing';
import { parseJson } from '../testing/api-test-environment.js';
import { ChargeTestEnvironment } from '../testing/charge-test-environment.js';

let testEnvironment: ChargeTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ChargeTestEnvironment.open({ ACQUIRER_DEADLINE_MS: '5000' });
});
afterEach(() => setRules([]));
afterAll(() => testEnvironment.close());

/** The edges are in the long run. */
const testLong = defineInLongRun(test);

const BEFORE_CALL = 'after-attempt-before-call';
const AFTER_ANSWER = 'after-answer-before-commit';
const DECLINED_CARD = '4456530000091071';

describe('an API process that crashes during a charge', () => {
  const REPEATED = [
    ['with an approval', AFTER_ANSWER, undefined, ['2000 Approved'], '200 Successful DEPOSITED', ['2000 Approved']],
    ['before the call', BEFORE_CALL, undefined, [], '200 Successful DEPOSITED', ['2000 Approved']],
    ['with a decline', AFTER_ANSWER, DECLINED_CARD, ['2000 Declined'], '200 Declined Declined', ['2000 Declined']],
  ] as const;

  test.each(selectRows(REPEATED, ([, point]) => point))(
    '%s leaves the outcome to a repeat of the key',
    async (...row) => {
      const [, point, number, bookedAtOnce, answered, booked] = row;
      const { id, key } = await crashCharge(point, number);
      expect(await testEnvironment.listBookings(id)).toEqual(bookedAtOnce);
      expect(await readAnswer(id, key)).toBe('409 idempotency_in_progress');
      expect(await readAnswer(id, 'another')).toBe('409 payment_intent_busy');
      await testEnvironment.endLeases();
      expect(await readAnswer(id, key)).toBe(answered);
      expect(await readAnswer(id, key)).toBe(answered);
      expect(await testEnvironment.listBookings(id)).toEqual(booked);
      expect(await listOpenCalls(id)).toEqual([]);
    },
  );

  const WORKED = [
    ['with an approval', AFTER_ANSWER, '200 Successful DEPOSITED', 'Captured', 'Captured'],
    ['before the call', BEFORE_CALL, '200 Failed REVERSED', 'Created', 'Created'],
  ] as const;

  test.each(WORKED)(
    '%s leaves one outcome to a worker, which a repeat returns',
    async (_, point, answered, state, endState) => {
      const { id, key } = await crashCharge(point);
      await endDeadline(id);
      await pursueCalls(id);
      expect(await readStatus(id)).toBe(state);
      await testEnvironment.endLeases();
      expect(await readAnswer(id, key)).toBe(answered);
      expect([await readStatus(id), await listOpenCalls(id)]).toEqual([endState, []]);
      expect(await testEnvironment.listBookings(id)).toEqual(state === 'Captured' ? ['2000 Approved'] : []);
    },
  );

  testLong('and whose acquirer refuses the repeat by status takes no approval for a failure', async () => {
    const { id, key } = await crashCharge(AFTER_ANSWER);
    await testEnvironment.endLeases();
    setRules([{ match: { kind: 'Authorise' }, effect: 'refuse', status: 'PERMISSION_DENIED', times: 1 }]);
    expect(await readAnswer(id, key)).toBe('200 Successful DEPOSITED');
    expect([await readStatus(id), await testEnvironment.listBookings(id)]).toEqual(['Captured', ['2000 Approved']]);
  });
});

test('a refusal by status of a repeat does not end a charge whose first answer was lost', async () => {
  const id = await createCharge();
  setRules([{ match: { kind: 'Authorise' }, effect: 'drop-answer', times: 1 }]);
  expect(await readAnswer(id, 'lost')).toBe('504 acquirer_unanswered');
  setRules([{ match: { kind: 'Authorise' }, effect: 'refuse', status: 'INVALID_ARGUMENT', times: 1 }]);
  expect(await readAnswer(id, 'lost')).toBe('200 Successful DEPOSITED');
  expect(await readAnswer(id, 'another')).toMatch(/^409 /);
  expect([await readStatus(id), await testEnvironment.listBookings(id)]).toEqual(['Captured', ['2000 Approved']]);
});

testLong('a repeat begins the time again after which a charge is reversed', async () => {
  const id = await createCharge();
  setRules([{ match: { kind: 'Authorise' }, effect: 'down' }]);
  expect(await readAnswer(id, 'time')).toBe('504 acquirer_unanswered');
  await moveDeadline(id, '50 seconds');
  expect(await readAnswer(id, 'time')).toBe('504 acquirer_unanswered');
  await moveDeadline(id, '50 seconds');
  await pursueCalls(id);
  expect(await readStatus(id)).toBe('Created');
  setRules([]);
  expect(await readAnswer(id, 'time')).toBe('200 Successful DEPOSITED');
});

test('a repeat sends nothing once the charge is due to be reversed', async () => {
  const id = await createCharge();
  setRules([{ match: { kind: 'Authorise' }, effect: 'down', times: 1 }]);
  expect(await readAnswer(id, 'late')).toBe('504 acquirer_unanswered');
  await endDeadline(id);
  expect(await readAnswer(id, 'late')).toBe('504 acquirer_unanswered');
  expect(await testEnvironment.listBookings(id)).toEqual([]);
  await pursueCalls(id);
  expect(await readAnswer(id, 'late')).toBe('200 Failed REVERSED');
});

test('a repeat sends nothing once the charge is ten minutes old, although each repeat began its time again', async () => {
  const id = await createCharge();
  setRules([{ match: { kind: 'Authorise' }, effect: 'down', times: 1 }]);
  expect(await readAnswer(id, 'old')).toBe('504 acquirer_unanswered');
  await testEnvironment.api.queryRows(
    `update acquirer_calls set created_at = created_at - interval '10 minutes' where intent_id = $1 returning reference`,
    [id],
  );
  expect(await readAnswer(id, 'old')).toBe('504 acquirer_unanswered');
  expect(await testEnvironment.listBookings(id)).toEqual([]);
  await endDeadline(id);
  await pursueCalls(id);
  expect(await readAnswer(id, 'old')).toBe('200 Failed REVERSED');
});

async function createCharge(number?: string): Promise<string> {
  const setupIntentId = await testEnvironment.createSetup({}, number);
  return (await testEnvironment.api.createIntent({ setupIntentId })).id;
}

let crashes = 0;

async function crashCharge(point: string, number?: string): Promise<{ readonly id: string; readonly key: string }> {
  const id = await createCharge(number);
  const key = `crash-${(crashes += 1)}`;
  expect(await testEnvironment.chargeAndCrash(id, key, point)).toBe('SIGKILL');
  expect(await readStatus(id)).toBe('Created');
  return { id, key };
}

/** The status and what was answered: a charge's status and message, or the reason of a refusal. */
async function readAnswer(id: string, key: string): Promise<string> {
  const answer = await testEnvironment.charge(id, key);
  const { status, message, reason } = parseJson(answer);
  return answer.status === 200 ? `200 ${String(status)} ${String(message)}` : `${answer.status} ${String(reason)}`;
}

async function readStatus(id: string): Promise<unknown> {
  return (await testEnvironment.readJson(`/payment-intents/${id}`))['status'];
}

/** The time for the acquirer's answer, and the grace after it, have passed. */
const endDeadline = (id: string) => moveDeadline(id, '1 hour');

async function moveDeadline(id: string, by: string): Promise<void> {
  await testEnvironment.api.queryRows(
    `update acquirer_calls set deadline_at = deadline_at - $2::interval where intent_id = $1 returning reference`,
    [id, by],
  );
}

async function listOpenCalls(id: string): Promise<string[]> {
  const rows = await testEnvironment.api.queryRows<{ reference: string }>(
    `select reference from acquirer_calls where intent_id = $1 and state <> 'Settled' order by created_at desc`,
    [id],
  );
  return rows.map(({ reference }) => reference);
}

/** Follows every open call of the payment as the worker does: an authorisation, then the reversal that it may order. */
async function pursueCalls(id: string): Promise<void> {
  for (let step = 0; step < 2; step += 1) {
    for (const reference of await listOpenCalls(id)) await testEnvironment.api.pursueCall(reference);
  }
}

function setRules(rules: readonly AcquirerRule[]): void {
  testEnvironment.api.acquirer.simulator.rules.replaceRules(rules);
}
