import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { parseKnownId } from '@pos/core/identity';
import { createApproval, gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/time';
import type { AcquirerRule } from '@pos/sandbox/testing';
import { listLedgerEntries } from '@pos/store/ledger';
import { listOpenDifferences, recordFindings } from '@pos/store/reconciliation';
import { listAuditLog } from '../audit/audit-log.js';
import { PendingAdministration } from './pending-administration.js';
import { listAlarmPage } from '@pos/payments/alarms';
import { listTransactions } from '@pos/payments/payment-intents';
import { ReconciliationService } from '@pos/payments/reconciliation';
import {
  createOperation,
  createOperatorService,
  createPaidIntent,
  createTestAccount,
  createTestEnvironment,
  createUntakenRefund,
  expectConsistent,
  findDifferences,
  getOutcome,
  listPublishedStates,
  MoneyOperations,
  readIntent,
  reportUnbookedApproval,
  type TestAccount,
  TestCardMachine,
  type TestEnvironment,
} from '@pos/payments/testing';
import { listOperatorCallPage } from '@pos/payments/operators';

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

const caller = { keyId: parseKnownId('apiKey', 'key_AAAAAAAAAAAAAAAAAAAAAA') };
const NO_INQUIRY: AcquirerRule = { match: { kind: 'Inquire' }, effect: 'refuse', status: 'UNAVAILABLE' };
const NO_LIST: AcquirerRule = { match: { kind: 'ListBooked' }, effect: 'refuse', status: 'UNAVAILABLE' };
const NOT_FOUND: AcquirerRule = { match: { kind: 'Inquire' }, effect: 'refuse', status: 'NOT_FOUND' };
const REFUSED = 'pending_payment_not_decidable';

const settle = (testAccount: TestAccount, paymentId: string, permissions?: ReadonlySet<'tables.operate'>) =>
  getOutcome(
    createOperatorService(testEnvironment).concludeFromBooks(createOperation(testEnvironment, testAccount), {
      ...{ caller: { ...caller, ...(permissions && { permissions }) }, paymentId, action: 'SettleAsListed' },
      note: 'not in the books of the acquirer',
    }),
  );

const listAlarms = async ({ scope }: TestAccount) => {
  const request = { limit: 10, isAnswered: false };
  const page = await testEnvironment.database.read(scope, (reader) => listAlarmPage(reader, request));
  return page.alarms.map(({ kind }) => kind).filter((kind) => kind !== 'RefundToOtherCard');
};

const listDecisions = async ({ scope }: TestAccount) => {
  const page = await testEnvironment.database.read(scope, (reader) => listOperatorCallPage(reader, { limit: 10 }));
  return page.calls.map(({ action, outcome, stateBefore, stateAfter }) =>
    [action, outcome, stateBefore, stateAfter].join(' '),
  );
};

/** A refund that a machine has reported and that the acquirer does not have, with its alarm. */
const createRefund = (amount: number) => createUntakenRefund(testEnvironment, amount);

/** Writes what the daily comparison finds of a refund that the acquirer has not booked. */
async function findNotBooked({ scope }: TestAccount, reference: string): Promise<string> {
  const happenedAt = new Date();
  return testEnvironment.database.transact(scope, async (tx) => {
    const span = { from: new Date(happenedAt.getTime() - DAY_MS), to: new Date(happenedAt.getTime() + DAY_MS) };
    await recordFindings(tx, { kinds: ['NotBooked'], span }, [
      {
        ...{ kind: 'NotBooked', reference, paymentIntentId: null, acquirer: 'default', amount: gbp(500) },
        ...{ ours: 'Refund of 500 GBP', theirs: null, says: 'not booked', happenedAt },
      },
    ]);
    const [difference] = await listOpenDifferences(tx);
    return difference?.id ?? '';
  });
}

const refundedOf = async (testAccount: TestAccount, intentId: string) => {
  const { status, refunded, paymentDetails } = await readIntent(testEnvironment, testAccount, intentId);
  return [status, refunded.value, paymentDetails?.message];
};

test.each([
  [2_000, 'Refunded', 'REFUNDED'],
  [500, 'Captured', 'DEPOSITED'],
])('a refund of %d that the acquirer does not have is taken out of the books once', async (amount, status, message) => {
  const { testAccount, intentId, machine, reference } = await createRefund(amount);
  expect(await refundedOf(testAccount, intentId)).toEqual([status, amount, message]);
  expect(await listAlarms(testAccount)).toEqual(['MachineApprovalDiffers']);
  const answers = await Promise.all([1, 2, 3].map(() => settle(testAccount, reference)));
  expect(answers.sort()).toEqual(['done', REFUSED, REFUSED]);
  expect(await refundedOf(testAccount, intentId)).toEqual(['Captured', 0, 'DEPOSITED']);
  expect(await machine.readAcquirerCall()).toMatchObject({ state: 'Settled', outcome: 'Reversed' });
  expect(await listAlarms(testAccount)).toEqual([]);
  expect((await listDecisions(testAccount)).sort()).toEqual([
    'AnswerAlarm Done Unanswered Answered',
    'SettleAsListed Done Approved Reversed',
  ]);
  // The payer can be given the money now, once.
  const states = await listPublishedStates(testEnvironment, testAccount.scope, intentId);
  expect(states.at(-1)).toBe('Captured');
  expect(states.length).toBe(status === 'Refunded' ? 4 : 3);
  await expectConsistent(testEnvironment, testAccount);
  const next = await TestCardMachine.createSession(testEnvironment, testAccount, {
    ...{ sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null },
  });
  expect(next.session.total).toEqual(gbp(2_000));
  await next.approvePayment();
  expect(await refundedOf(testAccount, intentId)).toEqual(['Refunded', 2_000, 'REFUNDED']);
  expect(await settle(testAccount, reference)).toBe(REFUSED);
  await expectConsistent(testEnvironment, testAccount);
});

type UntakenRefund = Awaited<ReturnType<typeof createRefund>>;

const NAMES: readonly (readonly [string, (untaken: UntakenRefund) => Promise<string>])[] = [
  ['its session', ({ machine }) => Promise.resolve(machine.session.id)],
  ['its difference', ({ testAccount, reference }) => findNotBooked(testAccount, reference)],
];

test.each(NAMES)('the refund is named by %s, too', async (_title, name) => {
  const untaken = await createRefund(500);
  const { testAccount, intentId } = untaken;
  const paymentId = await name(untaken);
  expect(await settle(testAccount, paymentId)).toBe('done');
  expect(await refundedOf(testAccount, intentId)).toEqual(['Captured', 0, 'DEPOSITED']);
  expect(await testEnvironment.database.read(testAccount.scope, listOpenDifferences)).toEqual([]);
  expect(await settle(testAccount, paymentId)).toBe(REFUSED);
});

test('a refund that the list of the acquirer contains stays in the books, although an inquiry finds nothing', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId } = await createPaidIntent(testEnvironment, testAccount);
  await new MoneyOperations(testEnvironment, testAccount).refund(intentId, 500);
  const { reference } = await readRefundLine(testAccount);
  const differenceId = await findNotBooked(testAccount, reference);
  for (const rules of [[], [NOT_FOUND]]) {
    testEnvironment.acquirerServer.rules.replaceRules(rules);
    expect(await settle(testAccount, differenceId)).toBe(REFUSED);
  }
  expect(await refundedOf(testAccount, intentId)).toEqual(['Captured', 500, 'DEPOSITED']);
});

