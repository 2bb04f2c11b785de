import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import { addDays, DAY_MS, toZonedDay, toZonedMoment } from '@pos/core/time';
import { saveUncomparedDay } from '@pos/store/reconciliation';
import { listAlarms, listLocations, updateLocation } from '@pos/store/repositories';
import { readBookingsUnder } from '../acquirer/acquirer-books.js';
import { DEFAULT, removeList, runCheck } from '../testing/books-checks.js';
import {
  createCapturedPayment,
  declareAcquirer,
  importFile,
  listIncompleteDays,
  moveCallsBack,
  SETTLEMENT_HEADER,
} from '../testing/settlement-files.js';
import {
  createTestAccount,
  createTestEnvironment,
  getOutcome,
  type TestAccount,
  type TestEnvironment,
  transactAs,
} from '../testing/test-environment.js';
import { declareEmptyDays } from './empty-days.js';
import { compareReferences } from './file-comparison.js';
import { raiseUncomparedAlarms } from './uncompared-alarms.js';

/** Its days begin at least twelve hours before those of UTC. */
const EARLY_ZONE = 'Pacific/Auckland';
/** At any moment the day of one of these is another than that of UTC. */
const EDGE_ZONES = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
const DAY = '2025-03-02';

let testEnvironment: TestEnvironment;
let testAccount: TestAccount;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  await declareAcquirer(testEnvironment);
});
beforeEach(async () => {
  testAccount = await createTestAccount(testEnvironment);
});
afterEach(() => {
  testEnvironment.settings.acquirers.declare(DEFAULT, COMPLETE_CAPABILITIES);
});
afterAll(() => testEnvironment.close());

async function moveAccount(timeZone: string): Promise<void> {
  await transactAs(testEnvironment, testAccount, async (tx) => {
    const [first] = await listLocations(tx);
    if (first === undefined) throw new Error('the account has no location');
    await updateLocation(tx, first.id, { timeZone });
  });
}

test('a settlement line without a call has the start of its day in the account’s time zone as its time', async () => {
  await moveAccount(EARLY_ZONE);
  await importFile(testEnvironment, testAccount, { text: `${SETTLEMENT_HEADER}\nstray,capture,400,GBP,${DAY},B1,0` });
  const { findings } = await testEnvironment.database.read(testAccount.scope, (reader) =>
    compareReferences(reader, { acquirer: 'default', references: ['stray'] }),
  );
  expect(findings).toMatchObject([{ kind: 'NotAskedFor', happenedAt: toZonedMoment(DAY, EARLY_ZONE) }]);
});

test('the bookings of settlement files begin with their day in the zone of the account', async () => {
  await moveAccount(EARLY_ZONE);
  removeList(testEnvironment);
  await importFile(testEnvironment, testAccount, { text: `${SETTLEMENT_HEADER}\nstray,capture,400,GBP,${DAY},B1,0` });
  const { database, acquirers, settings } = testEnvironment;
  const { bookings } = await readBookingsUnder(
    { database, acquirers, directory: settings.acquirers },
    {
      ...{ scope: testAccount.scope, name: 'default', merchantIds: [testAccount.merchantId] },
      range: { from: new Date(Date.now() - DAY_MS), to: new Date() },
    },
    'stray',
  );
  expect(bookings.map(({ bookedAt }) => bookedAt)).toEqual([toZonedMoment(DAY, EARLY_ZONE)]);
});

test.each([
  ['are overdue from the begin of their day in the zone of the account', -6, ['SettlementOverdue']],
  ['are not overdue before', 6, []],
])('settlement files %s', async (_, beforeEndHours, kinds) => {
  await moveAccount(EARLY_ZONE);
  const day = toZonedDay(new Date(Date.now() - 7 * DAY_MS), EARLY_ZONE);
  const waitMs = Date.now() - toZonedMoment(day, EARLY_ZONE).getTime() + (beforeEndHours * DAY_MS) / 24;
  await transactAs(testEnvironment, testAccount, async (tx) => {
    saveUncomparedDay(tx, { acquirer: 'default', day, reason: 'WaitingForSettlement', problem: null });
    await raiseUncomparedAlarms(tx, waitMs / DAY_MS - 1);
  });
  const { elements } = await testEnvironment.database.read(testAccount.scope, (reader) =>
    listAlarms(reader, { isAnswered: null, limit: 10, cursor: null, direction: 'older' }),
  );
  expect(elements.map(({ kind }) => kind)).toEqual(kinds);
});

test.each(EDGE_ZONES)('a day may be stated as empty once it has ended in %s', async (zone) => {
  await moveAccount(zone);
  const state = (day: string) =>
    getOutcome(
      declareEmptyDays(
        { database: testEnvironment.database, recordStatement: async () => undefined },
        testAccount.scope,
        {
          ...{ acquirer: 'default', from: day, to: day },
        },
      ),
    );
  const today = toZonedDay(new Date(), zone);
  expect([await state(addDays(today, -1)), await state(today)]).toEqual(['done', 'validation_failed']);
});

test.each(EDGE_ZONES)('a call waits for the settlement of its day in %s', async (zone) => {
  await moveAccount(zone);
  removeList(testEnvironment);
  await createCapturedPayment(testEnvironment, testAccount);
  await moveCallsBack(testEnvironment, testAccount, 3);
  await runCheck(testEnvironment, testAccount, 'daily');
  const noon = new Date(Date.now() - 3 * DAY_MS);
  noon.setUTCHours(12);
  expect(await listIncompleteDays(testEnvironment, testAccount)).toEqual([
    `${toZonedDay(noon, zone)} default WaitingForSettlement`,
  ]);
});
