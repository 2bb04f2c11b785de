import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AcquirerRule, RuledCallKind } from '@pos/sandbox/testing';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/payment-intents';
import type { AcquirerAnswer } from '@pos/core/acquirer';
import { createOnlineApproval, getDecline, gbp } from '@pos/core/testing';
import { listCallsOfIntent } from '@pos/store/payments';
import { listAlarmPage } from '../alarms/alarms.js';
import { TestCardMachine, createPaidIntent } from '../testing/card-machine.js';
import { concludeAttempt } from '../online/attempt-conclusion.js';
import { listBookings, MoneyOperations } from '../testing/money-operations.js';
import { createUnansweredAttempt } from '../testing/online-attempts.js';
import {
  transactAs,
  createIntent,
  elapseTime,
  listEventTypes,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  type TestAccount,
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

const LATE_MS = 250;
const UNTIL_REPEATED_MS = 6_000;
const payment = { customAmountAllowed: true, tipsAllowed: true };
const FLEXIBLE = { details: { config: { ...DEFAULT_INTENT_CONFIG, payment }, itemLines: [], taxLines: [] } };

async function alarmsOf({ scope }: TestAccount): Promise<string[]> {
  const { alarms } = await testEnvironment.database.read(scope, (reader) => listAlarmPage(reader, { limit: 100 }));
  return alarms.map(({ kind, details }) => {
    const alarmFields = [details['callKind'], details['difference'], details['first'], details['second']];
    return `${kind}: ${alarmFields.join(' ')}`;
  });
}

const KINDS = ['Increase', 'Capture', 'Refund', 'Reverse'] as const;
type Kind = (typeof KINDS)[number];

/** £20 that were taken or are held, and what moves them. */
async function createTakenPayment(kind: Kind) {
  const testAccount = await createTestAccount(testEnvironment);
  const captureMode = kind === 'Refund' || kind === 'Reverse' ? 'Auto' : 'Manual';
  const { intentId: id, reference } = await createPaidIntent(testEnvironment, testAccount, {
    captureMode,
    ...FLEXIBLE,
  });
  const moneyOperations = new MoneyOperations(testEnvironment, testAccount);
  const moves = {
    Increase: () => moneyOperations.changeAmount(id, gbp(2_500)),
    Capture: () => moneyOperations.capture(id, 1_500),
    Refund: () => moneyOperations.refund(id, 1_500),
    Reverse: () => moneyOperations.reverse(id),
  };
  const lastCall = async () => {
    const calls = await testEnvironment.database.read(testAccount.scope, (reader) => listCallsOfIntent(reader, id));
    return calls.findLast((call) => call.kind === kind)!;
  };
  return { testAccount, id, reference, move: moves[kind], lastCall };
}

/** Resolves once the acquirer has been asked of it. */
async function isInquired(kind: RuledCallKind): Promise<void> {
  const used = () =>
    testEnvironment.acquirerServer.rules.listRules().some(({ match, used: times }) => match.kind === kind && times > 0);
  while (!used()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The first answer to arrive is the truth; an earlier one arrives after it and lies. */
const lateLie = (kind: RuledCallKind): AcquirerRule[] => [
  { match: { kind }, effect: 'delay', delayMs: LATE_MS, times: 1 },
  { match: { kind }, effect: 'contradict', times: 1 },
];

test.each(KINDS)(
  'a second answer to a %s that contradicts the first raises an alarm and moves nothing',
  async (kind) => {
    const { testAccount, id, reference, move, lastCall } = await createTakenPayment(kind);
    testEnvironment.acquirerServer.rules.replaceRules(lateLie(kind));
    const moving = move();
    await isInquired(kind);
    const call = await lastCall();
    expect(await testEnvironment.calls.pursueCall(testAccount.scope, call.reference)).toBe('over');
    const settled = await readIntent(testEnvironment, testAccount, id);
    await moving;
    expect(await alarmsOf(testAccount)).toEqual([`AcquirerAnswerContradicted: ${kind} outcome approved declined`]);
    expect(await readIntent(testEnvironment, testAccount, id)).toEqual(settled);
    expect(listBookings(testEnvironment, reference)).toHaveLength(1);
    await expectConsistent(testEnvironment, testAccount);
  },
);

test.each(KINDS)('a second answer to a %s that says the same raises no alarm', async (kind) => {
  const { testAccount, move, lastCall } = await createTakenPayment(kind);
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind }, effect: 'delay', delayMs: LATE_MS, times: 1 }]);
  const moving = move();
  await isInquired(kind);
  await testEnvironment.calls.pursueCall(testAccount.scope, (await lastCall()).reference);
  await moving;
  expect(await alarmsOf(testAccount)).toEqual([]);
});

