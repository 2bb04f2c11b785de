import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { TestCardMachine, createPaidIntent } from '../testing/card-machine.js';
import { listBookings, countAnswers, listUnansweredCases, MoneyOperations } from '../testing/money-operations.js';
import {
  createIntent,
  elapseTime,
  listPublishedStates,
  listEventTypes,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  getOutcome,
  listTimers,
  runDueWork,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { prepareRefund } from './refunds.js';
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

const AT_ONCE = 50;
const UNTIL_REPEATED_MS = 6_000;

/** £20 that were taken on a card machine, in an account of its own. */
async function createPayment(captureMode: 'Auto' | 'Manual' = 'Auto') {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId: id, reference } = await createPaidIntent(testEnvironment, testAccount, { captureMode });
  return { testAccount, id, reference, moneyOperations: new MoneyOperations(testEnvironment, testAccount) };
}

test('a payment is refunded in parts, exactly; only the last one changes the status', async () => {
  const { testAccount, id, reference, moneyOperations } = await createPayment();
  expect(await moneyOperations.refund(id, 500)).toBe('done');
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe('Captured');
  expect(await moneyOperations.refund(id, 1_501)).toBe('refund_exceeds_captured');
  expect(await moneyOperations.refund(id, 1_500)).toBe('done');
  const { status, refunded, pendingRefund } = await readIntent(testEnvironment, testAccount, id);
  expect([status, refunded, pendingRefund]).toEqual(['Refunded', gbp(2_000), gbp(0)]);
  expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual(['Captured', 'Refunded', 'Refunded']);
  expect(await listPublishedStates(testEnvironment, testAccount.scope, id)).toEqual([
    'created Created',
    'Captured',
    'Refunded',
  ]);
  expect(listBookings(testEnvironment, reference)).toEqual(['Refund 500 Approved', 'Refund 1500 Approved']);
  expect(await moneyOperations.refund(id, 1)).toBe('not_refundable');
  expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
  await expectConsistent(testEnvironment, testAccount);
});

test('only captured money of a hold is refunded, and the rest of the hold is released with it', async () => {
  const { testAccount, id, reference, moneyOperations } = await createPayment('Manual');
  expect(await moneyOperations.refund(id, 1)).toBe('not_refundable');
  await moneyOperations.capture(id, 1_200);
  expect(await moneyOperations.refund(id, 1_201)).toBe('refund_exceeds_captured');
  expect(await moneyOperations.refund(id, 200)).toBe('done');
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe('Captured');
  expect(await moneyOperations.capture(id, 1)).toBe('not_capturable');
  await runDueWork(testEnvironment, testAccount.scope);
  expect(listBookings(testEnvironment, reference)).toEqual([
    'Capture 1200 Approved',
    'Refund 200 Approved',
    'Reverse 800 Approved',
  ]);
  expect(await moneyOperations.refund(id, 1_000)).toBe('done');
  expect(await listPublishedStates(testEnvironment, testAccount.scope, id)).toEqual([
    'created Created',
    'Authorized',
    'Captured',
    'Refunded',
  ]);
  expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
  await expectConsistent(testEnvironment, testAccount);
});

test('the release of the rest is repeated until the acquirer has acknowledged it', async () => {
  const { testAccount, id, reference, moneyOperations } = await createPayment('Manual');
  await moneyOperations.capture(id, 1_200);
  testEnvironment.acquirerServer.rules.replaceRules([
    { match: { kind: 'Reverse' }, effect: 'down', times: 1 },
    { match: { kind: 'Reverse' }, effect: 'drop-answer', times: 2 },
  ]);
  expect(await moneyOperations.refund(id, 1_200)).toBe('done');
  await runDueWork(testEnvironment, testAccount.scope);
  for (let round = 0; round < 2; round += 1)
    await elapseTime(testEnvironment, testAccount.scope, UNTIL_REPEATED_MS * 2 ** round);
  expect(listBookings(testEnvironment, reference).filter((line) => line.startsWith('Reverse'))).toEqual([
    'Reverse 800 Approved',
  ]);
  expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
  await expectConsistent(testEnvironment, testAccount);
});

