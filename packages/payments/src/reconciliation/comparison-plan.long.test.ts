import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import { addDays, DAY_MS, toZonedDay, toZonedMoment, UTC } from '@pos/core/time';
import { listLocations, updateLocation } from '@pos/store/repositories';
import {
  findReconciliationProgress,
  listUncomparedDays,
  saveUncomparedDay,
  type UncomparedDay,
  updateReconciliationProgress,
} from '@pos/store/reconciliation';
import { DEFAULT, removeList, runCheck } from '../testing/books-checks.js';
import { createPaidIntent } from '../testing/card-machine.js';
import {
  createCapturedPayment,
  getDayFromNow,
  listIncompleteDays,
  listOpenDifferenceNames,
  moveCallsBack,
} from '../testing/settlement-files.js';
import {
  createTestAccount,
  createTestEnvironment,
  type TestAccount,
  type TestEnvironment,
  transactAs,
} from '../testing/test-environment.js';

let testEnvironment: TestEnvironment;
let testAccount: TestAccount;

beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
beforeEach(async () => {
  testAccount = await createTestAccount(testEnvironment);
});
afterEach(() => {
  testEnvironment.settings.acquirers.declare(DEFAULT, COMPLETE_CAPABILITIES);
  testEnvironment.acquirerServer.rules.replaceRules([]);
});
afterAll(() => testEnvironment.close());

const runDailyCheck = () => runCheck(testEnvironment, testAccount, 'daily');
/** The check that follows 15 minutes after one that could not read the books of an acquirer. */
const runBetween = () => runCheck(testEnvironment, testAccount, 'between');
const differences = () => listOpenDifferenceNames(testEnvironment, testAccount);
const incompleteDays = () => listIncompleteDays(testEnvironment, testAccount);

const LIST_DOWN = { match: { kind: 'ListBooked' }, effect: 'down' } as const;

test('a check between two daily ones compares only the days whose books could not be read', async () => {
  removeList(testEnvironment);
  await createCapturedPayment(testEnvironment, testAccount);
  await moveCallsBack(testEnvironment, testAccount, 6);
  await runDailyCheck();
  testEnvironment.settings.acquirers.declare(DEFAULT, COMPLETE_CAPABILITIES);
  await createPaidIntent(testEnvironment, testAccount);
  const missing = await createPaidIntent(testEnvironment, testAccount);
  const { books } = testEnvironment.acquirerServer.acquirer;
  books.recordCall({ ...books.findCall(missing.reference)!, merchantId: 'another' });
  await saveDays([{ day: getDayFromNow(-2), reason: 'BooksUnread' }]);
  const ended = await runBetween();
  expect(ended).toMatchObject([{ days: 1 }]);
  expect(await incompleteDays()).toEqual([`${getDayFromNow(-6)} default WaitingForSettlement`]);
  await runDailyCheck();
  expect(await incompleteDays()).toEqual([]);
});

/** Stores days whose comparison with the default acquirer is incomplete. */
function saveDays(days: readonly Pick<UncomparedDay, 'day' | 'reason'>[]): Promise<void> {
  return transactAs(testEnvironment, testAccount, async (tx) => {
    await Promise.resolve();
    for (const { day, reason } of days) {
      const problem = reason === 'BooksUnread' ? 'it was down' : null;
      saveUncomparedDay(tx, { acquirer: 'default', day, reason, problem });
    }
  });
}

test('a request of an operator ends days that are too old for the daily check', async () => {
  await createPaidIntent(testEnvironment, testAccount);
  await moveCallsBack(testEnvironment, testAccount, 70);
  await saveDays([
    { day: getDayFromNow(-70), reason: 'WaitingForSettlement' },
    { day: getDayFromNow(-68), reason: 'BooksUnread' },
  ]);
  await runDailyCheck();
  expect(await incompleteDays()).toHaveLength(2);
  await transactAs(testEnvironment, testAccount, (tx) =>
    updateReconciliationProgress(tx, () => ({
      requested: {
        from: toZonedMoment(getDayFromNow(-70), UTC),
        to: new Date(toZonedMoment(getDayFromNow(-68), UTC).getTime() + DAY_MS),
      },
    })),
  );
  await runBetween();
  expect(await incompleteDays()).toEqual([]);
});

test.each(['America/New_York', 'Pacific/Kiritimati'])(
  'the days of an account in %s begin at midnight there',
  async (zone) => {
    await transactAs(testEnvironment, testAccount, async (tx) => {
      const [first] = await listLocations(tx);
      if (first === undefined) throw new Error('the account has no location');
      await updateLocation(tx, first.id, { timeZone: zone });
    });
    await createPaidIntent(testEnvironment, testAccount);
    await moveCallsBack(testEnvironment, testAccount, 70);
    const day = toZonedDay(new Date(Date.now() - 70 * DAY_MS), zone);
    await saveDays([{ day, reason: 'WaitingForSettlement' }]);
    await runDailyCheck();
    expect(await incompleteDays()).toHaveLength(1);
    const requested = { from: toZonedMoment(day, zone), to: toZonedMoment(addDays(day, 1), zone) };
    await transactAs(testEnvironment, testAccount, (tx) => updateReconciliationProgress(tx, () => ({ requested })));
    await runBetween();
    expect(await incompleteDays()).toEqual([]);
  },
);

test('a thousand old days do not hide the days that the daily check compares again', async () => {
  await createPaidIntent(testEnvironment, testAccount);
  await moveCallsBack(testEnvironment, testAccount, 10);
  const old = Array.from({ length: 1_000 }, (_, index) => getDayFromNow(-100 - index));
  await saveDays([...old, getDayFromNow(-10)].map((day) => ({ day, reason: 'WaitingForSettlement' })));
  await runDailyCheck();
  const left = await testEnvironment.database.read(testAccount.scope, (reader) =>
    listUncomparedDays(reader, { from: getDayFromNow(-50) }),
  );
  expect(left).toEqual([]);
});

test('a day that is compared again leaves out the bookings of the last hour', async () => {
  const { reference } = await createPaidIntent(testEnvironment, testAccount);
  const { books } = testEnvironment.acquirerServer.acquirer;
  books.recordCall({ ...books.findCall(reference)!, merchantId: 'another' });
  await saveDays([
    { day: getDayFromNow(0), reason: 'WaitingForSettlement' },
    { day: getDayFromNow(1), reason: 'WaitingForSettlement' },
  ]);
  await runDailyCheck();
  expect(await differences()).toEqual([]);
});

test('a check that could not read the books of any acquirer has compared nothing', async () => {
  await createPaidIntent(testEnvironment, testAccount);
  testEnvironment.acquirerServer.rules.replaceRules([LIST_DOWN]);
  await runDailyCheck();
  const { listedAt, listError } = await testEnvironment.database.read(testAccount.scope, findReconciliationProgress);
  expect([listedAt, listError]).toEqual([null, expect.stringMatching(/^default: /)]);
});
