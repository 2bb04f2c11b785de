import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AcquirerRule } from '@pos/sandbox/testing';
import { gbp } from '@pos/core/testing';
import { listOperatorCalls } from '@pos/store/repositories';
import { listAlarmPage } from '../alarms/alarms.js';
import { createPaidIntent } from '../testing/card-machine.js';
import { listPendingCalls } from './open-calls.js';
import { listBookings, MoneyOperations } from '../testing/money-operations.js';
import {
  elapseTime,
  createTestAccount,
  createTestEnvironment,
  readCall,
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

const MINUTE_MS = 60_000;
const DOWN: AcquirerRule = { match: { kind: 'Capture' }, effect: 'down' };
const BLIND: AcquirerRule = { match: { kind: 'Inquire' }, effect: 'down' };

/** A capture of £15 that the acquirer does not answer, and its reference. */
async function openCapture(rules: readonly AcquirerRule[]) {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId: id, reference: taken } = await createPaidIntent(testEnvironment, testAccount, {
    captureMode: 'Manual',
  });
  testEnvironment.acquirerServer.rules.replaceRules(rules);
  expect(await new MoneyOperations(testEnvironment, testAccount).capture(id, 1_500)).toBe('acquirer_unanswered');
  const { captures } = await readIntent(testEnvironment, testAccount, id);
  return { testAccount, id, taken, reference: captures[0]!.id };
}

async function pendingOf({ scope }: TestAccount): Promise<string[]> {
  const databaseNow = await testEnvironment.database.now();
  const lines = await testEnvironment.database.read(scope, (reader) =>
    listPendingCalls(reader, { databaseNow, settings: testEnvironment.settings }),
  );
  return lines.map(({ call }) => `${call.kind} ${call.reference}`);
}

async function alarmsOf({ scope }: TestAccount): Promise<string[]> {
  const { alarms } = await testEnvironment.database.read(scope, (reader) => listAlarmPage(reader, { limit: 100 }));
  return alarms.map(({ kind, subject }) => `${kind} ${subject}`);
}

/** How often the acquirer was asked of that kind, refused or not. */
const countEffects = (effect: AcquirerRule['effect']): number =>
  testEnvironment.acquirerServer.rules.listRules().find((rule) => rule.effect === effect)?.used ?? 0;

test('the waits between tries double from 5 s to 15 minutes', async () => {
  const { testAccount } = await openCapture([DOWN]);
  const tries: number[] = [];
  for (const minute of [1, 2, 4, 8, 16, 32, 64, 128]) {
    // In steps, as time passes: each try sets the next.
    for (let step = 0; step < 20; step += 1)
      await elapseTime(testEnvironment, testAccount.scope, (minute * MINUTE_MS) / 20);
    tries.push(countEffects('down'));
  }
  // At first every few seconds, then four times an hour.
  expect(tries[0]).toBeGreaterThanOrEqual(3);
  expect(tries.at(-1)! - tries.at(-2)!).toBeLessThanOrEqual(9);
  expect(tries.at(-1)! - tries.at(-2)!).toBeGreaterThanOrEqual(6);
});

test('a call that stays open is on the pending list, and raises one alarm', async () => {
  const { testAccount, reference } = await openCapture([DOWN]);
  await elapseTime(testEnvironment, testAccount.scope, MINUTE_MS);
  expect([await pendingOf(testAccount), await alarmsOf(testAccount)]).toEqual([[], []]);
  for (let minute = 0; minute < 40; minute += 1) await elapseTime(testEnvironment, testAccount.scope, MINUTE_MS);
  expect(await pendingOf(testAccount)).toEqual([`Capture ${reference}`]);
  expect(await alarmsOf(testAccount)).toEqual([`AcquirerCallOpen ${reference}`]);
  testEnvironment.acquirerServer.rules.replaceRules([]);
  await elapseTime(testEnvironment, testAccount.scope, 15 * MINUTE_MS);
  expect(await pendingOf(testAccount)).toEqual([]);
  // The cause has ended by itself, so the service answers its alarm, for the audit log too.
  const { alarms } = await testEnvironment.database.read(testAccount.scope, (reader) =>
    listAlarmPage(reader, { limit: 100 }),
  );
  expect(alarms).toMatchObject([
    { answer: { keyId: 'service', note: 'The cause has ended: the call has an outcome.' } },
  ]);
  const { elements } = await testEnvironment.database.read(testAccount.scope, (reader) =>
    listOperatorCalls(reader, { limit: 10, cursor: null, direction: 'older' }),
  );
  expect(elements).toMatchObject([
    { keyId: 'service', action: 'AnswerAlarm', subject: alarms[0]!.id, outcome: 'Done', stateAfter: 'Answered' },
  ]);
  await expectConsistent(testEnvironment, testAccount);
});

const settle = ({ scope }: TestAccount, reference: string) => testEnvironment.calls.concludeFromBooks(scope, reference);

test.each<[string, AcquirerRule[], string, string, number]>([
  ['an inquiry says that it was booked', [{ ...DOWN, effect: 'drop-answer' }], 'over', 'Approved', 1_500],
  ['only the list shows it', [{ ...DOWN, effect: 'drop-answer' }, BLIND], 'over', 'Approved', 1_500],
  [
    'the list shows that it was refused',
    [{ ...DOWN, effect: 'drop-answer' }, { ...DOWN, effect: 'decline' }, BLIND],
    'over',
    'Declined',
    0,
  ],
])('a call is concluded by the books of the acquirer: %s', async (_title, rules, state, outcome, captured) => {
  const { testAccount, id, reference } = await openCapture(rules);
  expect(await settle(testAccount, reference)).toBe(state);
  expect((await readCall(testEnvironment, testAccount, reference)).outcome).toBe(outcome);
  const { captured: taken, pendingCapture } = await readIntent(testEnvironment, testAccount, id);
  expect([taken, pendingCapture]).toEqual([gbp(captured), gbp(0)]);
  expect(await settle(testAccount, reference)).toBe('over');
  await expectConsistent(testEnvironment, testAccount);
});

test.each<[string, AcquirerRule[]]>([
  ['the acquirer does not know it', [DOWN]],
  ['the acquirer does not know it, and cannot be asked after', [DOWN, BLIND]],
  [
    'neither inquiry nor list answers',
    [{ ...DOWN, effect: 'drop-answer' }, BLIND, { match: { kind: 'ListBooked' }, effect: 'down' }],
  ],
  [
    'the list shows another amount',
    [
      { ...DOWN, effect: 'drop-answer' },
      { match: { kind: 'Inquire' }, effect: 'misstate-amount' },
    ],
  ],
])('nothing is concluded without a final outcome in the books: %s', async (_title, rules) => {
  const { testAccount, id, reference, taken } = await openCapture(rules);
  const bookings = listBookings(testEnvironment, taken);
  expect(await settle(testAccount, reference)).toBe('open');
  expect((await readIntent(testEnvironment, testAccount, id)).pendingCapture).toEqual(gbp(1_500));
  expect(listBookings(testEnvironment, taken)).toEqual(bookings);
  testEnvironment.acquirerServer.rules.replaceRules([]);
  await elapseTime(testEnvironment, testAccount.scope, MINUTE_MS);
  await runDueWork(testEnvironment, testAccount.scope);
  expect((await readIntent(testEnvironment, testAccount, id)).captured).toEqual(gbp(1_500));
  await expectConsistent(testEnvironment, testAccount);
});
