import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { listLedgerEntries } from '@pos/store/ledger';
import {
  listPublishedStates,
  listEventTypes,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  getOutcome,
  listPublishedEvents,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { expectConsistent } from '../testing/consistency-checks.js';
import { TestCardMachine, createPaidIntent } from '../testing/card-machine.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterAll(async () => {
  await testEnvironment.close();
});

describe('refunds on a machine', () => {
  test('of a payment: the amount is reserved while the session runs, and refunded when a card was read', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId } = await createPaidIntent(testEnvironment, testAccount);
    const request = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: gbp(500) } as const;
    const machine = await TestCardMachine.createSession(testEnvironment, testAccount, request);
    expect((await readIntent(testEnvironment, testAccount, intentId)).pendingRefund).toEqual(gbp(500));
    await machine.confirmSession();
    await machine.approvePayment(true);
    const intent = await readIntent(testEnvironment, testAccount, intentId);
    expect([intent.status, intent.refunded.value, intent.pendingRefund.value]).toEqual(['Captured', 500, 0]);
    // Refunds everything that is left.
    const rest = await TestCardMachine.createSession(testEnvironment, testAccount, { ...request, amount: null });
    expect(rest.session.total).toEqual(gbp(1_500));
    await rest.approvePayment();
    expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Refunded');
    expect(await listEventTypes(testEnvironment, testAccount, intentId)).toEqual(['Captured', 'Refunded', 'Refunded']);
    expect(await listPublishedStates(testEnvironment, testAccount.scope, intentId)).toEqual([
      'created Created',
      'Captured',
      'Refunded',
    ]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test.each([
    ['declined', (machine: TestCardMachine) => machine.declinePayment()],
    ['cancelled at the machine', (machine: TestCardMachine) => machine.sendReport({ kind: 'canceled' })],
  ])('of a payment, %s: the reservation is free again', async (_title, happens) => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId } = await createPaidIntent(testEnvironment, testAccount);
    const machine = await TestCardMachine.createSession(testEnvironment, testAccount, {
      ...{ sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null },
    });
    await machine.confirmSession();
    await happens(machine);
    const intent = await readIntent(testEnvironment, testAccount, intentId);
    expect([intent.status, intent.refunded.value, intent.pendingRefund.value]).toEqual(['Captured', 0, 0]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test.each([
    ['more than was taken', { amount: gbp(2_001) }, 'refund_exceeds_captured'],
    ['nothing', { amount: gbp(0) }, 'validation_failed'],
    ['another currency', { amount: { value: 100, currencyCode: 'EUR' } }, 'validation_failed'],
  ])('of %s are refused', async (_title, { amount }, code) => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId: paymentIntentId } = await createPaidIntent(testEnvironment, testAccount);
    const order = TestCardMachine.createSession(testEnvironment, testAccount, {
      sessionType: 'MatchedRefund',
      paymentIntentId,
      amount,
    });
    expect(await getOutcome(order)).toBe(code);
    expect((await readIntent(testEnvironment, testAccount, paymentIntentId)).pendingRefund.value).toBe(0);
  });

  test('two running refunds share what is left between them', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId } = await createPaidIntent(testEnvironment, testAccount);
    const request = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: gbp(1_200) } as const;
    await TestCardMachine.createSession(testEnvironment, testAccount, request);
    expect(
      await getOutcome(
        TestCardMachine.createSession(testEnvironment, testAccount, { ...request, terminal: testAccount.terminals[1] }),
      ),
    ).toBe('refund_exceeds_captured');
  });

  test('without a payment: the money is booked on the session itself', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const machine = await TestCardMachine.createSession(testEnvironment, testAccount, {
      ...{ sessionType: 'UnlinkedRefund', amount: gbp(700), cardHolderNotPresent: false },
    });
    await machine.confirmSession();
    await machine.approvePayment();
    const session = await machine.readTerminalSession();
    expect(session.status).toBe('Captured');
    const entries = await testEnvironment.database.read(testAccount.scope, (reader) =>
      listLedgerEntries(reader, session.id),
    );
    expect(entries.map(({ kind, reference }) => [kind, reference])).toEqual([['refund', session.acquirerReference]]);
    const published = await listPublishedEvents(testEnvironment, testAccount.scope, session.id);
    expect(published.every(({ data }) => !('paymentIntentId' in data))).toBe(true);
    await expectConsistent(testEnvironment, testAccount);
  });
});
