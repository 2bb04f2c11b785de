import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AcquirerErrorStatus } from '@pos/core/acquirer-calls';
import type { AcquirerRule } from '@pos/sandbox/testing';
import { gbp } from '@pos/core/testing';
import { listCallsOfIntent } from '@pos/store/payments';
import { listAlarmPage } from '../alarms/alarms.js';
import { TestCardMachine } from '../testing/card-machine.js';
import { listPendingCalls, retryPendingCall } from '../acquirer-calls/open-calls.js';
import { listBookings } from '../testing/money-operations.js';
import {
  transactAs,
  createIntent,
  findDifferences,
  elapseTime,
  listEventTypes,
  createTestAccount,
  createTestEnvironment,
  readCall,
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

const HOUR_MS = 3_600_000;
const refuse = (kind: 'Reverse' | 'Refund', status: AcquirerErrorStatus = 'FAILED_PRECONDITION'): AcquirerRule => ({
  ...{ match: { kind }, effect: 'refuse', status },
});

/** A payment that the merchant refused by its signature: its approval is to be taken back. */
async function createRefusedSignature(captureMode: 'Auto' | 'Manual' = 'Auto') {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount, { captureMode }),
  );
  await machine.approvePayment(true);
  await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.sessions.decideSignature(tx, machine.session.id, false),
  );
  return { testAccount, machine, reference: machine.session.acquirerReference };
}

async function alarmsOf({ scope }: TestAccount): Promise<string[]> {
  const { alarms } = await testEnvironment.database.read(scope, (reader) => listAlarmPage(reader, { limit: 100 }));
  return alarms.map(({ kind, subject }) => `${kind} ${subject}`);
}

async function unansweredOf({ scope }: TestAccount): Promise<string[]> {
  const page = { isAnswered: false, limit: 100 };
  const { alarms } = await testEnvironment.database.read(scope, (reader) => listAlarmPage(reader, page));
  return alarms.map(({ kind }) => kind);
}

async function pendingOf({ scope }: TestAccount) {
  const databaseNow = await testEnvironment.database.now();
  return testEnvironment.database.read(scope, (reader) =>
    listPendingCalls(reader, { databaseNow, settings: testEnvironment.settings }),
  );
}

/** The calls of the payment: `Refund Settled Approved`. */
async function callsIn({ scope }: TestAccount, { session }: TestCardMachine): Promise<string[]> {
  const calls = await testEnvironment.database.read(scope, (reader) =>
    listCallsOfIntent(reader, session.paymentIntentId!),
  );
  return calls.map(({ kind, state, outcome }) => `${kind} ${state} ${outcome}`);
}

/** As often as the acquirer is asked within a few hours. */
async function elapseHours(testAccount: TestAccount): Promise<void> {
  for (let hour = 0; hour < 3; hour += 1) await elapseTime(testEnvironment, testAccount.scope, HOUR_MS);
}

test.each<[string, AcquirerRule]>([
  ['by status', refuse('Reverse')],
  ['by an acquirer that has none', refuse('Reverse', 'UNIMPLEMENTED')],
  ['by a decision', { match: { kind: 'Reverse' }, effect: 'decline' }],
  ['by a failure', { match: { kind: 'Reverse' }, effect: 'fail' }],
])('a reversal that is refused %s becomes a refund, once', async (_title, rule) => {
  const { testAccount, machine, reference } = await createRefusedSignature();
  testEnvironment.acquirerServer.rules.replaceRules([rule]);
  await runDueWork(testEnvironment, testAccount.scope);
  await elapseHours(testAccount);
  const booked = listBookings(testEnvironment, reference).filter((line) => line.endsWith('Approved'));
  expect(booked).toEqual(['Refund 2000 Approved']);
  expect(await callsIn(testAccount, machine)).toEqual([
    'Authorise Settled Reversed',
    'Reverse Settled Declined',
    'Refund Settled Approved',
  ]);
  expect(await listEventTypes(testEnvironment, testAccount, machine.session.paymentIntentId!)).toEqual(['Reversed']);
  expect([await alarmsOf(testAccount), await pendingOf(testAccount)]).toEqual([[], []]);
  expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
  await expectConsistent(testEnvironment, testAccount);
});

test('a reversal that the acquirer cannot make becomes a refund of what is left', async () => {
  const { testAccount, machine, reference } = await createRefusedSignature();
  // Behind our back the acquirer has refunded a part: neither the whole reversal nor the whole refund can be.
  await testEnvironment.acquirerServer.followUp('Refund', {
    ...{ reference: `other ${testAccount.merchantId}`, originalReference: reference, amount: gbp(1) },
  });
  await runDueWork(testEnvironment, testAccount.scope);
  await elapseHours(testAccount);
  expect(await callsIn(testAccount, machine)).toEqual([
    'Authorise Approved null',
    'Reverse Declined null',
    'Refund Settled Declined',
  ]);
  expect(await alarmsOf(testAccount)).toEqual([`MoneyNotReturned ${reference}`]);
});

