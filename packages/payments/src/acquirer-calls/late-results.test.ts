import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { createDeclinedVerdict } from '@pos/sandbox/testing';
import { TestCardMachine, createPaidIntent } from '../testing/card-machine.js';
import { listPendingMachineRefunds } from '../operators/pending-refunds.js';
import {
  transactAs,
  createIntent,
  elapseTime,
  listPublishedStates,
  listEventTypes,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  getOutcome,
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

const SILENT = { match: {}, effect: 'down' } as const;
const REPEAT_MS = 5_000;

/** A sale whose machine has confirmed and then falls silent; what it does at the acquirer is the test's. */
async function createUnansweredSale(testAccount: TestAccount) {
  const intentId = await createIntent(testEnvironment, testAccount);
  const machine = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
  await machine.confirmSession();
  return { intentId, machine };
}

const cancelIntent = (testAccount: TestAccount, id: string) =>
  getOutcome(transactAs(testEnvironment, testAccount, (tx) => testEnvironment.intents.cancel(tx, id)));
const readState = async (machine: TestCardMachine): Promise<string> => {
  const { state, outcome } = await machine.readAcquirerCall();
  return `${state} ${outcome}`;
};
const reversalsOf = (reference: string) =>
  testEnvironment.acquirerServer.acquirer.books.listRelatedCalls(reference).filter(({ kind }) => kind === 'Reverse');

describe('a session has expired, and it is unknown whether the card was charged', () => {
  test('a late report of the machine: the payment is booked, and the session stays Expired', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnansweredSale(testAccount);
    await elapseTime(testEnvironment, testAccount.scope, 90_000);
    expect(await readState(machine)).toBe('Unknown null');
    expect(await cancelIntent(testAccount, intentId)).toBe('payment_intent_busy');
    expect(await machine.approvePayment()).toBe(true);
    const session = await machine.readTerminalSession();
    expect([session.status, session.approval === null, session.customerReceipt === null]).toEqual([
      ...['Expired', false, false],
    ]);
    expect(await listEventTypes(testEnvironment, testAccount, intentId)).toEqual(['Captured']);
    await elapseTime(testEnvironment, testAccount.scope, 3_600_000);
    expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Captured');
    expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test('an inquiry finds the approval: the payment is booked and printed, and a later report changes nothing', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnansweredSale(testAccount);
    const approval = await machine.chargeCard();
    await elapseTime(testEnvironment, testAccount.scope, 90_000);
    expect((await readIntent(testEnvironment, testAccount, intentId)).captured).toEqual(gbp(2_000));
    const session = await machine.readTerminalSession();
    expect([session.status, session.paymentDetails?.authCode]).toEqual(['Expired', approval.authCode]);
    expect(JSON.stringify(session.merchantReceipt)).toContain('****0001');
    expect(await listPublishedStates(testEnvironment, testAccount.scope, session.id)).toEqual([
      ...['created InitiateRequested', 'Initiated', 'Expired'],
    ]);
    // The machine continued its numbering, and its own approval changes nothing any more.
    await machine.sendReport({ kind: 'approved', approval, isSignatureRequired: false });
    expect(await listEventTypes(testEnvironment, testAccount, intentId)).toEqual(['Captured']);
    expect(reversalsOf(session.acquirerReference)).toEqual([]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test('an inquiry finds a decline: the intent may be paid again', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnansweredSale(testAccount);
    await machine.chargeCard(createDeclinedVerdict('Not today'));
    await elapseTime(testEnvironment, testAccount.scope, 90_000);
    expect([await readState(machine), await listEventTypes(testEnvironment, testAccount, intentId)]).toEqual([
      ...['Settled Declined', ['Declined']],
    ]);
    const again = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
    await again.approvePayment();
    expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Captured');
    await expectConsistent(testEnvironment, testAccount);
  });

  test('without any report for 60 s the authorisation is reversed, and a later approval is not booked', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnansweredSale(testAccount);
    await elapseTime(testEnvironment, testAccount.scope, 90_000);
    await elapseTime(testEnvironment, testAccount.scope, 59_000);
    expect(await readState(machine)).toBe('Unknown null');
    expect(await cancelIntent(testAccount, intentId)).toBe('payment_intent_busy');
    // The machine is free again, the intent is not: a second card could be charged for it.
    expect(await getOutcome(TestCardMachine.startSale(testEnvironment, testAccount, intentId))).toBe(
      'payment_intent_busy',
    );
    await elapseTime(testEnvironment, testAccount.scope, REPEAT_MS);
    expect(await readState(machine)).toBe('Settled Reversed');
    await machine.chargeCard();
    expect(testEnvironment.acquirerServer.acquirer.inquire(machine.session.acquirerReference).outcome).toBe('Reversed');
    expect(await cancelIntent(testAccount, intentId)).toBe('done');
    expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test('the authorisation of a machine that never confirmed is reversed, too', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const machine = await TestCardMachine.startSale(
      testEnvironment,
      testAccount,
      await createIntent(testEnvironment, testAccount),
    );
    testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Inquire' }, effect: 'down' }]);
    await machine.chargeCard();
    await elapseTime(testEnvironment, testAccount.scope, 10_000);
    await elapseTime(testEnvironment, testAccount.scope, 61_000);
    expect(await readState(machine)).toBe('Settled Reversed');
    await expectConsistent(testEnvironment, testAccount);
  });

  test('an approval that comes after the reversal was ordered is only logged; the reversal is repeated until it is acknowledged', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnansweredSale(testAccount);
    const approval = await machine.chargeCard();
    testEnvironment.acquirerServer.rules.replaceRules([SILENT]);
    await elapseTime(testEnvironment, testAccount.scope, 90_000);
    await elapseTime(testEnvironment, testAccount.scope, 61_000);
    const ordered = await machine.readAcquirerCall();
    expect([ordered.state, ordered.reverseReference === null]).toEqual(['Unknown', false]);
    await machine.sendReport({ kind: 'approved', approval, isSignatureRequired: false });
    expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Created');
    expect(await listEventTypes(testEnvironment, testAccount, intentId)).toEqual([]);
    await elapseTime(testEnvironment, testAccount.scope, REPEAT_MS);
    expect((await machine.readAcquirerCall()).state).toBe('Unknown');
    // From the order on the attempt is over: the payer may pay again while the first money is on its way back.
    const again = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
    testEnvironment.acquirerServer.rules.replaceRules([]);
    await elapseTime(testEnvironment, testAccount.scope, 2 * REPEAT_MS);
    expect(await readState(machine)).toBe('Settled Reversed');
    expect(reversalsOf(machine.session.acquirerReference)).toHaveLength(1);
    await again.approvePayment();
    expect(await listEventTypes(testEnvironment, testAccount, intentId)).toEqual(['Captured']);
    await expectConsistent(testEnvironment, testAccount);
  });

  test('a refund is never undone: it keeps its reservation until the machine answers', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId } = await createPaidIntent(testEnvironment, testAccount);
    const machine = await TestCardMachine.createSession(testEnvironment, testAccount, {
      ...{ sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: gbp(500) },
    });
    await machine.confirmSession();
    await elapseTime(testEnvironment, testAccount.scope, 90_000);
    await elapseTime(testEnvironment, testAccount.scope, 3_600_000);
    expect([await readState(machine), (await machine.readTerminalSession()).status]).toEqual([
      'Unknown null',
      'Expired',
    ]);
    expect((await machine.readAcquirerCall()).reverseReference).toBeNull();
    expect((await readIntent(testEnvironment, testAccount, intentId)).pendingRefund).toEqual(gbp(500));
    const pending = () =>
      testEnvironment.database.read(testAccount.scope, (reader) =>
        listPendingMachineRefunds(reader, { databaseNow: new Date(), settings: testEnvironment.settings }),
      );
    expect(await pending()).toMatchObject([{ call: { terminalSessionId: machine.session.id }, isAlarming: false }]);
    await machine.approvePayment();
    expect(await pending()).toEqual([]);
    const intent = await readIntent(testEnvironment, testAccount, intentId);
    expect([intent.refunded.value, intent.pendingRefund.value]).toEqual([500, 0]);
    await elapseTime(testEnvironment, testAccount.scope, 60_000);
    await expectConsistent(testEnvironment, testAccount);
  });

  test.each([
    ['the acquirer declined it', (machine: TestCardMachine) => machine.chargeCard(createDeclinedVerdict('Not today'))],
    ['the machine says that it was cancelled', (machine: TestCardMachine) => machine.sendReport({ kind: 'canceled' })],
  ])('a refund that expired is free again when %s', async (_title, happens) => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId } = await createPaidIntent(testEnvironment, testAccount);
    const machine = await TestCardMachine.createSession(testEnvironment, testAccount, {
      ...{ sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null },
    });
    await elapseTime(testEnvironment, testAccount.scope, 10_000);
    await happens(machine);
    await elapseTime(testEnvironment, testAccount.scope, REPEAT_MS);
    const intent = await readIntent(testEnvironment, testAccount, intentId);
    expect([intent.status, intent.refunded.value, intent.pendingRefund.value]).toEqual(['Captured', 0, 0]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test('an unlinked refund that the acquirer reports is booked once', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const machine = await TestCardMachine.createSession(testEnvironment, testAccount, {
      ...{ sessionType: 'UnlinkedRefund', amount: gbp(700), cardHolderNotPresent: false },
    });
    await machine.confirmSession();
    await machine.chargeCard();
    await elapseTime(testEnvironment, testAccount.scope, 90_000);
    expect([await readState(machine), (await machine.readTerminalSession()).status]).toEqual([
      'Settled Approved',
      'Expired',
    ]);
    await machine.approvePayment();
    await expectConsistent(testEnvironment, testAccount);
  });
});

