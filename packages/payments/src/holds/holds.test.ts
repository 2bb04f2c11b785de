import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/time';
import { listAlarmPage } from '../alarms/alarms.js';
import { createPaidIntent } from '../testing/card-machine.js';
import { listBookings, MoneyOperations } from '../testing/money-operations.js';
import {
  createTestAccount,
  createTestEnvironment,
  elapseTime,
  listEventTypes,
  listPublishedStates,
  listTimers,
  moveClock,
  readIntent,
  runDueWork,
  type TestEnvironment,
  transactAs,
} from '../testing/test-environment.js';
import { expectConsistent } from '../testing/consistency-checks.js';
import type { PaymentIntentRequest } from '../payment-intents/payment-intents.js';

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
const MINUTE_MS = 60_000;

/** A hold of £20 with a part of it captured, in an account of its own. */
async function createHeldPayment(request: Partial<PaymentIntentRequest> = {}, captured = 0) {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId: id, reference } = await createPaidIntent(testEnvironment, testAccount, {
    captureMode: 'Manual',
    ...request,
  });
  const moneyOperations = new MoneyOperations(testEnvironment, testAccount);
  if (captured > 0) await moneyOperations.capture(id, captured);
  return { testAccount, id, reference, moneyOperations };
}

const RELEASE_IN_AN_HOUR = { autoExpireInMs: HOUR_MS, autoExpireAction: 'Release' } as const;
const CAPTURE_IN_AN_HOUR = { autoExpireInMs: HOUR_MS, autoExpireAction: 'Capture' } as const;
const CAPTURED = ['Authorized', 'Captured'];

// oxfmt-ignore
test.each<[string, Partial<PaymentIntentRequest>, number, number, string, string[], string[]]>([
  ['a hold without an expiry setting ends after seven days', {}, 0, 7 * DAY_MS, 'Reversed', ['Authorized', 'Reversed'], ['Reverse 2000 Approved']],
  ['a hold is released when its setting says so', RELEASE_IN_AN_HOUR, 0, HOUR_MS, 'Reversed', ['Authorized', 'Reversed'], ['Reverse 2000 Approved']],
  ['of a hold that is captured in part the rest is let go', RELEASE_IN_AN_HOUR, 500, HOUR_MS, 'Captured', CAPTURED, ['Capture 500 Approved', 'Reverse 1500 Approved']],
  ['a hold is captured when its setting says so', CAPTURE_IN_AN_HOUR, 0, HOUR_MS, 'Captured', CAPTURED, ['Capture 2000 Approved']],
  ['of a hold that is captured in part the rest is captured', CAPTURE_IN_AN_HOUR, 500, HOUR_MS, 'Captured', [...CAPTURED, 'Captured'], ['Capture 500 Approved', 'Capture 1500 Approved']],
])('%s, and nothing before', async (_title, request, captured, afterMs, status, history, booked) => {
  const { testAccount, id, reference } = await createHeldPayment(request, captured);
  await elapseTime(testEnvironment, testAccount.scope, afterMs - MINUTE_MS);
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe('Authorized');
  await elapseTime(testEnvironment, testAccount.scope, MINUTE_MS);
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe(status);
  expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual(history);
  expect(await listPublishedStates(testEnvironment, testAccount.scope, id)).toEqual(['created Created', 'Authorized', status]);
  expect(listBookings(testEnvironment, reference)).toEqual(booked);
  expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
  await expectConsistent(testEnvironment, testAccount);
});

test('a refused automatic capture is tried hourly, and the one that is accepted ends the hold', async () => {
  const { testAccount, id, reference } = await createHeldPayment(CAPTURE_IN_AN_HOUR);
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Capture' }, effect: 'decline', times: 2 }]);
  await elapseTime(testEnvironment, testAccount.scope, HOUR_MS);
  await elapseTime(testEnvironment, testAccount.scope, HOUR_MS - MINUTE_MS);
  expect(listBookings(testEnvironment, reference)).toEqual(['Capture 2000 Declined']);
  await elapseTime(testEnvironment, testAccount.scope, MINUTE_MS);
  await elapseTime(testEnvironment, testAccount.scope, HOUR_MS);
  expect(listBookings(testEnvironment, reference)).toEqual([
    'Capture 2000 Declined',
    'Capture 2000 Declined',
    'Capture 2000 Approved',
  ]);
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe('Captured');
  expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
  await expectConsistent(testEnvironment, testAccount);
});