test('a refund without a payment that the acquirer does not have is taken out of the books once', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const request = { sessionType: 'UnlinkedRefund', amount: gbp(700), cardHolderNotPresent: false } as const;
  const machine = await TestCardMachine.createSession(testEnvironment, testAccount, request);
  await reportUnbookedApproval(testEnvironment, { testAccount, machine });
  const { acquirerReference: reference, id } = machine.session;
  const answers = await Promise.all([1, 2].map(() => settle(testAccount, reference)));
  expect(answers.sort()).toEqual(['done', REFUSED]);
  const entries = await testEnvironment.database.read(testAccount.scope, (reader) => listLedgerEntries(reader, id));
  expect(entries.map(({ kind, postings }) => [kind, postings.map(({ amount }) => amount)])).toEqual([
    ['refund', [-700, 700]],
    ['reverse', [700, -700]],
  ]);
  expect((await readRefundLine(testAccount)).status).toBe('Reversed');
  await expectConsistent(testEnvironment, testAccount);
});

async function readRefundLine({ scope }: TestAccount) {
  const { database, accounts } = testEnvironment;
  const search = { limit: 10, startDate: null, endDate: null, statuses: [] };
  const page = await database.read(scope, (reader) => listTransactions({ reader, accounts }, search));
  const line = page.transactions.find(({ type }) => type === 'Refund')!;
  return { reference: line.acquirerReference, status: line.status };
}

