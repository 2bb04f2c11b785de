import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { listLedgerEntries } from '@pos/store/ledger';
import { listAlarmPage } from '../alarms/alarms.js';
import { TestCardMachine, createPaidIntent } from '../testing/card-machine.js';
import {
  createTestAccount,
  createTestEnvironment,
  readIntent,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { expectConsistent } from '../testing/consistency-checks.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterEach(() => {
  testEnvironment.acquirerServer.rules.replaceRules([]);
});
afterAll(async () => {
  await testEnvironment.close();
});

const reservedOf = async (testAccount: TestAccount, intentId: string) => {
  const { refunded, pendingRefund } = await readIntent(testEnvironment, testAccount, intentId);
  return [refunded.value, pendingRefund.value];
};
const alarmsOf = async (testAccount: TestAccount) =>
  (await testEnvironment.database.read(testAccount.scope, (reader) => listAlarmPage(reader, { limit: 10 }))).alarms;

describe('a refund that the machine cancels and approves later', () => {
  async function canceledAndApproved(testAccount: TestAccount, between: (intentId: string) => Promise<void>) {
    const { intentId } = await createPaidIntent(testEnvironment, testAccount);
    const request = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null } as const;
    const machine = await TestCardMachine.createSession(testEnvironment, testAccount, request);
    await machine.confirmSession();
    await machine.sendReport({ kind: 'canceled' });
    await between(intentId);
    await machine.approvePayment();
    return { intentId, machine };
  }

  test('is booked, for the money has left', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await canceledAndApproved(testAccount, async () => {});
    expect(await reservedOf(testAccount, intentId)).toEqual([2_000, 0]);
    expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Refunded');
    expect((await machine.readTerminalSession()).status).toBe('Canceled');
    expect(await machine.readAcquirerCall()).toMatchObject({ state: 'Settled', outcome: 'Approved' });
    await expectConsistent(testEnvironment, testAccount);
  });

  test('raises an alarm when its amount was refunded again meanwhile', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await canceledAndApproved(testAccount, async (paymentIntentId) => {
      const next = await TestCardMachine.createSession(testEnvironment, testAccount, {
        ...{ sessionType: 'MatchedRefund', paymentIntentId, amount: gbp(500) },
      });
      await next.approvePayment();
    });
    expect(await reservedOf(testAccount, intentId)).toEqual([500, 0]);
    expect(await alarmsOf(testAccount)).toMatchObject([
      { kind: 'MachineApprovalNotBooked', subject: machine.session.id, details: { amount: 2_000 }, answer: null },
    ]);
  });

  test('without a payment is booked on the session', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const machine = await TestCardMachine.createSession(testEnvironment, testAccount, {
      ...{ sessionType: 'UnlinkedRefund', amount: gbp(700), cardHolderNotPresent: false },
    });
    await machine.confirmSession();
    await machine.sendReport({ kind: 'canceled' });
    await machine.approvePayment();
    const entries = await testEnvironment.database.read(testAccount.scope, (reader) =>
      listLedgerEntries(reader, machine.session.id),
    );
    expect(entries.map(({ kind }) => kind)).toEqual(['refund']);
    await expectConsistent(testEnvironment, testAccount);
  });
});