test.each(['Increase', 'Capture', 'Refund'] as const)(
  'a %s that is answered with another amount stays open with one alarm, until the amount is right',
  async (kind) => {
    const { testAccount, id, move } = await createTakenPayment(kind);
    testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind }, effect: 'misstate-amount', times: 2 }]);
    expect(await move()).toBe('acquirer_unanswered');
    await elapseTime(testEnvironment, testAccount.scope, UNTIL_REPEATED_MS);
    const { pendingCapture, pendingRefund } = await readIntent(testEnvironment, testAccount, id);
    expect(pendingCapture.value + pendingRefund.value).toBeGreaterThan(0);
    const asked = { Increase: '2500 GBP 2501 GBP', Capture: '1500 GBP 1501 GBP', Refund: '1500 GBP 1501 GBP' }[kind];
    expect(await alarmsOf(testAccount)).toEqual([`AcquirerAnswerContradicted: ${kind} amount ${asked}`]);
    await elapseTime(testEnvironment, testAccount.scope, 2 * UNTIL_REPEATED_MS);
    const settled = await readIntent(testEnvironment, testAccount, id);
    expect(settled.pendingCapture.value + settled.pendingRefund.value).toBe(0);
    await expectConsistent(testEnvironment, testAccount);
  },
);

const approved = (reference: string, more = {}): AcquirerAnswer => {
  const approval = createOnlineApproval(gbp(2_000), { reference });
  return { outcome: 'approved', approval: { ...approval, ...more } };
};
const declinedAs = (reference: string): AcquirerAnswer => ({
  outcome: 'declined',
  decline: { ...getDecline(), reference },
});

test.each<[string, (reference: string) => [AcquirerAnswer, AcquirerAnswer], string]>([
  ['a decline after an approval', (of) => [approved(of), declinedAs(of)], 'outcome approved declined'],
  ['an approval after a decline', (of) => [declinedAs(of), approved(of)], 'outcome declined approved'],
  ['an approval after "reversed"', (of) => [{ outcome: 'reversed' }, approved(of)], 'outcome declined approved'],
  ['"reversed" after an approval', (of) => [approved(of), { outcome: 'reversed' }], 'outcome approved declined'],
  ['an approval of more', (of) => [approved(of), approved(of, { amount: gbp(2_001) })], 'amount 2000 GBP 2001 GBP'],
  [
    'another authorisation code',
    (of) => [approved(of, { authCode: '1' }), approved(of, { authCode: '2' })],
    'authCode 1 2',
  ],
  [
    'another transaction',
    (of) => [approved(of, { transactionId: 'a' }), approved(of, { transactionId: 'b' })],
    'transactionId a b',
  ],
])('%s of a card payment raises an alarm, and the payment stays as it was', async (_title, answersOf, title) => {
  const testAccount = await createTestAccount(testEnvironment);
  const { id, reference } = await createUnansweredAttempt(testEnvironment, testAccount);
  const [first, second] = answersOf(reference);
  await transactAs(testEnvironment, testAccount, (tx) => concludeAttempt(tx, reference, first));
  const { status } = await readIntent(testEnvironment, testAccount, id);
  for (let time = 0; time < 2; time += 1)
    await transactAs(testEnvironment, testAccount, (tx) => concludeAttempt(tx, reference, second));
  expect(await alarmsOf(testAccount)).toEqual([`AcquirerAnswerContradicted: Authorise ${title}`]);
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe(status);
});