test('unpaid, cancelled, reversed and foreign payments are not refunded', async () => {
  const { testAccount, id: reversed, moneyOperations } = await createPayment();
  await moneyOperations.reverse(reversed);
  const created = await createIntent(testEnvironment, testAccount);
  const canceled = await createIntent(testEnvironment, testAccount);
  await testEnvironment.database.transact(testAccount.scope, (tx) => testEnvironment.intents.cancel(tx, canceled));
  const stranger = await createPayment();
  const answers: string[] = [];
  for (const id of [created, canceled, reversed, stranger.id]) answers.push(await moneyOperations.refund(id, 1));
  expect(answers).toEqual(['not_refundable', 'payment_intent_canceled', 'not_refundable', 'payment_intent_unknown']);
});

test('a refund that the acquirer refuses changes nothing and is no refund', async () => {
  const { testAccount, id, moneyOperations } = await createPayment();
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Refund' }, effect: 'decline', times: 1 }]);
  const order = { amount: 2_000, reason: null, notes: null, previousTransactionId: null };
  const refund = await testEnvironment.database.transact(testAccount.scope, (tx) =>
    prepareRefund(tx, testEnvironment.settings, { intentId: id, request: order }),
  );
  const get = () =>
    getOutcome(
      testEnvironment.database.read(testAccount.scope, (reader) => testEnvironment.refunds.getRefund(reader, refund)),
    );
  expect(await get()).toBe('refund_not_found');
  await testEnvironment.calls.pursueCall(testAccount.scope, refund);
  expect(await get()).toBe('refund_not_found');
  const { status, pendingRefund, refunded } = await readIntent(testEnvironment, testAccount, id);
  expect([status, pendingRefund, refunded]).toEqual(['Captured', gbp(0), gbp(0)]);
  expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual(['Captured']);
  expect(await moneyOperations.refund(id, 2_000)).toBe('done');
  await expectConsistent(testEnvironment, testAccount);
});

test.each(listUnansweredCases('Refund'))(
  'a worker repeats a refund whose answer %s, and it is made once',
  async (_title, rules) => {
    const { testAccount, id, reference, moneyOperations } = await createPayment();
    testEnvironment.acquirerServer.rules.replaceRules(rules);
    expect(await moneyOperations.refund(id, 1_500)).toBe('acquirer_unanswered');
    expect((await readIntent(testEnvironment, testAccount, id)).pendingRefund).toEqual(gbp(1_500));
    expect(await moneyOperations.refund(id, 501)).toBe('refund_exceeds_captured');
    await elapseTime(testEnvironment, testAccount.scope, UNTIL_REPEATED_MS);
    expect((await readIntent(testEnvironment, testAccount, id)).refunded).toEqual(gbp(1_500));
    expect(listBookings(testEnvironment, reference)).toEqual(['Refund 1500 Approved']);
    expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
    await expectConsistent(testEnvironment, testAccount);
  },
);

test('fifty refunds at once of a payment for twenty: twenty are made', async () => {
  const { testAccount, id, reference, moneyOperations } = await createPayment();
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => moneyOperations.refund(id, 100)));
  expect(countAnswers(answers)['done']).toBe(20);
  const { status, refunded, pendingRefund } = await readIntent(testEnvironment, testAccount, id);
  expect([status, refunded, pendingRefund]).toEqual(['Refunded', gbp(2_000), gbp(0)]);
  expect(listBookings(testEnvironment, reference)).toHaveLength(20);
  expect((await listEventTypes(testEnvironment, testAccount, id)).filter((event) => event === 'Refunded')).toHaveLength(
    20,
  );
  await expectConsistent(testEnvironment, testAccount);
});

test('a refund that runs on a card machine counts against what is left', async () => {
  const { testAccount, id, moneyOperations } = await createPayment();
  const machine = await TestCardMachine.createSession(testEnvironment, testAccount, {
    ...{ sessionType: 'MatchedRefund', paymentIntentId: id, amount: gbp(1_500) },
  });
  expect([await moneyOperations.refund(id, 501), await moneyOperations.refund(id, 500)]).toEqual([
    'refund_exceeds_captured',
    'done',
  ]);
  expect(await moneyOperations.reverse(id)).toBe('not_reversible');
  await machine.approvePayment();
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe('Refunded');
  await expectConsistent(testEnvironment, testAccount);
});
