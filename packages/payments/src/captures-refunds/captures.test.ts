import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { lockIntent } from '@pos/store/payments';
import { defineStatement } from '@pos/postgres/statements';
import { listBookings, countAnswers, listUnansweredCases, MoneyOperations } from '../testing/money-operations.js';
import { createDeferred, waitUntilBlocked } from '../testing/lock-waits.js';
import { createPaidIntent } from '../testing/card-machine.js';
import {
  createIntent,
  createTestAccount,
  createTestEnvironment,
  elapseTime,
  listEventTypes,
  listPublishedStates,
  listTimers,
  readIntent,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { prepareCapture } from './captures.js';
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

/** A hold of £20 in an account of its own. */
async function createHeldPayment() {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId: id, reference } = await createPaidIntent(testEnvironment, testAccount, { captureMode: 'Manual' });
  return { testAccount, id, reference, moneyOperations: new MoneyOperations(testEnvironment, testAccount) };
}

test('a hold is captured in parts with tips; only the last one changes the status, and nothing is left after it', async () => {
  const { testAccount, id, reference, moneyOperations } = await createHeldPayment();
  expect(await moneyOperations.capture(id, 500, 100)).toBe('done');
  const part = await readIntent(testEnvironment, testAccount, id);
  expect([part.status, part.captured, part.tipsAmount]).toEqual(['Authorized', gbp(600), gbp(100)]);
  expect(await moneyOperations.capture(id, 1_401)).toBe('capture_exceeds_authorized');
  expect(await moneyOperations.capture(id, 1_300, 100)).toBe('done');
  const whole = await readIntent(testEnvironment, testAccount, id);
  expect([whole.status, whole.captured, whole.tipsAmount]).toEqual(['Captured', gbp(2_000), gbp(200)]);
  expect(whole.captures.map(({ amount, tipsAmount, status }) => [amount.value, tipsAmount.value, status])).toEqual([
    [500, 100, 'Successful'],
    [1_300, 100, 'Successful'],
  ]);
  expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual(['Authorized', 'Captured', 'Captured']);
  expect(await listPublishedStates(testEnvironment, testAccount.scope, id)).toEqual([
    'created Created',
    'Authorized',
    'Captured',
  ]);
  expect(listBookings(testEnvironment, reference)).toEqual(['Capture 600 Approved', 'Capture 1400 Approved']);
  expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
  expect(await moneyOperations.capture(id, 1)).toBe('not_capturable');
  await expectConsistent(testEnvironment, testAccount);
});

test.each<[string, number, number, string]>([
  ['a penny more than is held', 2_001, 0, 'capture_exceeds_authorized'],
  ['a tip that exceeds what is held', 2_000, 1, 'capture_exceeds_authorized'],
  ['only a tip', 0, 100, 'validation_failed'],
  ['less than nothing', -1, 0, 'validation_failed'],
  ['a negative tip', 10, -1, 'validation_failed'],
  ['all of it', 2_000, 0, 'done'],
])('%s: %d and a tip of %d: %s', async (_title, amount, tip, then) => {
  const { testAccount, id, reference, moneyOperations } = await createHeldPayment();
  expect(await moneyOperations.capture(id, amount, tip)).toBe(then);
  expect(listBookings(testEnvironment, reference)).toHaveLength(then === 'done' ? 1 : 0);
  expect((await readIntent(testEnvironment, testAccount, id)).pendingCapture).toEqual(gbp(0));
  await expectConsistent(testEnvironment, testAccount);
});

test('what was never approved, was taken at once, or is unknown cannot be captured', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const moneyOperations = new MoneyOperations(testEnvironment, testAccount);
  const created = await createIntent(testEnvironment, testAccount, { captureMode: 'Manual' });
  const { intentId: taken } = await createPaidIntent(testEnvironment, testAccount);
  const stranger = await createHeldPayment();
  expect(await Promise.all([created, taken].map((id) => moneyOperations.capture(id, 1)))).toEqual([
    'not_capturable',
    'not_capturable',
  ]);
  expect(await moneyOperations.capture(stranger.id, 1)).toBe('payment_intent_unknown');
});

test.each([
  ['decline', 'Declined'],
  ['fail', 'Failed'],
] as const)(
  'a capture that the acquirer answers with %s is %s, and its money can be captured again',
  async (effect, then) => {
    const { testAccount, id, moneyOperations } = await createHeldPayment();
    testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Capture' }, effect, times: 1 }]);
    expect(await moneyOperations.capture(id, 2_000)).toBe('capture_refused');
    const refused = await readIntent(testEnvironment, testAccount, id);
    expect([refused.status, refused.pendingCapture, refused.captures[0]?.status]).toEqual(['Authorized', gbp(0), then]);
    expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual(['Authorized']);
    expect(await moneyOperations.capture(id, 2_000)).toBe('done');
    await expectConsistent(testEnvironment, testAccount);
  },
);

