import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { DAY_MS, HOUR_MS } from '@pos/core/time';
import { listLocations, updateLocation } from '@pos/store/repositories';
import { createPaidIntent } from '../testing/card-machine.js';
import { listBookings, countAnswers, listUnansweredCases, MoneyOperations } from '../testing/money-operations.js';
import {
  createIntent,
  elapseTime,
  listPublishedStates,
  listEventTypes,
  moveClock,
  createTestAccount,
  createTestEnvironment,
  readCall,
  readIntent,
  listTimers,
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

const UNTIL_REPEATED_MS = 6_000;
const NOON_TO_MIDNIGHT_MS = DAY_MS / 2;

async function createPayment(captureMode: 'Auto' | 'Manual', settings = {}) {
  const testAccount = await createTestAccount(testEnvironment, settings);
  const { intentId: id, reference } = await createPaidIntent(testEnvironment, testAccount, { captureMode });
  return { testAccount, id, reference, moneyOperations: new MoneyOperations(testEnvironment, testAccount) };
}

test.each([
  ['a payment', 'Auto', 'Captured'],
  ['a hold', 'Manual', 'Authorized'],
] as const)('%s is undone as a whole, once', async (_title, captureMode, before) => {
  const { testAccount, id, reference, moneyOperations } = await createPayment(captureMode);
  expect(await moneyOperations.reverse(id)).toBe('done');
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe('Reversed');
  expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual([before, 'Reversed']);
  expect(await listPublishedStates(testEnvironment, testAccount.scope, id)).toEqual([
    'created Created',
    before,
    'Reversed',
  ]);
  expect((await readCall(testEnvironment, testAccount, reference)).outcome).toBe('Reversed');
  expect(listBookings(testEnvironment, reference)).toEqual(['Reverse 2000 Approved']);
  expect([
    await moneyOperations.reverse(id),
    await moneyOperations.capture(id, 1),
    await moneyOperations.refund(id, 1),
  ]).toEqual(['not_reversible', 'not_capturable', 'not_refundable']);
  expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
  await expectConsistent(testEnvironment, testAccount);
});

// A shop opens at noon; a card machine's sale takes some moments of it.
test.each<[string, 'Auto' | 'Manual', number, object, string]>([
  ['a payment just before midnight UTC', 'Auto', NOON_TO_MIDNIGHT_MS - 60_000, {}, 'done'],
  ['a payment at midnight UTC', 'Auto', NOON_TO_MIDNIGHT_MS, {}, 'reversal_window_passed'],
  ['a payment on the second of two days', 'Auto', DAY_MS, { capturedReversalDays: 2 }, 'done'],
  ['a payment where no day is allowed', 'Auto', 0, { capturedReversalDays: 0 }, 'reversal_window_passed'],
  ['a hold on its seventh day', 'Manual', 7 * DAY_MS - 60_000, {}, 'done'],
  ['a hold after seven days', 'Manual', 7 * DAY_MS, {}, 'reversal_window_passed'],
  [
    'a hold after the hour an account allows',
    'Manual',
    3_600_000,
    { authorizedReversalWindowMs: 3_600_000 },
    'reversal_window_passed',
  ],
])('%s: %s', async (_title, captureMode, laterMs, settings, then) => {
  const { testAccount, id, reference, moneyOperations } = await createPayment(captureMode, settings);
  await moveClock(testEnvironment, testAccount.scope, laterMs);
  expect(await moneyOperations.reverse(id)).toBe(then);
  expect(listBookings(testEnvironment, reference)).toHaveLength(then === 'done' ? 1 : 0);
});

// In New York the day of noon UTC ends at 05:00Z.
test.each<[string, number, string]>([
  ['at midnight UTC', NOON_TO_MIDNIGHT_MS, 'done'],
  ['just before midnight there', NOON_TO_MIDNIGHT_MS + 5 * HOUR_MS - 60_000, 'done'],
  ['at midnight there', NOON_TO_MIDNIGHT_MS + 5 * HOUR_MS, 'reversal_window_passed'],
])('a payment in New York %s: %s', async (_title, laterMs, then) => {
  const { testAccount, id, moneyOperations } = await createPayment('Auto');
  const { database } = testEnvironment;
  await database.transact(testAccount.scope, async (tx) => {
    const [first] = await listLocations(tx);
    if (first === undefined) throw new Error('the account has no location');
    await updateLocation(tx, first.id, { timeZone: 'America/New_York' });
  });
  await moveClock(testEnvironment, testAccount.scope, laterMs);
  expect(await moneyOperations.reverse(id)).toBe(then);
});

test('what is partly captured, was held first, is partly refunded, unpaid or unknown is not undone', async () => {
  const { testAccount, id: part, moneyOperations } = await createPayment('Manual');
  await moneyOperations.capture(part, 1);
  const { intentId: whole } = await createPaidIntent(testEnvironment, testAccount, { captureMode: 'Manual' });
  await moneyOperations.capture(whole, 2_000);
  const { intentId: refunded } = await createPaidIntent(testEnvironment, testAccount);
  await moneyOperations.refund(refunded, 1);
  const created = await createIntent(testEnvironment, testAccount);
  const stranger = await createPayment('Auto');
  const answers: string[] = [];
  for (const id of [part, whole, refunded, created, stranger.id]) answers.push(await moneyOperations.reverse(id));
  expect(answers).toEqual([...Array.from({ length: 4 }, () => 'not_reversible'), 'payment_intent_unknown']);
  await expectConsistent(testEnvironment, testAccount);
});

test('a reversal that the acquirer refuses leaves the payment as it was, to be refunded or tried again', async () => {
  const { testAccount, id, reference, moneyOperations } = await createPayment('Auto');
  // Behind our back the acquirer has refunded a part, so it cannot undo the whole.
  await testEnvironment.acquirerServer.followUp('Refund', {
    reference: `other ${testAccount.merchantId}`,
    originalReference: reference,
    amount: gbp(1),
  });
  expect(await moneyOperations.reverse(id)).toBe('reversal_refused');
  const { status, pendingRefund } = await readIntent(testEnvironment, testAccount, id);
  expect([status, pendingRefund]).toEqual(['Captured', gbp(0)]);
  expect((await readCall(testEnvironment, testAccount, reference)).reverseReference).toBeNull();
  expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual(['Captured']);
  expect(await moneyOperations.refund(id, 1_999)).toBe('done');
});

test.each(listUnansweredCases('Reverse'))(
  'a worker repeats a reversal whose answer %s, and it happens once',
  async (_title, rules) => {
    const { testAccount, id, reference, moneyOperations } = await createPayment('Auto');
    testEnvironment.acquirerServer.rules.replaceRules(rules);
    expect(await moneyOperations.reverse(id)).toBe('acquirer_unanswered');
    expect([await moneyOperations.refund(id, 1), await moneyOperations.reverse(id)]).toEqual([
      'refund_exceeds_captured',
      'payment_intent_busy',
    ]);
    await elapseTime(testEnvironment, testAccount.scope, UNTIL_REPEATED_MS);
    expect((await readIntent(testEnvironment, testAccount, id)).status).toBe('Reversed');
    expect(listBookings(testEnvironment, reference)).toEqual(['Reverse 2000 Approved']);
    expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
    await expectConsistent(testEnvironment, testAccount);
  },
);

test('twenty reversals, refunds and captures at once: the money goes one way', async () => {
  for (const captureMode of ['Auto', 'Manual'] as const) {
    const { testAccount, id, moneyOperations } = await createPayment(captureMode);
    const other = (): Promise<string> =>
      captureMode === 'Auto' ? moneyOperations.refund(id, 2_000) : moneyOperations.capture(id, 2_000);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? moneyOperations.reverse(id) : other())),
    );
    expect(countAnswers(answers)['done']).toBe(1);
    await expectConsistent(testEnvironment, testAccount);
  }
});
