import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { type AcquirerRule, APPROVED, createDeclinedVerdict } from '@pos/sandbox/testing';
import { SESSION_WINDOWS } from '@pos/core/terminals';
import { listLedgerEntries } from '@pos/store/ledger';
import { listAuditLog } from '../audit/audit-log.js';
import { PendingAdministration } from './pending-administration.js';
import { ReconciliationService } from '@pos/payments/reconciliation';
import { listAlarmPage } from '@pos/payments/alarms';
import {
  createIntent,
  createOperation,
  createOperatorService,
  createPaidIntent,
  createTestAccount,
  createTestEnvironment,
  elapseTime,
  expectConsistent,
  getOutcome,
  listPendingMachineRefunds,
  moveClock,
  readIntent,
  type TestAccount,
  TestCardMachine,
  type TestEnvironment,
  transactAs,
} from '@pos/payments/testing';
import { listMachineCommands } from '@pos/payments/terminals';
import { listOperatorCallPage } from '@pos/payments/operators';
import { listTransactions } from '@pos/payments/payment-intents';

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

const OPERATOR = { keyId: 'key_AAAAAAAAAAAAAAAAAAAAAA' } as const;
const NO_INQUIRY: AcquirerRule = { match: { kind: 'Inquire' }, effect: 'refuse', status: 'UNAVAILABLE' };
const NO_LIST: AcquirerRule = { match: { kind: 'ListBooked' }, effect: 'refuse', status: 'UNAVAILABLE' };

const WINDOWS = { sandbox: SESSION_WINDOWS, production: SESSION_WINDOWS };

/** A refund of a paid intent on a machine whose start never arrived: its session has expired. */
async function createUnstartedRefund(testAccount: TestAccount) {
  const { intentId } = await createPaidIntent(testEnvironment, testAccount);
  const request = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null } as const;
  const machine = await TestCardMachine.createSession(testEnvironment, testAccount, request);
  await elapseTime(testEnvironment, testAccount.scope, 10_000);
  return { intentId, machine };
}

function decide(testAccount: TestAccount, machine: TestCardMachine, action: 'MarkRefunded' | 'MarkNotRefunded') {
  const request = {
    caller: OPERATOR,
    paymentId: machine.session.id,
    action,
    note: "seen in the acquirer's books",
  } as const;
  return transactAs(testEnvironment, testAccount, (tx) =>
    createOperatorService(testEnvironment).resolvePending(tx, request),
  );
}

/** Decides like the api: the decision is stored, the acquirer's books are read, and the result is looked up. */
async function settleAsListed(testAccount: TestAccount, paymentId: string): Promise<string> {
  const request = { caller: OPERATOR, paymentId, action: 'SettleAsListed', note: 'the list' } as const;
  return getOutcome(
    createOperatorService(testEnvironment).concludeFromBooks(createOperation(testEnvironment, testAccount), request),
  );
}

const listCommands = (testAccount: TestAccount) =>
  testEnvironment.database.read(testAccount.scope, (reader) =>
    listMachineCommands(reader, { terminalIds: [testAccount.terminals[0].id], sessionIds: [] }, { windows: WINDOWS }),
  );
const reservedOf = async (testAccount: TestAccount, intentId: string) => {
  const { refunded, pendingRefund } = await readIntent(testEnvironment, testAccount, intentId);
  return [refunded.value, pendingRefund.value];
};
const alarmsOf = async (testAccount: TestAccount) =>
  (await testEnvironment.database.read(testAccount.scope, (reader) => listAlarmPage(reader, { limit: 10 }))).alarms;