test('a refund that is refused, too, raises one alarm, and the money is on the pending list until it is back', async () => {
  const { testAccount, machine, reference } = await createRefusedSignature();
  testEnvironment.acquirerServer.rules.replaceRules([refuse('Reverse'), refuse('Refund')]);
  await runDueWork(testEnvironment, testAccount.scope);
  await elapseHours(testAccount);
  expect(testEnvironment.acquirerServer.rules.listRules().map(({ used }) => used)).toEqual([1, 1]);
  expect(await alarmsOf(testAccount)).toEqual([`MoneyNotReturned ${reference}`]);
  const [line] = await pendingOf(testAccount);
  expect([line?.call.kind, line?.call.state, line?.call.amount]).toEqual(['Reverse', 'Declined', gbp(2_000)]);
  const reversal = line!.call.reference;
  // The books say that the money is still there: nothing is concluded.
  expect(await testEnvironment.calls.concludeFromBooks(testAccount.scope, reversal)).toBe('open');
  expect(await pendingOf(testAccount)).toHaveLength(1);
  // The acquirer returns it by hand.
  testEnvironment.acquirerServer.rules.replaceRules([refuse('Reverse')]);
  await testEnvironment.acquirerServer.followUp('Refund', {
    ...{ reference: `by hand ${testAccount.merchantId}`, originalReference: reference, amount: gbp(2_000) },
  });
  expect(await testEnvironment.calls.concludeFromBooks(testAccount.scope, reversal)).toBe('over');
  expect([await pendingOf(testAccount), (await machine.readAcquirerCall()).outcome]).toEqual([[], 'Reversed']);
  expect(await unansweredOf(testAccount)).toEqual([]);
});

test('an operator has a refused refund tried again under a reference of its own', async () => {
  const { testAccount, machine, reference } = await createRefusedSignature();
  testEnvironment.acquirerServer.rules.replaceRules([refuse('Reverse'), { ...refuse('Refund'), times: 2 }]);
  await runDueWork(testEnvironment, testAccount.scope);
  for (let again = 0; again < 2; again += 1) {
    const [line] = await pendingOf(testAccount);
    await transactAs(testEnvironment, testAccount, (tx) => retryPendingCall(tx, line!.call));
    await runDueWork(testEnvironment, testAccount.scope);
  }
  expect(await callsIn(testAccount, machine)).toEqual([
    'Authorise Settled Reversed',
    'Reverse Settled Declined',
    'Refund Settled Declined',
    'Refund Settled Declined',
    'Refund Settled Approved',
  ]);
  expect(listBookings(testEnvironment, reference)).toEqual(['Refund 2000 Approved']);
  expect(await pendingOf(testAccount)).toEqual([]);
});

test('a refund whose answer is lost is repeated under its reference, and happens once', async () => {
  const { testAccount, machine, reference } = await createRefusedSignature();
  testEnvironment.acquirerServer.rules.replaceRules([
    refuse('Reverse'),
    { match: { kind: 'Refund' }, effect: 'drop-answer', times: 2 },
  ]);
  await runDueWork(testEnvironment, testAccount.scope);
  await elapseHours(testAccount);
  expect(listBookings(testEnvironment, reference)).toEqual(['Refund 2000 Approved']);
  expect((await machine.readAcquirerCall()).outcome).toBe('Reversed');
  await expectConsistent(testEnvironment, testAccount);
});

test('twelve workers that receive the refusal at once order one refund', async () => {
  const { testAccount, machine, reference } = await createRefusedSignature();
  testEnvironment.acquirerServer.rules.replaceRules([refuse('Reverse')]);
  const reversal = (await machine.readAcquirerCall()).reverseReference!;
  await Promise.all(Array.from({ length: 12 }, () => testEnvironment.calls.pursueCall(testAccount.scope, reversal)));
  await runDueWork(testEnvironment, testAccount.scope);
  expect(listBookings(testEnvironment, reference)).toEqual(['Refund 2000 Approved']);
  expect(await callsIn(testAccount, machine)).toHaveLength(3);
});

test.each<[string, AcquirerRule[], string]>([
  ['the acquirer does not say what it has', [{ match: { kind: 'Inquire' }, effect: 'down' }], 'Prepared'],
  ['the acquirer says that it took nothing', [{ match: { kind: 'Inquire' }, effect: 'contradict' }], 'Settled'],
])('nothing is refunded where %s', async (_title, rules, state) => {
  const { testAccount, machine, reference } = await createRefusedSignature();
  const reversal = (await machine.readAcquirerCall()).reverseReference!;
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Reverse' }, effect: 'decline' }, ...rules]);
  await runDueWork(testEnvironment, testAccount.scope);
  expect((await readCall(testEnvironment, testAccount, reversal)).state).toBe(state);
  expect(listBookings(testEnvironment, reference).filter((line) => line.startsWith('Refund'))).toEqual([]);
});

test('a hold that is neither reversed nor refunded raises an alarm', async () => {
  const { testAccount, reference } = await createRefusedSignature('Manual');
  testEnvironment.acquirerServer.rules.replaceRules([refuse('Reverse')]);
  await runDueWork(testEnvironment, testAccount.scope);
  await elapseHours(testAccount);
  expect(await alarmsOf(testAccount)).toEqual([`MoneyNotReturned ${reference}`]);
  expect(await findDifferences(testEnvironment, testAccount)).toEqual([]);
});
