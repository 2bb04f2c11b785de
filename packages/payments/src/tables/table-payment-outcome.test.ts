import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTablePayment, type TablePayment } from '@pos/core/tables';
import { gbp } from '@pos/core/testing';
import { TestCardMachine } from '../testing/card-machine.js';
import { readCardOutcome } from './table-payment-outcome.js';
import {
  transactAs,
  createIntent,
  createTestAccount,
  createTestEnvironment,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterAll(() => testEnvironment.close());

async function tablePaymentOf(testAccount: TestAccount, machine: TestCardMachine): Promise<TablePayment> {
  const id = await transactAs(testEnvironment, testAccount, (tx) => tx.newUuid());
  const { payment } = startTablePayment(
    {
      ...{ id, origin: 'journey', journeyId: null, leaseId: null, sessionId: 'S-1', orderId: null },
      ...{ base: gbp(2000), gratuity: gbp(0), cashback: gbp(0), paidBefore: gbp(0) },
      intentId: machine.session.paymentIntentId,
    },
    new Date(),
  );
  return { ...payment, terminalSessionId: machine.session.id };
}

test('an approval that is being stored during the read is awaited, never taken for a refusal', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await machine.confirmSession();
  const payment = await tablePaymentOf(testAccount, machine);
  const approval = await machine.chargeCard();
  const other = await testEnvironment.testDatabase.open();
  const decisionReader = await transactAs(testEnvironment, testAccount, async (tx) => {
    const report = { kind: 'approved', number: 2, approval, isSignatureRequired: false } as const;
    await testEnvironment.sessions.applyReport(tx, {
      terminal: testAccount.terminals[0],
      sessionId: machine.session.id,
      report,
    });
    const outcome = other.transact(testAccount.scope, (seen) => readCardOutcome(seen, payment));
    // Long enough for a read that does not wait to have returned its wrong result.
    await Promise.race([outcome, pause(200)]);
    return { outcome };
  });
  expect(await decisionReader.outcome).toMatchObject({ kind: 'taken', intent: { status: 'Captured' } });
});

test.each([
  ['declined', (machine: TestCardMachine) => machine.declinePayment(), { kind: 'ended', reason: 'declined' }],
  [
    'cancelled at the machine',
    (machine: TestCardMachine) => machine.sendReport({ kind: 'canceled' }),
    { kind: 'ended', reason: 'cancelled' },
  ],
  ['still asking for a card', (machine: TestCardMachine) => machine.showNotification('PresentCard'), null],
  ['waiting for a signature', (machine: TestCardMachine) => machine.approvePayment(true), null],
  ['approved', (machine: TestCardMachine) => machine.approvePayment(), { kind: 'taken' }],
] as const)('a card payment that is %s', async (_, happens, outcome) => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await machine.confirmSession();
  await happens(machine);
  const payment = await tablePaymentOf(testAccount, machine);
  const seen = await transactAs(testEnvironment, testAccount, (tx) => readCardOutcome(tx, payment));
  if (outcome === null) expect(seen).toBeNull();
  else expect(seen).toMatchObject(outcome);
});