test('what the acquirer knows, does not say, or was never missing is not taken out of the books', async () => {
  const { testAccount, intentId, machine, reference } = await createRefund(500);
  const other = await createTestAccount(testEnvironment);
  const { rules } = testEnvironment.acquirerServer;
  expect(await settle(other, reference)).toBe('pending_payment_not_found');
  expect(await settle(other, machine.session.id)).toBe('pending_payment_not_found');
  expect(await settle(testAccount, reference, new Set(['tables.operate']))).toBe('permission_missing');
  for (const rule of [NO_INQUIRY, NO_LIST]) {
    rules.replaceRules([rule]);
    expect(await settle(testAccount, reference)).toBe(REFUSED);
  }
  rules.replaceRules([]);
  // The machine has sent it to the acquirer late.
  await machine.chargeCard();
  expect(await settle(testAccount, reference)).toBe(REFUSED);
  expect(await refundedOf(testAccount, intentId)).toEqual(['Captured', 500, 'DEPOSITED']);
  expect(await listAlarms(testAccount)).toEqual(['MachineApprovalDiffers']);
  expect(await listDecisions(testAccount)).toEqual([]);
  await expectConsistent(testEnvironment, testAccount);
});

test('a refund without a difference or an alarm is not taken out of the books, although an inquiry finds nothing', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId } = await createPaidIntent(testEnvironment, testAccount);
  const request = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: gbp(500) } as const;
  const machine = await TestCardMachine.createSession(testEnvironment, testAccount, request);
  const approval = createApproval(gbp(500));
  await machine.sendReport({ kind: 'approved', approval, isSignatureRequired: false });
  expect(await settle(testAccount, machine.session.id)).toBe(REFUSED);
  expect(await refundedOf(testAccount, intentId)).toEqual(['Captured', 500, 'DEPOSITED']);
});

test('an acquirer that books the refund after the decision is a difference', async () => {
  const { testAccount, machine, reference } = await createRefund(500);
  expect(await settle(testAccount, reference)).toBe('done');
  await machine.chargeCard();
  expect((await findDifferences(testEnvironment, testAccount)).map(({ kind }) => kind)).toEqual(['NotApproved']);
});

test('a repeated report of the machine books the refund no second time', async () => {
  const { testAccount, intentId, machine, reference } = await createRefund(500);
  expect(await settle(testAccount, reference)).toBe('done');
  const approval = createApproval(gbp(500));
  await machine.sendReport({ kind: 'approved', approval, isSignatureRequired: false });
  expect(await refundedOf(testAccount, intentId)).toEqual(['Captured', 0, 'DEPOSITED']);
});

test('an operator of the service decides by the subject of the alarm, and the audit log keeps it', async () => {
  const { testAccount, intentId, reference } = await createRefund(500);
  const { database, settings } = testEnvironment;
  const operators = createOperatorService(testEnvironment);
  const administration = new PendingAdministration(operators, new ReconciliationService(settings));
  const change = { actor: 'ada', reason: 'not in the books of the acquirer' };
  await administration.concludeFromBooks(database, testAccount.scope, { change, id: reference });
  expect(await refundedOf(testAccount, intentId)).toEqual(['Captured', 0, 'DEPOSITED']);
  const entries = await listAuditLog(database, testAccount.scope.accountId, { before: null, limit: 10 });
  expect(entries.filter(({ action }) => action === 'ResolvePending')).toMatchObject([
    { action: 'ResolvePending', subject: reference, after: { decision: 'SettleAsListed' } },
  ]);
});
