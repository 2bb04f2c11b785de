import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AcquirerPort } from '@pos/core/acquirer';
import { getDecline, gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/time';
import { listCallsOfIntent } from '@pos/store/payments';
import { listLocations, updateLocation } from '@pos/store/repositories';
import { AcquirerCalls } from '../acquirer-calls/acquirer-calls.js';
import { TestCardMachine, createPaidIntent } from '../testing/card-machine.js';
import { GiveBack } from './give-back.js';
import {
  createIntent,
  elapseTime,
  listPublishedStates,
  listEventTypes,
  moveClock,
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

const REFERENCE = 'give-back-1';

const giveBack = (testAccount: TestAccount, intentId: string, by: GiveBack = testEnvironment.giveBack) =>
  by.giveBackPayment(testAccount.scope, {
    intentId: intentId as `pi_${string}`,
    reference: `${REFERENCE} ${testAccount.merchantId}`,
  });

/** What the acquirer has booked of an authorisation beside itself, refused or not. */
const runAfter = (reference: string): string[] =>
  testEnvironment.acquirerServer.acquirer.books
    .listRelatedCalls(reference)
    .map(({ kind, outcome }) => `${kind} ${outcome}`);

async function runToEnd(
  testAccount: TestAccount,
  { intentId, reference }: { intentId: `pi_${string}`; reference: string },
) {
  const { status, pendingRefund, pendingCapture } = await readIntent(testEnvironment, testAccount, intentId);
  return {
    status,
    reserved: pendingRefund.value + pendingCapture.value,
    history: await listEventTypes(testEnvironment, testAccount, intentId),
    booked: runAfter(reference),
  };
}

const REVERSED = {
  ...{ status: 'Reversed', reserved: 0, history: ['Captured', 'Reversed'], booked: ['Reverse Approved'] },
};
const REFUNDED = {
  ...{ status: 'Refunded', reserved: 0, history: ['Captured', 'Refunded'], booked: ['Refund Approved'] },
};

test('on the day of the payment it is reversed, and the subscriber is notified', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const paid = await createPaidIntent(testEnvironment, testAccount);
  expect(await giveBack(testAccount, paid.intentId)).toBe('givenBack');
  expect(await runToEnd(testAccount, paid)).toEqual(REVERSED);
  expect(await listPublishedStates(testEnvironment, testAccount.scope, paid.intentId)).toEqual([
    'created Created',
    'Captured',
    'Reversed',
  ]);
  expect(await giveBack(testAccount, paid.intentId)).toBe('givenBack');
  expect(await runToEnd(testAccount, paid)).toEqual(REVERSED);
  await expectConsistent(testEnvironment, testAccount);
});

// In New York the day of noon UTC ends at 05:00Z.
test.each([
  ['before midnight there it is reversed', 16, REVERSED],
  ['after midnight there it is refunded', 18, REFUNDED],
])('a payment in New York: %s', async (_, laterHours, end) => {
  const testAccount = await createTestAccount(testEnvironment);
  const paid = await createPaidIntent(testEnvironment, testAccount);
  await testEnvironment.database.transact(testAccount.scope, async (tx) => {
    const [first] = await listLocations(tx);
    if (first === undefined) throw new Error('the account has no location');
    await updateLocation(tx, first.id, { timeZone: 'America/New_York' });
  });
  await moveClock(testEnvironment, testAccount.scope, laterHours * 60 * 60 * 1000);
  expect(await giveBack(testAccount, paid.intentId)).toBe('givenBack');
  expect(await runToEnd(testAccount, paid)).toEqual(end);
});

test('from midnight UTC on it is refunded', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const paid = await createPaidIntent(testEnvironment, testAccount);
  await moveClock(testEnvironment, testAccount.scope, DAY_MS / 2);
  expect(await giveBack(testAccount, paid.intentId)).toBe('givenBack');
  expect(await runToEnd(testAccount, paid)).toEqual(REFUNDED);
  await expectConsistent(testEnvironment, testAccount);
});

test('the minute before midnight is still the day of the payment', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const paid = await createPaidIntent(testEnvironment, testAccount);
  await moveClock(testEnvironment, testAccount.scope, DAY_MS / 2 - 60_000);
  await giveBack(testAccount, paid.intentId);
  expect(await runToEnd(testAccount, paid)).toEqual(REVERSED);
});

test('an account that does not reverse refunds on the same day', async () => {
  const testAccount = await createTestAccount(testEnvironment, { capturedReversalDays: 0 });
  const paid = await createPaidIntent(testEnvironment, testAccount);
  expect(await giveBack(testAccount, paid.intentId)).toBe('givenBack');
  expect(await runToEnd(testAccount, paid)).toEqual(REFUNDED);
  await expectConsistent(testEnvironment, testAccount);
});