describe('a refund whose start never arrived', () => {
  test('is cancelled on the machine, which names no session, for as long as its end is open', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { machine } = await createUnstartedRefund(testAccount);
    const cancel = {
      command: { kind: 'cancel', sessionId: machine.session.id },
      terminalId: testAccount.terminals[0].id,
    };
    expect(await listCommands(testAccount)).toEqual([cancel]);
    await machine.sendReport({ kind: 'canceled' });
    expect(await listCommands(testAccount)).toEqual([]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test('is free once the machine has no such session and three later inquiries found nothing at the acquirer', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnstartedRefund(testAccount);
    for (let inquiry = 0; inquiry < 4; inquiry += 1) await elapseTime(testEnvironment, testAccount.scope, 60_000);
    expect(await reservedOf(testAccount, intentId)).toEqual([0, 2_000]);
    await machine.resendReport({ kind: 'unknownSession', number: 1 });
    await elapseTime(testEnvironment, testAccount.scope, 1_000);
    expect(await reservedOf(testAccount, intentId)).toEqual([0, 2_000]);
    for (let inquiry = 0; inquiry < 3; inquiry += 1) await elapseTime(testEnvironment, testAccount.scope, 30_000);
    expect(await reservedOf(testAccount, intentId)).toEqual([0, 0]);
    expect(await machine.readAcquirerCall()).toMatchObject({ state: 'Settled', outcome: 'Canceled' });
    const next = await TestCardMachine.createSession(testEnvironment, testAccount, {
      ...{ sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null },
    });
    await next.approvePayment();
    expect(await reservedOf(testAccount, intentId)).toEqual([2_000, 0]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test('is booked when the acquirer has made it, although the machine has no such session any more', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnstartedRefund(testAccount);
    await machine.chargeCard();
    await machine.resendReport({ kind: 'unknownSession', number: 1 });
    await elapseTime(testEnvironment, testAccount.scope, 1_000);
    expect(await reservedOf(testAccount, intentId)).toEqual([2_000, 0]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test.each([
    ['MarkNotRefunded', 0, 'Canceled', 'NotRefunded'],
    ['MarkRefunded', 2_000, 'Approved', 'Refunded'],
  ] as const)('ends as an operator decides from the books: %s', async (action, refunded, outcome, stateAfter) => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnstartedRefund(testAccount);
    await decide(testAccount, machine, action);
    expect(await reservedOf(testAccount, intentId)).toEqual([refunded, 0]);
    expect(await machine.readAcquirerCall()).toMatchObject({ state: 'Settled', outcome });
    const { calls } = await testEnvironment.database.read(testAccount.scope, (reader) =>
      listOperatorCallPage(reader, { limit: 10 }),
    );
    expect(calls).toMatchObject([{ action, subject: machine.session.id, outcome: 'Done', stateAfter }]);
    expect(await getOutcome(decide(testAccount, machine, action))).toBe('pending_payment_not_decidable');
    if (action === 'MarkRefunded') {
      await machine.approvePayment();
      expect(await reservedOf(testAccount, intentId)).toEqual([2_000, 0]);
      expect(await alarmsOf(testAccount)).toEqual([]);
    }
    await expectConsistent(testEnvironment, testAccount);
  });

  test('without a payment is booked and listed when an operator states that it was made', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const machine = await TestCardMachine.createSession(testEnvironment, testAccount, {
      ...{ sessionType: 'UnlinkedRefund', amount: gbp(700), cardHolderNotPresent: false },
    });
    await elapseTime(testEnvironment, testAccount.scope, 10_000);
    await machine.chargeCard();
    await decide(testAccount, machine, 'MarkRefunded');
    const entries = await testEnvironment.database.read(testAccount.scope, (reader) =>
      listLedgerEntries(reader, machine.session.id),
    );
    expect(entries.map(({ kind }) => kind)).toEqual(['refund']);
    const listed = await testEnvironment.database.read(testAccount.scope, (reader) =>
      listTransactions(
        { reader, accounts: testEnvironment.accounts },
        { limit: 10, startDate: null, endDate: null, statuses: [] },
      ),
    );
    expect(listed.transactions).toMatchObject([{ type: 'Refund', status: 'Authorized' }]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test('is not decided while the card machine is in use', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId } = await createPaidIntent(testEnvironment, testAccount);
    const request = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null } as const;
    const machine = await TestCardMachine.createSession(testEnvironment, testAccount, request);
    expect(await getOutcome(decide(testAccount, machine, 'MarkNotRefunded'))).toBe('pending_payment_not_decidable');
    expect(await reservedOf(testAccount, intentId)).toEqual([0, 2_000]);
  });
});

describe('an operator settles a refund on a machine by the list of the acquirer', () => {
  test('an operator of the whole service concludes it in the same way, and both audit logs have the decision', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnstartedRefund(testAccount);
    const { database, settings } = testEnvironment;
    const administration = new PendingAdministration(
      createOperatorService(testEnvironment),
      new ReconciliationService(settings),
    );
    const settle = (id: string): Promise<string> => {
      const change = { actor: 'ada', reason: 'the list of the acquirer' };
      return getOutcome(administration.concludeFromBooks(database, testAccount.scope, { change, id }));
    };
    testEnvironment.acquirerServer.rules.replaceRules([NO_INQUIRY, NO_LIST]);
    expect(await settle(machine.session.id)).toBe('pending_payment_not_decidable');
    testEnvironment.acquirerServer.rules.replaceRules([]);
    await machine.chargeCard();
    expect(await settle(machine.session.id)).toBe('done');
    expect(await settle(machine.session.id)).toBe('pending_payment_not_decidable');
    expect(await settle('no-such-line')).toBe('pending_payment_not_found');
    expect(await reservedOf(testAccount, intentId)).toEqual([2_000, 0]);
    const { calls } = await database.read(testAccount.scope, (reader) => listOperatorCallPage(reader, { limit: 10 }));
    expect(calls.map(({ outcome }) => outcome)).toEqual([
      'pending_payment_not_decidable',
      'Done',
      'pending_payment_not_decidable',
      'Done',
    ]);
    const entries = await listAuditLog(database, testAccount.scope.accountId, { before: null, limit: 10 });
    expect(entries.filter(({ action }) => action === 'ResolvePending')).toMatchObject([
      { actor: 'ada', subject: machine.session.id, after: { decision: 'SettleAsListed' } },
      { actor: 'ada', subject: machine.session.id, after: { decision: 'SettleAsListed' } },
    ]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test.each([
    ['an inquiry returns', []],
    ['the list shows, while no inquiry is answered', [NO_INQUIRY]],
  ])('it is booked when %s that it was made', async (_, rules) => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnstartedRefund(testAccount);
    await machine.chargeCard();
    testEnvironment.acquirerServer.rules.replaceRules(rules);
    expect(await settleAsListed(testAccount, machine.session.id)).toBe('done');
    expect(await reservedOf(testAccount, intentId)).toEqual([2_000, 0]);
    expect(await machine.readAcquirerCall()).toMatchObject({ state: 'Settled', outcome: 'Approved' });
    const { calls } = await testEnvironment.database.read(testAccount.scope, (reader) =>
      listOperatorCallPage(reader, { limit: 10 }),
    );
    expect(calls).toMatchObject([{ action: 'SettleAsListed', subject: machine.session.id, outcome: 'Done' }]);
    expect(await settleAsListed(testAccount, machine.session.id)).toBe('pending_payment_not_decidable');
    testEnvironment.acquirerServer.rules.replaceRules([]);
    await machine.sendReport({ kind: 'approved', approval: machine.readApproval(), isSignatureRequired: false });
    expect(await reservedOf(testAccount, intentId)).toEqual([2_000, 0]);
    expect(await alarmsOf(testAccount)).toEqual([]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test.each([
    ['an inquiry returns', []],
    ['the list shows, while no inquiry is answered', [NO_INQUIRY]],
  ])('it is free when %s that it was declined', async (_, rules) => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnstartedRefund(testAccount);
    await machine.chargeCard(createDeclinedVerdict('Not today'));
    testEnvironment.acquirerServer.rules.replaceRules(rules);
    expect(await settleAsListed(testAccount, machine.session.id)).toBe('done');
    expect(await reservedOf(testAccount, intentId)).toEqual([0, 0]);
    expect(await machine.readAcquirerCall()).toMatchObject({ state: 'Settled', outcome: 'Declined' });
    testEnvironment.acquirerServer.rules.replaceRules([]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test.each([
    ['an inquiry names', []],
    ['the list shows, while no inquiry is answered,', [NO_INQUIRY]],
  ])('nothing is concluded and an alarm is raised when %s another amount', async (_, rules) => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnstartedRefund(testAccount);
    await machine.chargeCard(APPROVED, gbp(1_500));
    testEnvironment.acquirerServer.rules.replaceRules(rules);
    expect(await settleAsListed(testAccount, machine.session.id)).toBe('pending_payment_not_decidable');
    expect(await reservedOf(testAccount, intentId)).toEqual([0, 2_000]);
    expect(await alarmsOf(testAccount)).toMatchObject([
      { kind: 'AcquirerAnswerContradicted', subject: machine.session.acquirerReference, occurrence: 'amount' },
    ]);
    // An operator may still decide after a look into the books.
    await decide(testAccount, machine, 'MarkNotRefunded');
    expect(await reservedOf(testAccount, intentId)).toEqual([0, 0]);
  });

  test('nothing is concluded while it is not in the list, because the machine may still begin', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnstartedRefund(testAccount);
    for (let times = 0; times < 4; times += 1) {
      expect(await settleAsListed(testAccount, machine.session.id)).toBe('pending_payment_not_decidable');
    }
    expect(await reservedOf(testAccount, intentId)).toEqual([0, 2_000]);
    await machine.approvePayment();
    expect(await reservedOf(testAccount, intentId)).toEqual([2_000, 0]);
    expect(await alarmsOf(testAccount)).toEqual([]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test('it is free after enough lists without it if the machine has no such session', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnstartedRefund(testAccount);
    await machine.resendReport({ kind: 'unknownSession', number: 1 });
    const refusals: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      refusals.push(await settleAsListed(testAccount, machine.session.id));
      await moveClock(testEnvironment, testAccount.scope, testEnvironment.settings.inquiryIntervalMs);
    }
    expect(refusals).toEqual(['pending_payment_not_decidable', 'pending_payment_not_decidable', 'done']);
    expect(await reservedOf(testAccount, intentId)).toEqual([0, 0]);
    expect(await machine.readAcquirerCall()).toMatchObject({ state: 'Settled', outcome: 'Canceled' });
    await expectConsistent(testEnvironment, testAccount);
  });

  test('an answer of the acquirer that is repeated at once does not count, because the acquirer can be late', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnstartedRefund(testAccount);
    await machine.resendReport({ kind: 'unknownSession', number: 1 });
    for (let times = 0; times < 9; times += 1) {
      expect(await settleAsListed(testAccount, machine.session.id)).toBe('pending_payment_not_decidable');
    }
    expect(await reservedOf(testAccount, intentId)).toEqual([0, 2_000]);
  });

  test.each([
    ['neither inquiry nor list is answered', [NO_INQUIRY, NO_LIST]],
    ['an acquirer that has no such line answers no inquiry', [NO_INQUIRY]],
  ])('nothing is concluded while %s', async (_, rules) => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnstartedRefund(testAccount);
    await machine.resendReport({ kind: 'unknownSession', number: 1 });
    testEnvironment.acquirerServer.rules.replaceRules(rules);
    for (let times = 0; times < 4; times += 1) {
      expect(await settleAsListed(testAccount, machine.session.id)).toBe('pending_payment_not_decidable');
    }
    expect(await reservedOf(testAccount, intentId)).toEqual([0, 2_000]);
  });

  test('the refund is also found by its reference at the acquirer', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId, machine } = await createUnstartedRefund(testAccount);
    await machine.chargeCard();
    expect(await settleAsListed(testAccount, machine.session.acquirerReference)).toBe('done');
    expect(await reservedOf(testAccount, intentId)).toEqual([2_000, 0]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test('one without a payment is booked on its session', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const machine = await TestCardMachine.createSession(testEnvironment, testAccount, {
      ...{ sessionType: 'UnlinkedRefund', amount: gbp(700), cardHolderNotPresent: false },
    });
    await elapseTime(testEnvironment, testAccount.scope, 10_000);
    await machine.chargeCard();
    testEnvironment.acquirerServer.rules.replaceRules([NO_INQUIRY]);
    expect(await settleAsListed(testAccount, machine.session.id)).toBe('done');
    const entries = await testEnvironment.database.read(testAccount.scope, (reader) =>
      listLedgerEntries(reader, machine.session.id),
    );
    expect(entries.map(({ kind }) => kind)).toEqual(['refund']);
    testEnvironment.acquirerServer.rules.replaceRules([]);
    await expectConsistent(testEnvironment, testAccount);
  });

  test('it is not decided while the machine is in use, and a sale has no such line', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const { intentId } = await createPaidIntent(testEnvironment, testAccount);
    const request = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null } as const;
    const machine = await TestCardMachine.createSession(testEnvironment, testAccount, request);
    expect(await settleAsListed(testAccount, machine.session.id)).toBe('pending_payment_not_decidable');
    expect(await settleAsListed(testAccount, machine.session.acquirerReference)).toBe('pending_payment_not_decidable');
    const sale = await TestCardMachine.createSession(testEnvironment, testAccount, {
      ...{
        sessionType: 'Sale',
        paymentIntentId: await createIntent(testEnvironment, testAccount),
        terminal: testAccount.terminals[1],
      },
    });
    expect(await settleAsListed(testAccount, sale.session.id)).toBe('pending_payment_not_found');
  });
});

test('a refund that its machine never ends is listed once it is open for longer than the setting', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId } = await createPaidIntent(testEnvironment, testAccount);
  const request = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null } as const;
  const machine = await TestCardMachine.createSession(testEnvironment, testAccount, request);
  const listed = async (afterMs: number) => {
    const databaseNow = new Date((await testEnvironment.database.now()).getTime() + afterMs);
    const { settings } = testEnvironment;
    const lines = await testEnvironment.database.read(testAccount.scope, (reader) =>
      listPendingMachineRefunds(reader, { databaseNow, settings }),
    );
    return lines.map(({ call, isAlarming }) => [call.terminalSessionId, call.state, isAlarming]);
  };
  const { deadlineAt } = await machine.readAcquirerCall();
  const leftMs = deadlineAt.getTime() - (await testEnvironment.database.now()).getTime();
  expect(await listed(0)).toEqual([]);
  expect(await listed(leftMs + testEnvironment.settings.callPendingMs - 60_000)).toEqual([]);
  expect(await listed(leftMs + testEnvironment.settings.callPendingMs + 1)).toEqual([
    [machine.session.id, 'Sent', true],
  ]);
  await elapseTime(testEnvironment, testAccount.scope, 10_000);
  expect(await listed(0)).toEqual([[machine.session.id, 'Unknown', false]]);
});
