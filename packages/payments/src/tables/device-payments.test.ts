import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRelayedPayment } from '@pos/core/tables/table-payment';
import { gbp } from '@pos/core/testing/builders';
import { insertTablePayment } from '@pos/store/tables/table-payments';
import { TestCardMachine } from '../testing/card-machine.js';
import { prepareRefund } from '../captures-refunds/refunds.js';
import { lockRecordedIntent } from './device-payments.js';
import {
  transactAs,
  createIntent,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  getOutcome,
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
  const intent = await readIntent(testEnvironment, testAccount, machine.session.paymentIntentId ?? '');
  return { intent, transactionId: intent.paymentDetails?.transactionId ?? '' };
}

test.each([
  ['this very money', 0, 'done'],
  ['a penny less than was taken', -1, 'card_transaction_unusable'],
  ['a penny more than was taken', 1, 'card_transaction_unusable'],
])('a device that records %s', async (_, difference, outcome) => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intent, transactionId } = await createPayment(testAccount);
  const total = gbp(intent.captured.value + difference);
  expect(
    await getOutcome(transactAs(testEnvironment, testAccount, (tx) => lockRecordedIntent(tx, transactionId, total))),
  ).toBe(outcome);
});

test('money that was given back cannot be recorded', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intent, transactionId } = await createPayment(testAccount);
  await testEnvironment.giveBack.giveBackPayment(testAccount.scope, {
    intentId: intent.id,
    reference: 'giveback-test',
  });
  const adopting = transactAs(testEnvironment, testAccount, (tx) =>
    lockRecordedIntent(tx, transactionId, intent.captured),
  );
  expect(await getOutcome(adopting)).toBe('card_transaction_unusable');
});

test('money whose refund has begun cannot be recorded', async () => {
  const order = { amount: 1, reason: null, notes: null, previousTransactionId: null };
  const testAccount = await createTestAccount(testEnvironment);
  const { intent, transactionId } = await createPayment(testAccount);
  await transactAs(testEnvironment, testAccount, (tx) =>
    prepareRefund(tx, testEnvironment.settings, { intentId: intent.id, request: order }),
  );
  const adopting = transactAs(testEnvironment, testAccount, (tx) =>
    lockRecordedIntent(tx, transactionId, intent.captured),
  );
  expect(await getOutcome(adopting)).toBe('card_transaction_unusable');
});

test.each([
  ['no transaction', ''],
  ['a transaction that is not ours', '00000000-0000-4000-8000-000000000000'],
])('of %s no intent is adopted', async (_, transactionId) => {
  const testAccount = await createTestAccount(testEnvironment);
  expect(
    await transactAs(testEnvironment, testAccount, (tx) => lockRecordedIntent(tx, transactionId, gbp(100))),
  ).toBeNull();
});

test('the money of an intent belongs to one payment at a table, for ever', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intent } = await createPayment(testAccount);
  const record = () =>
    transactAs(testEnvironment, testAccount, async (tx) => {
      const none = { journeyId: null, leaseId: null, orderId: null };
      const amounts = { base: intent.captured, gratuity: gbp(0), cashback: gbp(0), paidBefore: gbp(0) };
      const part = { ...none, ...amounts, id: await tx.newUuid(), origin: 'device', sessionId: 'S-1' } as const;
      const relayed = createRelayedPayment({ ...part, intentId: intent.id }, new Uint8Array([1]), tx.databaseNow);
      await insertTablePayment(tx, relayed.payment);
    });
  await record();
  await expect(record()).rejects.toMatchObject({ code: '23505' });
});

test('without an acquirer for production no production call goes to the sandbox', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intent } = await createPayment(testAccount);
  const call = {
    reference: 'rv-1',
    kind: 'Reverse',
    acquirer: 'default',
    merchantId: null,
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
