import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createApproval, gbp } from '@pos/core/testing/builders';
import { listAlarmPage } from '../alarms/alarms.js';
import { TestCardMachine, createPaidIntent } from '../testing/card-machine.js';
import {
  createIntent,
  elapseTime,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  type TestAccount,
  listTimers,
  runDueWork,
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

const alarmsOf = async (testAccount: TestAccount) =>
  (await testEnvironment.database.read(testAccount.scope, (reader) => listAlarmPage(reader, { limit: 10 }))).alarms;

const checksOf = async (testAccount: TestAccount) =>
  (await listTimers(testEnvironment, testAccount, { ofMachines: true })).length;

async function sale(testAccount: TestAccount) {
  const intentId = await createIntent(testEnvironment, testAccount);
  const machine = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
  await machine.confirmSession();
  return { intentId, machine };
}

test('an approval that the acquirer knows as the machine reported it raises no alarm, and is asked after once', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { machine } = await sale(testAccount);
  await machine.approvePayment();
  expect(await checksOf(testAccount)).toBe(1);
  await runDueWork(testEnvironment, testAccount.scope);
  expect(await checksOf(testAccount)).toBe(0);
  expect(await alarmsOf(testAccount)).toEqual([]);
  await expectConsistent(testEnvironment, testAccount);
});

test('an approval that the acquirer never gave raises an alarm; the payment stays as the machine reported it', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId, machine } = await sale(testAccount);
  // True in form, but nobody has asked the acquirer.
  const approval = createApproval(gbp(2_000));
  await machine.sendReport({ kind: 'approved', approval, isSignatureRequired: false });
  for (let inquiry = 0; inquiry < 4; inquiry += 1) await elapseTime(testEnvironment, testAccount.scope, 60_000);
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Captured');
  expect(await alarmsOf(testAccount)).toMatchObject([
    {
      kind: 'MachineApprovalDiffers',
      subject: machine.session.acquirerReference,
      details: { amount: 2_000 },
      answer: null,
    },
  ]);
});

type ReportedApproval = { readonly transactionId?: string; readonly last4?: string };

test.each([
  ['another transaction', { transactionId: '00000000-0000-4000-8000-00000000ffff' }, 'transaction'],
  ['another card', { last4: '0001' }, 'last four digits'],
] as const)('a machine that reports %s raises an alarm', async (_title, reported: ReportedApproval, what) => {
  const { transactionId, last4 } = reported;
  const testAccount = await createTestAccount(testEnvironment);
  const { machine } = await sale(testAccount);
  const real = await machine.chargeCard();
  const card = { ...real.card, last4PAN: last4 ?? real.card.last4PAN };
  const approval = { ...real, transactionId: transactionId ?? real.transactionId, card };
  await machine.sendReport({ kind: 'approved', approval, isSignatureRequired: false });
  await runDueWork(testEnvironment, testAccount.scope);
  const [alarm] = await alarmsOf(testAccount);
  expect(alarm).toMatchObject({ kind: 'MachineApprovalDiffers' });
  expect(alarm?.message).toContain(what);
});

test('a refund on a machine is asked after, too', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId } = await createPaidIntent(testEnvironment, testAccount);
  await runDueWork(testEnvironment, testAccount.scope);
  const refund = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: gbp(500) } as const;
  const machine = await TestCardMachine.createSession(testEnvironment, testAccount, refund);
  await machine.confirmSession();
  const approval = await machine.chargeCard();
  const transactionId = '00000000-0000-4000-8000-00000000ffff';
  await machine.sendReport({ kind: 'approved', approval: { ...approval, transactionId }, isSignatureRequired: false });
  await runDueWork(testEnvironment, testAccount.scope);
  expect(await alarmsOf(testAccount)).toMatchObject([{ kind: 'MachineApprovalDiffers', details: { amount: 500 } }]);
});

test('an acquirer that does not answer is asked again', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { machine } = await sale(testAccount);
  await machine.approvePayment();
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Inquire' }, effect: 'down' }]);
  await runDueWork(testEnvironment, testAccount.scope);
  expect(await checksOf(testAccount)).toBe(1);
  testEnvironment.acquirerServer.rules.replaceRules([]);
  await elapseTime(testEnvironment, testAccount.scope, 60_000);
  expect(await checksOf(testAccount)).toBe(0);
  expect(await alarmsOf(testAccount)).toEqual([]);
});
