import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRelayedPayment, type RecordClaim } from '@pos/core/tables';
import { gbp } from '@pos/core/testing';
import type { PaymentIntent } from '@pos/core/payment-intents';
import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Tx } from '@pos/store/database';
import { lockIntent } from '@pos/store/payments';
import { insertOrderPlacement, insertTablePayment } from '@pos/store/tables';
import { TestCardMachine } from '../testing/card-machine.js';
import { prepareRefund } from '../captures-refunds/refunds.js';
import type { Money } from '@pos/core/money';
import { claimTransaction, proveByIntent, type StoreProof } from './device-payments.js';
import {
  transactAs,
  createIntent,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterAll(() => testEnvironment.close());

async function createPayment(testAccount: TestAccount) {
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await machine.confirmSession();
  await machine.approvePayment();
  // The approvals of the test's machine have a fixed time.
  await testEnvironment.database.dataSource.query(
    `update payment_intents set payment_details = jsonb_set(payment_details, '{transactionDateTime}', to_jsonb($2::text))
     where id = $1`,
    [machine.session.paymentIntentId, new Date().toISOString()],
  );
  const intent = await readIntent(testEnvironment, testAccount, machine.session.paymentIntentId ?? '');
  return { intent, transactionId: intent.paymentDetails?.transactionId ?? '' };
}

/** The claim of a device that the test's machine has taken this money now. */
function buildClaim(transactionId: string, total: Money, tid: string): RecordClaim {
  return {
    ...{ paymentId: 'payment-1', transactionId, isCardPresent: true, tids: [tid] },
    ...{ total, cashback: gbp(0), attemptedAt: new Date() },
  };
}

async function prove(testAccount: TestAccount, transactionId: string, total: Money): Promise<StoreProof['outcome']> {
  const claim = buildClaim(transactionId, total, testAccount.terminals[0].tid);
  return (await transactAs(testEnvironment, testAccount, (tx) => proveByIntent(tx, claim))).outcome;
}

test.each<[string, number, StoreProof['outcome']]>([
  ['this very money', 0, 'proved'],
  ['a penny less than was taken', -1, 'refused'],
  ['a penny more than was taken', 1, 'refused'],
])('a device that records %s', async (_, difference, outcome) => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intent, transactionId } = await createPayment(testAccount);
  expect(await prove(testAccount, transactionId, gbp(intent.captured.value + difference))).toBe(outcome);
});

test('money that was given back cannot be recorded', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intent, transactionId } = await createPayment(testAccount);
  await testEnvironment.giveBack.giveBackPayment(testAccount.scope, {
    intentId: intent.id,
    reference: 'giveback-test',
  });
  expect(await prove(testAccount, transactionId, intent.captured)).toBe('refused');
});

test('money whose refund has begun cannot be recorded', async () => {
  const order = { amount: 1, reason: null, notes: null, previousTransactionId: null };
  const testAccount = await createTestAccount(testEnvironment);
  const { intent, transactionId } = await createPayment(testAccount);
  await transactAs(testEnvironment, testAccount, (tx) =>
    prepareRefund(tx, testEnvironment.settings, { intentId: intent.id, request: order }),
  );
  expect(await prove(testAccount, transactionId, intent.captured)).toBe('refused');
});

test.each<[string, string, StoreProof['outcome']]>([
  ['no transaction', '', 'refused'],
  ['a transaction that is not ours', '00000000-0000-4000-8000-000000000000', 'missing'],
])('by %s nothing is proved', async (_, transactionId, outcome) => {
  const testAccount = await createTestAccount(testEnvironment);
  expect(await prove(testAccount, transactionId, gbp(100))).toBe(outcome);
});

test('a transaction of another account proves nothing', async () => {
  const [one, other] = [await createTestAccount(testEnvironment), await createTestAccount(testEnvironment)];
  const { intent, transactionId } = await createPayment(one);
  expect(await prove(other, transactionId, intent.captured)).toBe('missing');
});

test('a transaction proves one payment, and the same one again', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intent, transactionId } = await createPayment(testAccount);
  expect(await prove(testAccount, transactionId, intent.captured)).toBe('proved');
  expect(await prove(testAccount, transactionId, intent.captured)).toBe('proved');
  await testEnvironment.database.dataSource.query(
    `update proved_transactions set payment_id = 'payment-2' where transaction_id = $1`,
    [transactionId.toLowerCase()],
  );
  expect(await prove(testAccount, transactionId, intent.captured)).toBe('refused');
});

test('the money of an intent belongs to one payment at a table, for ever', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intent } = await createPayment(testAccount);
  await recordPayment(testAccount, intent);
  await expect(recordPayment(testAccount, intent)).rejects.toMatchObject({ code: '23505' });
});

test('money that another payment at a table has cannot be recorded', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intent, transactionId } = await createPayment(testAccount);
  await recordPayment(testAccount, intent);
  expect(await prove(testAccount, transactionId, intent.captured)).toBe('refused');
});