test.each(listUnansweredCases('Capture'))(
  'a worker repeats a capture whose answer %s, and the money is captured once',
  async (_title, rules) => {
    const { testAccount, id, reference, moneyOperations } = await createHeldPayment();
    testEnvironment.acquirerServer.rules.replaceRules(rules);
    expect(await moneyOperations.capture(id, 1_500)).toBe('acquirer_unanswered');
    const open = await readIntent(testEnvironment, testAccount, id);
    expect([open.pendingCapture, open.captured, open.captures[0]?.status]).toEqual([gbp(1_500), gbp(0), 'Created']);
    // A reserved amount is not captured twice while the outcome is unknown.
    expect(await moneyOperations.capture(id, 501)).toBe('capture_exceeds_authorized');
    await elapseTime(testEnvironment, testAccount.scope, UNTIL_REPEATED_MS);
    expect((await readIntent(testEnvironment, testAccount, id)).captured).toEqual(gbp(1_500));
    expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual(['Authorized', 'Captured']);
    expect(listBookings(testEnvironment, reference)).toEqual(['Capture 1500 Approved']);
    expect(await listTimers(testEnvironment, testAccount)).toEqual([`hold-end ${id}`]);
    await expectConsistent(testEnvironment, testAccount);
  },
);

test('fifty captures at once of a hold for twenty: twenty are taken', async () => {
  const { testAccount, id, reference, moneyOperations } = await createHeldPayment();
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => moneyOperations.capture(id, 100)));
  expect(countAnswers(answers)['done']).toBe(20);
  expect(new Set(answers)).toEqual(new Set(['done', answers.find((each) => each !== 'done')]));
  const { status, captured, pendingCapture } = await readIntent(testEnvironment, testAccount, id);
  expect([status, captured, pendingCapture]).toEqual(['Captured', gbp(2_000), gbp(0)]);
  expect(listBookings(testEnvironment, reference)).toEqual(Array.from({ length: 20 }, () => 'Capture 100 Approved'));
  await expectConsistent(testEnvironment, testAccount);
});

test('concurrent workers repeat one capture, and the money is captured once', async () => {
  const { testAccount, id, reference } = await createHeldPayment();
  const capture = await testEnvironment.database.transact(testAccount.scope, (tx) =>
    prepareCapture(tx, testEnvironment.settings, { intentId: id, request: { amount: 700, tipsAmount: 0 } }),
  );
  await Promise.all(Array.from({ length: 12 }, () => testEnvironment.calls.pursueCall(testAccount.scope, capture)));
  expect((await readIntent(testEnvironment, testAccount, id)).captured).toEqual(gbp(700));
  expect(listBookings(testEnvironment, reference)).toEqual(['Capture 700 Approved']);
  await expectConsistent(testEnvironment, testAccount);
});

const CAPTURE_ROWS = defineStatement(
  'test_capture_rows',
  `select number, amount, tips_amount, status from captures
   where account_id = $1 and environment = $2 and intent_id = $3 order by number`,
);

/** The rows of a payment's captures, as `number amount+tip status`. */
async function listCaptureRows({ scope }: TestAccount, id: string): Promise<string[]> {
  const rows = await testEnvironment.database.read(scope, (reader) =>
    reader.query<{ number: number; amount: number; tips_amount: number; status: string }>(CAPTURE_ROWS, [
      scope.accountId,
      scope.environment,
      id,
    ]),
  );
  return rows.map(({ number, amount, tips_amount: tip, status }) => `${number} ${amount}+${tip} ${status}`);
}

test('each capture is a row of its intent, reserved before the acquirer is asked and concluded by its answer', async () => {
  const { testAccount, id, moneyOperations } = await createHeldPayment();
  const other = await createPaidIntent(testEnvironment, testAccount, { captureMode: 'Manual' });
  const reserved = await testEnvironment.database.transact(testAccount.scope, (tx) =>
    prepareCapture(tx, testEnvironment.settings, { intentId: id, request: { amount: 700, tipsAmount: 50 } }),
  );
  expect(await listCaptureRows(testAccount, id)).toEqual(['1 700+50 Created']);
  await testEnvironment.calls.pursueCall(testAccount.scope, reserved);
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Capture' }, effect: 'decline', times: 1 }]);
  expect(await moneyOperations.capture(id, 300)).toBe('capture_refused');
  expect(await moneyOperations.capture(id, 1_250)).toBe('done');
  expect(await moneyOperations.capture(other.intentId, 2_000)).toBe('done');
  expect(await listCaptureRows(testAccount, id)).toEqual([
    '1 700+50 Successful',
    '2 300+0 Declined',
    '3 1250+0 Successful',
  ]);
  expect(await listCaptureRows(testAccount, other.intentId)).toEqual(['1 2000+0 Successful']);
  const foreign = { ...testAccount, scope: { ...testAccount.scope, environment: 'production' as const } };
  expect(await listCaptureRows(foreign, id)).toEqual([]);
});

test('a transaction that waits for the lock of a payment reads the captures that the holder of the lock commits', async () => {
  const { testAccount, id } = await createHeldPayment();
  const { database, settings } = testEnvironment;
  const reserved = createDeferred();
  const released = createDeferred();
  const holding = database.transact(testAccount.scope, async (tx) => {
    await prepareCapture(tx, settings, { intentId: id, request: { amount: 700, tipsAmount: 0 } });
    await tx.flush();
    reserved.resolve();
    await released.promise;
  });
  await reserved.promise;
  const waiting = database.transact(testAccount.scope, (tx) => lockIntent(tx, id));
  await waitUntilBlocked(database).finally(released.resolve);
  await holding;
  const locked = await waiting;
  expect(locked?.intent.captures.map(({ amount, status }) => [amount, status])).toEqual([[gbp(700), 'Created']]);
});
