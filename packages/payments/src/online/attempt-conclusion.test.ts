import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Approval } from '@pos/core/cards';
import type { PaymentIntentId } from '@pos/core/identity';
import { cancel } from '@pos/core/payment-intents';
import type { AcquirerAnswer } from '@pos/core/acquirer';
import { createOnlineApproval, getDecline, gbp } from '@pos/core/testing';
import { findAcquirerCall, findIntent, listCallsOfIntent, listPaymentEvents, lockIntent } from '@pos/store/payments';
import { commitIntent } from '../payment-intents/intent-commit.js';
import { concludeAttempt } from './attempt-conclusion.js';
import { createUnansweredAttempt } from '../testing/online-attempts.js';
import {
  transactAs,
  elapseTime,
  createTestAccount,
  createTestEnvironment,
  getOutcome,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';

let testEnvironment: TestEnvironment;
let testAccount: TestAccount;

beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  testAccount = await createTestAccount(testEnvironment);
});
afterAll(() => testEnvironment.close());

/** An attempt that was requested and has had no answer. */
const attempt = () => createUnansweredAttempt(testEnvironment, testAccount);

function approvalUnder(reference: string, value = 2_000): Approval {
  const approval = createOnlineApproval(gbp(value), { reference });
  return approval;
}

async function readState(id: PaymentIntentId): Promise<string> {
  return testEnvironment.database.read(testAccount.scope, async (reader) => {
    const intent = await findIntent(reader, id);
    const events = await listPaymentEvents(reader, id);
    return [intent?.status, ...events.map(({ eventType }) => eventType)].join(' ');
  });
}

function settleAnswer(reference: string, answer: AcquirerAnswer) {
  return transactAs(testEnvironment, testAccount, (tx) => concludeAttempt(tx, reference, answer));
}

test('an approval that meets a finished intent is undone, and the history says so', async () => {
  const { id, reference } = await attempt();
  await transactAs(testEnvironment, testAccount, async (tx) => {
    const locked = (await lockIntent(tx, id))!;
    await commitIntent(tx, locked, cancel(locked.intent, { now: tx.now, hasRunningAttempt: false }));
  });
  await settleAnswer(reference, { outcome: 'approved', approval: approvalUnder(reference) });
  expect(await readState(id)).toBe('Canceled Canceled Reversed');
  await elapseTime(testEnvironment, testAccount.scope, 60_000);
  const calls = await testEnvironment.database.read(testAccount.scope, (reader) => listCallsOfIntent(reader, id));
  expect(calls.map(({ kind, state, outcome }) => `${kind} ${state} ${outcome}`)).toEqual([
    'Authorise Settled Reversed',
    'Reverse Settled Approved',
  ]);
  expect(await readState(id)).toBe('Canceled Canceled Reversed');
});

test('an approval after the reversal was ordered changes nothing, however often it arrives', async () => {
  const { id, reference } = await attempt();
  await elapseTime(testEnvironment, testAccount.scope, 80_000);
  expect(await readState(id)).toBe('Created Error');
  for (let time = 0; time < 2; time += 1) {
    await settleAnswer(reference, { outcome: 'approved', approval: approvalUnder(reference) });
  }
  expect(await readState(id)).toBe('Created Error');
});

test('an approval of another amount ends nothing', async () => {
  const { id, reference } = await attempt();
  const call = await settleAnswer(reference, { outcome: 'approved', approval: approvalUnder(reference, 1) });
  expect(call.state).toBe('Unknown');
  expect(await readState(id)).toBe('Created');
});

test.each<[string, (reference: string) => AcquirerAnswer, string, string]>([
  [
    'approved',
    (reference) => ({ outcome: 'approved', approval: approvalUnder(reference) }),
    'Captured Captured',
    'Approved',
  ],
  ['declined', () => ({ outcome: 'declined', decline: getDecline() }), 'Created Declined', 'Declined'],
  ['failed', () => ({ outcome: 'declined', decline: getDecline('FAILED') }), 'Created Error', 'Declined'],
  ['reversed by another party', () => ({ outcome: 'reversed' }), 'Created Error', 'Canceled'],
])('%s is settled once, also by two concurrent callers', async (_, answerOf, expected, outcome) => {
  const { id, reference } = await attempt();
  await Promise.all([settleAnswer(reference, answerOf(reference)), settleAnswer(reference, answerOf(reference))]);
  await settleAnswer(reference, answerOf(reference));
  expect(await readState(id)).toBe(expected);
  const call = await testEnvironment.database.read(testAccount.scope, (reader) => findAcquirerCall(reader, reference));
  expect([call?.state, call?.outcome]).toEqual(['Settled', outcome]);
});

test.each<[AcquirerAnswer['outcome']]>([['inProgress'], ['notFound']])('%s ends nothing', async (outcome) => {
  const { id, reference } = await attempt();
  const answer: AcquirerAnswer = outcome === 'notFound' ? { outcome } : { outcome: 'inProgress' };
  expect((await settleAnswer(reference, answer)).state).toBe('Unknown');
  expect(await readState(id)).toBe('Created');
});

test('while its outcome is open an intent is neither canceled nor given another secret, and does not expire', async () => {
  const { id } = await attempt();
  const { intents } = testEnvironment;
  expect(await getOutcome(transactAs(testEnvironment, testAccount, (tx) => intents.cancel(tx, id)))).toBe(
    'payment_intent_busy',
  );
  expect(await getOutcome(transactAs(testEnvironment, testAccount, (tx) => intents.refreshSecretPublic(tx, id)))).toBe(
    'payment_intent_busy',
  );
});