describe('money that no session waits for is returned', () => {
  test('after a reported cancellation of a Canceled intent, the history contains Reversed once', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnansweredSale(testAccount);
    await machine.sendReport({ kind: 'canceled' });
    expect(await cancelIntent(testAccount, intentId)).toBe('done');
    await machine.approvePayment();
    await machine.approvePayment();
    await runDueWork(testEnvironment, testAccount.scope);
    expect(await listEventTypes(testEnvironment, testAccount, intentId)).toEqual(['Canceled', 'Reversed']);
    expect(await listPublishedStates(testEnvironment, testAccount.scope, intentId)).toEqual([
      'created Created',
      'Canceled',
    ]);
    expect((await machine.readTerminalSession()).status).toBe('Canceled');
    expect(reversalsOf(machine.session.acquirerReference)).toHaveLength(1);
    await expectConsistent(testEnvironment, testAccount);
  });

  test('another machine was paid meanwhile: that payment stays, the first is reversed', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnansweredSale(testAccount);
    await machine.sendReport({ kind: 'canceled' });
    const second = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
    await second.approvePayment();
    await machine.approvePayment();
    await runDueWork(testEnvironment, testAccount.scope);
    const intent = await readIntent(testEnvironment, testAccount, intentId);
    expect([intent.status, intent.paymentDetails?.reference]).toEqual(['Captured', second.session.acquirerReference]);
    expect(await listEventTypes(testEnvironment, testAccount, intentId)).toEqual(['Captured', 'Reversed']);
    expect(testEnvironment.acquirerServer.acquirer.inquire(machine.session.acquirerReference).outcome).toBe('Reversed');
    await expectConsistent(testEnvironment, testAccount);
  });

  test('the machine reports an approval of an expired session that the acquirer declined', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnansweredSale(testAccount);
    const approval = await machine.chargeCard();
    testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Inquire' }, effect: 'contradict' }]);
    await elapseTime(testEnvironment, testAccount.scope, 90_000);
    expect(await readState(machine)).toBe('Settled Declined');
    await machine.sendReport({ kind: 'approved', approval, isSignatureRequired: false });
    await runDueWork(testEnvironment, testAccount.scope);
    expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Created');
    expect(testEnvironment.acquirerServer.acquirer.inquire(machine.session.acquirerReference).outcome).toBe('Reversed');
    await expectConsistent(testEnvironment, testAccount);
  });

  test('an approval over another amount than requested does not count', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnansweredSale(testAccount);
    const approval = await machine.chargeCard();
    await machine.sendReport({
      ...{ kind: 'approved', approval: { ...approval, amount: gbp(1_999) }, isSignatureRequired: false },
    });
    await runDueWork(testEnvironment, testAccount.scope);
    expect([
      (await machine.readTerminalSession()).status,
      await listEventTypes(testEnvironment, testAccount, intentId),
    ]).toEqual(['Declined', ['Error']]);
    expect(await readState(machine)).toBe('Settled Reversed');
    await expectConsistent(testEnvironment, testAccount);
  });

  test('a machine that names another reference is booked under its own', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnansweredSale(testAccount);
    const approval = { ...(await machine.chargeCard()), reference: 'something else' };
    await machine.sendReport({ kind: 'approved', approval, isSignatureRequired: false });
    expect((await readIntent(testEnvironment, testAccount, intentId)).paymentDetails?.reference).toBe(
      machine.session.acquirerReference,
    );
    await expectConsistent(testEnvironment, testAccount);
  });
});