test('an automatic capture that is always refused ends when the hold ends, which is released', async () => {
  const { testAccount, id, reference } = await createHeldPayment({
    ...CAPTURE_IN_AN_HOUR,
    autoExpireInMs: 7 * DAY_MS - 2 * HOUR_MS,
  });
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Capture' }, effect: 'decline' }]);
  await elapseTime(testEnvironment, testAccount.scope, 7 * DAY_MS - 2 * HOUR_MS);
  await elapseTime(testEnvironment, testAccount.scope, HOUR_MS);
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe('Authorized');
  await elapseTime(testEnvironment, testAccount.scope, HOUR_MS);
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe('Reversed');
  expect(listBookings(testEnvironment, reference)).toEqual([
    'Capture 2000 Declined',
    'Capture 2000 Declined',
    'Reverse 2000 Approved',
  ]);
  await expectConsistent(testEnvironment, testAccount);
});

test('a hold waits for its open capture, and only the rest is released', async () => {
  const { testAccount, id, reference, moneyOperations } = await createHeldPayment(RELEASE_IN_AN_HOUR);
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Capture' }, effect: 'down' }]);
  expect(await moneyOperations.capture(id, 700)).toBe('acquirer_unanswered');
  await elapseTime(testEnvironment, testAccount.scope, HOUR_MS);
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe('Authorized');
  testEnvironment.acquirerServer.rules.replaceRules([]);
  await elapseTime(testEnvironment, testAccount.scope, MINUTE_MS);
  await elapseTime(testEnvironment, testAccount.scope, MINUTE_MS);
  const { status, captured } = await readIntent(testEnvironment, testAccount, id);
  expect([status, captured]).toEqual(['Captured', gbp(700)]);
  expect(listBookings(testEnvironment, reference)).toEqual(['Capture 700 Approved', 'Reverse 1300 Approved']);
  await expectConsistent(testEnvironment, testAccount);
});

test('an automatic capture whose answer is lost is repeated under its reference, and happens once', async () => {
  const { testAccount, id, reference } = await createHeldPayment(CAPTURE_IN_AN_HOUR);
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Capture' }, effect: 'drop-answer', times: 1 }]);
  await elapseTime(testEnvironment, testAccount.scope, HOUR_MS);
  expect((await readIntent(testEnvironment, testAccount, id)).pendingCapture).toEqual(gbp(2_000));
  await elapseTime(testEnvironment, testAccount.scope, MINUTE_MS);
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe('Captured');
  expect(listBookings(testEnvironment, reference)).toEqual(['Capture 2000 Approved']);
  expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
});

test('many workers end one hold at once, and it ends once', async () => {
  const { testAccount, id, reference } = await createHeldPayment(RELEASE_IN_AN_HOUR);
  await moveClock(testEnvironment, testAccount.scope, HOUR_MS);
  const ends = Array.from({ length: 12 }, () =>
    transactAs(testEnvironment, testAccount, (tx) => testEnvironment.holds.endHold(tx, id)),
  );
  const checks = await Promise.all(ends);
  expect(checks.every((look) => look !== null)).toBe(true);
  await runDueWork(testEnvironment, testAccount.scope);
  expect(listBookings(testEnvironment, reference)).toEqual(['Reverse 2000 Approved']);
  expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual(['Authorized', 'Reversed']);
  await expectConsistent(testEnvironment, testAccount);
});

test('a hold that the acquirer never reverses raises one alarm, and the reversal is repeated for a day', async () => {
  const { testAccount, id, reference, moneyOperations } = await createHeldPayment(RELEASE_IN_AN_HOUR);
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Reverse' }, effect: 'decline' }]);
  for (let hour = 0; hour < 30; hour += 1) await elapseTime(testEnvironment, testAccount.scope, HOUR_MS);
  expect(testEnvironment.acquirerServer.rules.listRules().map(({ used }) => used)).toEqual([24]);
  expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
  const { alarms } = await testEnvironment.database.read(testAccount.scope, (reader) =>
    listAlarmPage(reader, { limit: 9 }),
  );
  expect(alarms.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([`MoneyNotReturned ${reference}`]);
  // The payment is usable as before.
  expect((await readIntent(testEnvironment, testAccount, id)).pendingCapture).toEqual(gbp(0));
  testEnvironment.acquirerServer.rules.replaceRules([]);
  expect(await moneyOperations.reverse(id)).toBe('done');
  await expectConsistent(testEnvironment, testAccount);
});
