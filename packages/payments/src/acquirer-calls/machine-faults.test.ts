import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createApproval, gbp } from '@pos/core/testing';
import { APPROVED } from '@pos/sandbox/testing';
import { listPaymentActivities } from '@pos/store/activities';
import { findIntentByTransaction } from '@pos/store/payments';
import { listAlarmPage } from '../alarms/alarms.js';
import { createPaidIntent, TestCardMachine } from '../testing/card-machine.js';
import { expectConsistent } from '../testing/consistency-checks.js';
import {
  createIntent,
  createTestAccount,
  createTestEnvironment,
  elapseTime,
  readIntent,
  runDueWork,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';

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

const listKinds = async (testAccount: TestAccount) => {
  const { alarms } = await testEnvironment.database.read(testAccount.scope, (reader) =>
    listAlarmPage(reader, { limit: 10 }),
  );
  return alarms.map(({ kind }) => kind).sort();
};

async function startSale(testAccount: TestAccount) {
  const intentId = await createIntent(testEnvironment, testAccount);
  const machine = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
  await machine.confirmSession();
  return { intentId, machine };
}

test('an approval whose transaction id is no UUID is booked, listed and found, and named outside by a UUID', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId, machine } = await startSale(testAccount);
  const real = await machine.chargeCard();
  const approval = { ...real, transactionId: 'TXN/000123' };
  await machine.sendReport({ kind: 'approved', approval, isSignatureRequired: false });
  const { status, paymentDetails } = await readIntent(testEnvironment, testAccount, intentId);
  expect([status, paymentDetails?.acquirerTransactionId]).toEqual(['Captured', 'TXN/000123']);
  expect(paymentDetails?.transactionId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  for (const text of ['TXN/000123', paymentDetails!.transactionId]) {
    const found = await testEnvironment.database.read(testAccount.scope, (reader) =>
      findIntentByTransaction(reader, text),
    );
    expect(found?.id).toBe(intentId);
  }
  await expectConsistent(testEnvironment, testAccount);
});

test('a sale whose approval cannot be read is concluded by the answer of the acquirer', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId, machine } = await startSale(testAccount);
  await machine.chargeCard();
  await machine.sendReport({ kind: 'unreadableApproval', problem: 'amount', details: { sentAmount: '-1' } });
  expect((await machine.readTerminalSession()).status).toBe('Expired');
  await runDueWork(testEnvironment, testAccount.scope);
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Captured');
  expect(await listKinds(testAccount)).toEqual(['MachineApprovalUnreadable']);
  await expectConsistent(testEnvironment, testAccount);
});

test('an unreadable approval that the acquirer does not have ends without money', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId, machine } = await startSale(testAccount);
  await machine.sendReport({ kind: 'unreadableApproval', problem: 'amount', details: {} });
  await elapseTime(testEnvironment, testAccount.scope, 61_000);
  await elapseTime(testEnvironment, testAccount.scope, 61_000);
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Created');
  expect((await machine.readAcquirerCall()).outcome).toBe('Reversed');
});

test('an end without money during the signature check reverses the authorisation once', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId, machine } = await startSale(testAccount);
  await machine.approvePayment(true);
  await machine.sendReport({ kind: 'canceled' });
  expect((await machine.readTerminalSession()).status).toBe('SignatureVerificationRejected');
  await runDueWork(testEnvironment, testAccount.scope);
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Reversed');
  expect((await machine.readAcquirerCall()).outcome).toBe('Reversed');
  expect(await listKinds(testAccount)).toEqual(['MachineContradictsApproval']);
  await expectConsistent(testEnvironment, testAccount);
});

test('an end without money after a booked payment starts an inquiry', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId, machine } = await startSale(testAccount);
  // Nobody has asked the acquirer: the first check would have found that.
  await machine.sendReport({ kind: 'approved', approval: createApproval(gbp(2_000)), isSignatureRequired: false });
  await machine.sendReport({ kind: 'canceled' });
  for (let inquiry = 0; inquiry < 4; inquiry += 1) await elapseTime(testEnvironment, testAccount.scope, 60_000);
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Captured');
  expect(await listKinds(testAccount)).toEqual(['MachineApprovalDiffers', 'MachineContradictsApproval']);
});

test('a refund to another card than the payment is booked and noticed', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId } = await createPaidIntent(testEnvironment, testAccount);
  const refund = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: gbp(500) } as const;
  const machine = await TestCardMachine.createSession(testEnvironment, testAccount, refund);
  await machine.confirmSession();
  const real = await machine.chargeCard();
  const approval = { ...real, card: { ...real.card, last4PAN: '0001', cardNumber: '52000000****0001' } };
  await machine.sendReport({ kind: 'approved', approval, isSignatureRequired: false });
  expect((await readIntent(testEnvironment, testAccount, intentId)).refunded).toEqual(gbp(500));
  expect(await listKinds(testAccount)).toEqual(['RefundToOtherCard']);
});

test('missing reports before an end are requested again, and an approval among them is booked', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId, machine } = await startSale(testAccount);
  const approval = await machine.chargeCard();
  await machine.resendReport({ number: 3, kind: 'canceled' });
  expect((await machine.readTerminalSession()).status).toBe('Initiated');
  await machine.resendReport({ number: 2, kind: 'approved', approval, isSignatureRequired: false });
  await machine.resendReport({ number: 3, kind: 'canceled' });
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Captured');
  expect(await listKinds(testAccount)).toEqual(['MachineContradictsApproval', 'MachineReportsMissing']);
  await expectConsistent(testEnvironment, testAccount);
});

test.each([
  ['that the acquirer has', true],
  ['that the acquirer does not know', false],
])('an approval over another amount %s is reversed, and an alarm has both amounts', async (_, isCharged) => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId, machine } = await startSale(testAccount);
  const real = isCharged ? await machine.chargeCard(APPROVED, gbp(200_000)) : createApproval(gbp(200_000));
  await machine.sendReport({
    ...{ kind: 'approved', approval: { ...real, amount: gbp(200_000) }, isSignatureRequired: false },
  });
  expect((await machine.readTerminalSession()).status).toBe('Declined');
  await runDueWork(testEnvironment, testAccount.scope);
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Created');
  const { alarms } = await testEnvironment.database.read(testAccount.scope, (reader) =>
    listAlarmPage(reader, { limit: 10 }),
  );
  expect(alarms).toMatchObject([
    {
      ...{ kind: 'MachineApprovalNotBooked', subject: machine.session.id, answer: null },
      details: { amount: 200_000, currencyCode: 'GBP', total: 2_000, totalCurrencyCode: 'GBP' },
    },
  ]);
  // An acquirer acknowledges the reversal of a reference without money, too, so only the alarm shows such an approval.
  const { outcome, result } = await machine.readAcquirerCall();
  expect(outcome).toBe('Reversed');
  expect(result).toMatchObject({ kind: 'approved', approval: { amount: gbp(200_000) } });
  const steps = await testEnvironment.database.read(testAccount.scope, (reader) =>
    listPaymentActivities(reader, intentId, { limit: 20, cursor: null, direction: 'older', now: new Date() }),
  );
  expect(steps.elements.find(({ name }) => name === 'Declined')).toMatchObject({
    kind: 'MachineReport',
    details: { answer: { outcome: 'approved', amount: gbp(200_000) } },
  });
});