test('an uncaptured hold is released, also after its seven days while it has not ended', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const early = await createPaidIntent(testEnvironment, testAccount, { captureMode: 'Manual' });
  const late = await createPaidIntent(testEnvironment, testAccount, { captureMode: 'Manual' });
  await moveClock(testEnvironment, testAccount.scope, 6 * DAY_MS);
  expect(await giveBack(testAccount, early.intentId)).toBe('givenBack');
  expect((await readIntent(testEnvironment, testAccount, early.intentId)).status).toBe('Reversed');
  await moveClock(testEnvironment, testAccount.scope, DAY_MS);
  expect(
    await testEnvironment.giveBack.giveBackPayment(testAccount.scope, { intentId: late.intentId, reference: 'late' }),
  ).toBe('givenBack');
  expect((await readIntent(testEnvironment, testAccount, late.intentId)).status).toBe('Reversed');
  await expectConsistent(testEnvironment, testAccount);
});

test('a payment without money has nothing to give back', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const intentId = await createIntent(testEnvironment, testAccount);
  expect(await giveBack(testAccount, intentId)).toBe('givenBack');
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Created');
});

test('a reversal that the acquirer refuses becomes a refund, in the same run', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const paid = await createPaidIntent(testEnvironment, testAccount);
  expect(await giveBack(testAccount, paid.intentId, givingBackBy(refusing('reverse')))).toBe('givenBack');
  expect(await runToEnd(testAccount, paid)).toEqual(REFUNDED);
  await expectConsistent(testEnvironment, testAccount);
});

test('a refund that the acquirer refuses leaves nothing reserved, and the next round has a new reference', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const paid = await createPaidIntent(testEnvironment, testAccount);
  await moveClock(testEnvironment, testAccount.scope, DAY_MS);
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Refund' }, effect: 'decline' }]);
  expect(await giveBack(testAccount, paid.intentId)).toBe('refused');
  const refused = { status: 'Captured', reserved: 0, history: ['Captured'], booked: ['Refund Declined'] };
  expect(await runToEnd(testAccount, paid)).toEqual(refused);
  // Under the same reference the acquirer would say the same for ever.
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Refund' }, effect: 'down', times: 1 }]);
  expect(await giveBack(testAccount, paid.intentId)).toBe('unanswered');
  expect(await giveBack(testAccount, paid.intentId)).toBe('givenBack');
  expect(await runToEnd(testAccount, paid)).toEqual({ ...REFUNDED, booked: ['Refund Declined', 'Refund Approved'] });
  const base = `${REFERENCE} ${testAccount.merchantId}`;
  const calls = await testEnvironment.database.read(testAccount.scope, (reader) =>
    listCallsOfIntent(reader, paid.intentId),
  );
  const refunds = calls.filter(({ kind }) => kind === 'Refund');
  expect(refunds.map(({ reference, outcome }) => [reference, outcome])).toEqual([
    [base, 'Declined'],
    [`${base}-2`, 'Approved'],
  ]);
  await expectConsistent(testEnvironment, testAccount);
});

test('a hold whose reversal was refused is reversed under a new reference', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const held = await createPaidIntent(testEnvironment, testAccount, { captureMode: 'Manual' });
  expect(await giveBack(testAccount, held.intentId, givingBackBy(refusing('reverse')))).toBe('refused');
  expect((await readIntent(testEnvironment, testAccount, held.intentId)).status).toBe('Authorized');
  expect(await giveBack(testAccount, held.intentId)).toBe('givenBack');
  expect((await readIntent(testEnvironment, testAccount, held.intentId)).status).toBe('Reversed');
  await expectConsistent(testEnvironment, testAccount);
});

test.each([
  ['reversal', 'Reverse', 0, 'Reversed'],
  ['refund', 'Refund', DAY_MS, 'Refunded'],
] as const)('a worker repeats a %s without a final answer until it ends', async (_, kind, laterMs, then) => {
  const testAccount = await createTestAccount(testEnvironment);
  const paid = await createPaidIntent(testEnvironment, testAccount);
  await moveClock(testEnvironment, testAccount.scope, laterMs);
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind }, effect: 'drop-answer', times: 1 }]);
  // The payment at the table is recorded by a late answer now, and is not stepped any more.
  expect(await giveBack(testAccount, paid.intentId)).toBe('unanswered');
  await elapseTime(testEnvironment, testAccount.scope, 60_000);
  const { status, pendingRefund } = await readIntent(testEnvironment, testAccount, paid.intentId);
  expect([status, pendingRefund]).toEqual([then, gbp(0)]);
  await expectConsistent(testEnvironment, testAccount);
});