test('an approval after a decline is taken back', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { id, reference } = await createUnansweredAttempt(testEnvironment, testAccount);
  await transactAs(testEnvironment, testAccount, (tx) => concludeAttempt(tx, reference, declinedAs(reference)));
  await transactAs(testEnvironment, testAccount, (tx) => concludeAttempt(tx, reference, approved(reference)));
  await runDueWork(testEnvironment, testAccount.scope);
  const calls = await testEnvironment.database.read(testAccount.scope, (reader) => listCallsOfIntent(reader, id));
  expect(calls.map(({ kind, state, outcome }) => `${kind} ${state} ${outcome}`)).toEqual([
    'Authorise Settled Declined',
    'Reverse Settled Approved',
  ]);
});

test.each<[string, (of: string) => [AcquirerAnswer, AcquirerAnswer]]>([
  ['the same approval', (of) => [approved(of), approved(of)]],
  ['the same decline', (of) => [declinedAs(of), declinedAs(of)]],
  ['a silence after an approval', (of) => [approved(of), { outcome: 'unknown', reason: '' }]],
  ['"in progress" after an approval', (of) => [approved(of), { outcome: 'inProgress' }]],
  ['"not found" after a decline', (of) => [declinedAs(of), { outcome: 'notFound' }]],
  ['an approval without a code', (of) => [approved(of), approved(of, { authCode: '', transactionId: '' })]],
])('%s is no contradiction', async (_title, answersOf) => {
  const testAccount = await createTestAccount(testEnvironment);
  const { reference } = await createUnansweredAttempt(testEnvironment, testAccount);
  for (const answer of answersOf(reference))
    await transactAs(testEnvironment, testAccount, (tx) => concludeAttempt(tx, reference, answer));
  expect(await alarmsOf(testAccount)).toEqual([]);
});

test('an approval of another amount than requested raises an alarm', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { id, reference } = await createUnansweredAttempt(testEnvironment, testAccount);
  await transactAs(testEnvironment, testAccount, (tx) =>
    concludeAttempt(tx, reference, approved(reference, { amount: gbp(1) })),
  );
  expect(await alarmsOf(testAccount)).toEqual(['AcquirerAnswerContradicted: Authorise amount 2000 GBP 1 GBP']);
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe('Created');
});

/** A sale on a machine that is silent since its card was approved. */
async function createUnansweredSale() {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await machine.confirmSession();
  const approval = await machine.chargeCard();
  return { testAccount, machine, approval, id: machine.session.paymentIntentId! };
}

test('an acquirer that contradicts what the machine has reported meanwhile raises an alarm', async () => {
  const { testAccount, machine, approval, id } = await createUnansweredSale();
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Inquire' }, effect: 'down', times: 1 }]);
  await elapseTime(testEnvironment, testAccount.scope, 90_000);
  testEnvironment.acquirerServer.rules.replaceRules(lateLie('Inquire'));
  const pursuing = testEnvironment.calls.pursueCall(testAccount.scope, machine.session.acquirerReference);
  await isInquired('Inquire');
  await machine.sendReport({ kind: 'approved', approval, isSignatureRequired: false });
  await pursuing;
  expect(await alarmsOf(testAccount)).toEqual(['AcquirerAnswerContradicted: Authorise outcome approved declined']);
  expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual(['Captured']);
  await expectConsistent(testEnvironment, testAccount);
});

test('an acquirer that names another amount of a silent machine’s sale changes nothing and raises an alarm', async () => {
  const { testAccount, id } = await createUnansweredSale();
  testEnvironment.acquirerServer.rules.replaceRules([
    { match: { kind: 'Inquire' }, effect: 'misstate-amount', times: 1 },
  ]);
  await elapseTime(testEnvironment, testAccount.scope, 90_000);
  expect(await alarmsOf(testAccount)).toEqual(['AcquirerAnswerContradicted: Authorise amount 2000 GBP 2001 GBP']);
  expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual([]);
  await elapseTime(testEnvironment, testAccount.scope, UNTIL_REPEATED_MS);
  expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual(['Captured']);
});