test('what another transaction records while it holds the intent is seen by a proof that waits for it', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intent, transactionId } = await createPayment(testAccount);
  const gate = new EventEmitter();
  const isLocked = once(gate, 'locked');
  const recording = transactAs(testEnvironment, testAccount, async (tx) => {
    await lockIntent(tx, intent.id);
    const isProving = once(gate, 'proving');
    gate.emit('locked');
    await isProving;
    await insertRecordedPayment(tx, intent);
  });
  await isLocked;
  const proof = prove(testAccount, transactionId, intent.captured);
  await waitUntilBlocked();
  gate.emit('proving');
  await recording;
  expect(await proof).toBe('refused');
});

/** Resolves when a transaction waits for a row lock. */
async function waitUntilBlocked(): Promise<void> {
  for (;;) {
    const [row] = await testEnvironment.database.dataSource.query<{ count: number }[]>(
      `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    if ((row?.count ?? 0) > 0) return;
    await pause(10);
  }
}

test('an intent that has another transaction proves nothing, also where its caller has found it', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const [one, other] = [await createPayment(testAccount), await createPayment(testAccount)];
  const claim = buildClaim(one.transactionId, other.intent.captured, testAccount.terminals[0].tid);
  const proveBy = (found: PaymentIntent) =>
    transactAs(testEnvironment, testAccount, (tx) => proveByIntent(tx, claim, found.id));
  expect(await proveBy(other.intent)).toMatchObject({
    ...{ outcome: 'refused', reason: expect.stringContaining('it has another transaction') },
  });
  expect(await proveBy(one.intent)).toMatchObject({ outcome: 'proved' });
});

test('money that an order was paid with in advance cannot be recorded', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intent, transactionId } = await createPayment(testAccount);
  await transactAs(testEnvironment, testAccount, async (tx) => {
    insertOrderPlacement(tx, {
      ...{ id: await tx.newUuid(), intentId: intent.id, order: {}, state: 'Placed', nextStep: null, dueAt: null },
      ...{ total: intent.captured, gratuity: gbp(0), orderId: 'order-1', placeCalls: 1, isUnanswered: false },
      ...{ calledAt: null, doubtAt: null, isHoldEnding: false, isMoneyGone: false, tries: 0, giveBackSince: null },
      ...{ mayOrderStand: false, lastError: null, since: tx.now, version: 1, createdAt: tx.now, updatedAt: tx.now },
    });
  });
  expect(await prove(testAccount, transactionId, intent.captured)).toBe('refused');
});

test('a transaction that only the acquirer knows proves one payment', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const claim = buildClaim('known-to-the-acquirer', gbp(100), testAccount.terminals[0].tid);
  const other = { ...claim, paymentId: 'payment-2' };
  const use = (by: RecordClaim) => transactAs(testEnvironment, testAccount, (tx) => claimTransaction(tx, by));
  expect([await use(claim), await use(claim)]).toEqual([null, null]);
  expect(await use(other)).toMatchObject({ outcome: 'refused' });
  // Also where no intent has it: it is not looked for at the acquirer again.
  const proof = transactAs(testEnvironment, testAccount, (tx) => proveByIntent(tx, other));
  expect(await proof).toMatchObject({ outcome: 'refused' });
});

/** Records a payment at a table that an intent of ours has paid. */
function recordPayment(testAccount: TestAccount, intent: PaymentIntent): Promise<void> {
  return transactAs(testEnvironment, testAccount, (tx) => insertRecordedPayment(tx, intent));
}

async function insertRecordedPayment(tx: Tx, { id: intentId, captured }: PaymentIntent): Promise<void> {
  const none = { journeyId: null, leaseId: null, orderId: null };
  const amounts = { base: captured, gratuity: gbp(0), cashback: gbp(0), paidBefore: gbp(0) };
  const part = { ...none, ...amounts, id: await tx.newUuid(), origin: 'device', sessionId: 'S-1' } as const;
  const relayed = createRelayedPayment({ ...part, intentId }, new Uint8Array([1]), tx.databaseNow);
  await insertTablePayment(tx, relayed.payment);
}

test('without an acquirer for production no production call goes to the sandbox', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intent } = await createPayment(testAccount);
  const call = {
    reference: 'rv-1',
    kind: 'Reverse',
    acquirer: 'default',
    merchantId: 'M-1',
    originalReference: intent.paymentDetails?.reference ?? '',
  } as const;
  const production = { ...testAccount.scope, environment: 'production' } as const;
  const booked = () => testEnvironment.acquirerServer.acquirer.books.findCall('rv-1');
  const answer = await testEnvironment.calls.sendCall(production, {
    ...{ ...call, paymentIntentId: intent.id, setupIntentId: null, terminalSessionId: null },
    ...{ amount: intent.captured, state: 'Prepared' },
    ...{ outcome: null, deadlineAt: new Date(), reverseReference: null, result: null, version: 1 },
  });
  expect(answer.outcome).toBe('unknown');
  expect(booked()).toBeNull();
});