test.each([
  ['reversal', 'Reverse', 0, REVERSED],
  ['refund', 'Refund', DAY_MS, REFUNDED],
] as const)(
  'a %s whose answer is lost is repeated under its reference until the answer arrives',
  async (_title, kind, laterMs, then) => {
    const testAccount = await createTestAccount(testEnvironment);
    const paid = await createPaidIntent(testEnvironment, testAccount);
    await moveClock(testEnvironment, testAccount.scope, laterMs);
    testEnvironment.acquirerServer.rules.replaceRules([
      { match: { kind }, effect: 'down', times: 1 },
      { match: { kind }, effect: 'drop-answer', times: 2 },
    ]);
    expect(await giveBack(testAccount, paid.intentId)).toBe('unanswered');
    expect((await readIntent(testEnvironment, testAccount, paid.intentId)).pendingRefund).toEqual(gbp(2_000));
    expect(await giveBack(testAccount, paid.intentId)).toBe('unanswered');
    expect(await giveBack(testAccount, paid.intentId)).toBe('givenBack');
    expect(await runToEnd(testAccount, paid)).toEqual(then);
    await expectConsistent(testEnvironment, testAccount);
  },
);

test('a reversal that began before midnight is repeated after it', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const paid = await createPaidIntent(testEnvironment, testAccount);
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Reverse' }, effect: 'drop-answer', times: 1 }]);
  expect(await giveBack(testAccount, paid.intentId)).toBe('unanswered');
  await moveClock(testEnvironment, testAccount.scope, DAY_MS);
  expect(await giveBack(testAccount, paid.intentId)).toBe('givenBack');
  expect(await runToEnd(testAccount, paid)).toEqual(REVERSED);
});

test.each([
  ['on the same day', 0, REVERSED],
  ['the day after', DAY_MS, REFUNDED],
] as const)('twenty runs at once %s have one effect', async (_title, laterMs, then) => {
  const testAccount = await createTestAccount(testEnvironment);
  const paid = await createPaidIntent(testEnvironment, testAccount);
  await moveClock(testEnvironment, testAccount.scope, laterMs);
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => giveBack(testAccount, paid.intentId)));
  expect(new Set(outcomes)).toEqual(new Set(['givenBack']));
  expect(await runToEnd(testAccount, paid)).toEqual(then);
  const calls = await testEnvironment.database.read(testAccount.scope, (reader) =>
    listCallsOfIntent(reader, paid.intentId),
  );
  expect(calls).toHaveLength(2);
  await expectConsistent(testEnvironment, testAccount);
});

test('twenty concurrent runs of a refused reversal and its refund have one effect', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const paid = await createPaidIntent(testEnvironment, testAccount);
  const by = givingBackBy(refusing('reverse'));
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => giveBack(testAccount, paid.intentId, by)));
  expect(new Set(outcomes)).toEqual(new Set(['givenBack']));
  expect(await runToEnd(testAccount, paid)).toEqual(REFUNDED);
  await expectConsistent(testEnvironment, testAccount);
});

test('if a payment is partly refunded, the rest is given back', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const paid = await createPaidIntent(testEnvironment, testAccount);
  const refund = await TestCardMachine.createSession(testEnvironment, testAccount, {
    ...{ sessionType: 'MatchedRefund', paymentIntentId: paid.intentId, amount: gbp(500) },
  });
  // While that refund runs the remaining amount is unknown.
  expect(await giveBack(testAccount, paid.intentId)).toBe('unanswered');
  await refund.approvePayment();
  expect(await giveBack(testAccount, paid.intentId)).toBe('givenBack');
  const { status, refunded } = await readIntent(testEnvironment, testAccount, paid.intentId);
  expect([status, refunded]).toEqual(['Refunded', gbp(2_000)]);
  expect(runAfter(paid.reference)).toEqual(['Refund Approved', 'Refund Approved']);
  await elapseTime(testEnvironment, testAccount.scope, 1_000);
  await expectConsistent(testEnvironment, testAccount);
});

/** An acquirer that says no to one kind of call, and is itself otherwise. */
function refusing(what: 'reverse' | 'refund'): AcquirerPort {
  const { acquirer } = testEnvironment;
  return {
    increase: (order) => acquirer.increase(order),
    capture: (order) => acquirer.capture(order),
    refund: (order) => acquirer.refund(order),
    reverse: (order) => acquirer.reverse(order),
    inquire: (question) => acquirer.inquire(question),
    listBooked: (question) => acquirer.listBooked(question),
    getCapabilities: (question) => acquirer.getCapabilities(question),
    [what]: () => Promise.resolve({ outcome: 'declined', decline: getDecline() }),
  };
}

function givingBackBy(acquirer: AcquirerPort): GiveBack {
  const { database, accounts, settings } = testEnvironment;
  return new GiveBack({
    ...{ database, accounts, settings },
    calls: new AcquirerCalls({ database, acquirers: { find: () => acquirer }, accounts, settings }),
  });
}
