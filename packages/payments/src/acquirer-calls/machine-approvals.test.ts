import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { CardPresentApproval } from '@pos/core/cards';
import { createDeclinedVerdict } from '@pos/sandbox/testing';
import { createApproval, gbp } from '@pos/core/testing';
import { listAlarmPage } from '../alarms/alarms.js';
import { MachineApprovals } from './machine-approvals.js';
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

test('an approval that the acquirer confirms raises no alarm, and is inquired once', async () => {
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

test('a refund on a machine is inquired, too', async () => {
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

/** Asks the acquirer first, as the gateway does, then reports. Returns how long the acquirer was waited for. */
async function reportChecked(
  testAccount: TestAccount,
  { machine, approval, limitMs = 400 }: { machine: TestCardMachine; approval: CardPresentApproval; limitMs?: number },
): Promise<number> {
  const { database, acquirers } = testEnvironment;
  const approvals = new MachineApprovals({ database, acquirers, settings: { approvalCheckMs: limitMs } });
  const report = { kind: 'approved', approval, isSignatureRequired: false, number: 2 } as const;
  const startedAt = performance.now();
  const checked = await approvals.confirm(testAccount.scope, machine.session.id, report);
  const tookMs = performance.now() - startedAt;
  await machine.resendReport(checked);
  return tookMs;
}

test('a confirmed approval is booked, and is not inquired again', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId, machine } = await sale(testAccount);
  await reportChecked(testAccount, { machine, approval: await machine.chargeCard() });
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Captured');
  expect(await checksOf(testAccount)).toBe(0);
  expect(await alarmsOf(testAccount)).toEqual([]);
});

test('an approval that the acquirer has declined is not booked: it is undone, with an alarm, and can be paid again', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId, machine } = await sale(testAccount);
  const declined = await machine.chargeCard(createDeclinedVerdict('Not today'));
  await reportChecked(testAccount, { machine, approval: { ...declined, authCode: '111111' } });
  expect((await machine.readTerminalSession()).status).toBe('Declined');
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Created');
  expect(await alarmsOf(testAccount)).toMatchObject([
    { kind: 'MachineApprovalDiffers', subject: machine.session.acquirerReference },
  ]);
  await runDueWork(testEnvironment, testAccount.scope);
  const again = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
  await again.confirmSession();
  await reportChecked(testAccount, { machine: again, approval: await again.chargeCard() });
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Captured');
  await expectConsistent(testEnvironment, testAccount);
});

test('a refund that the acquirer has declined is not booked, and ends as declined', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId } = await createPaidIntent(testEnvironment, testAccount);
  await runDueWork(testEnvironment, testAccount.scope);
  const refund = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: gbp(500) } as const;
  const machine = await TestCardMachine.createSession(testEnvironment, testAccount, refund);
  await machine.confirmSession();
  const approval = await machine.chargeCard(createDeclinedVerdict('Not today'));
  await reportChecked(testAccount, { machine, approval });
  const { refunded, pendingRefund } = await readIntent(testEnvironment, testAccount, intentId);
  expect([refunded, pendingRefund]).toEqual([gbp(0), gbp(500)]);
  await runDueWork(testEnvironment, testAccount.scope);
  const after = await readIntent(testEnvironment, testAccount, intentId);
  expect([after.refunded, after.pendingRefund]).toEqual([gbp(0), gbp(0)]);
  await expectConsistent(testEnvironment, testAccount);
});

test('an approval that the acquirer does not know within the limit counts, and is checked afterwards', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId, machine } = await sale(testAccount);
  const approval = createApproval(gbp(2_000));
  const tookMs = await reportChecked(testAccount, { machine, approval });
  expect(tookMs).toBeGreaterThanOrEqual(390);
  expect(tookMs).toBeLessThan(4_000);
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Captured');
  expect(await checksOf(testAccount)).toBe(1);
});

test('a repeated report of a booked approval is acknowledged without an inquiry', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { machine } = await sale(testAccount);
  const approval = createApproval(gbp(2_000));
  await reportChecked(testAccount, { machine, approval });
  expect(await reportChecked(testAccount, { machine, approval, limitMs: 4_000 })).toBeLessThan(2_000);
});

test.each([
  ['an acquirer that is down', 'down', 5_000],
  ['a limit of 0', null, 0],
] as const)('%s is not waited for', async (_, effect, limitMs) => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId, machine } = await sale(testAccount);
  const approval = await machine.chargeCard();
  if (effect !== null) testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Inquire' }, effect }]);
  expect(await reportChecked(testAccount, { machine, approval, limitMs })).toBeLessThan(2_000);
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Captured');
  expect(await checksOf(testAccount)).toBe(1);
});
