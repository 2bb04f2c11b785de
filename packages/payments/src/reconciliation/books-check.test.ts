import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type AcquirerCapabilities, COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import { gbp } from '@pos/core/testing';
import type { Database, Reader } from '@pos/store/database';
import { defineStatement } from '@pos/postgres/statements';
import { findReconciliationProgress, listDifferences } from '@pos/store/reconciliation';
import { schedule } from '@pos/store/queues';
import { listAlarms, storeDeclaration } from '@pos/store/repositories';
import { raiseAlarm } from '../alarms/alarms.js';
import {
  DEFAULT,
  type EndedCheck,
  importDays as importDaysOf,
  removeList as removeListOf,
  runCheck,
  runDueChecks as runDue,
} from '../testing/books-checks.js';
import { createPaidIntent } from '../testing/card-machine.js';
import { overrideMembers } from '../testing/object-override.js';
import {
  createCapturedPayment,
  getDayFromNow,
  declareAcquirer,
  holdReconciliationLock,
  importFile,
  listIncompleteDays,
  listOpenDifferenceNames,
  moveCallsBack,
  SETTLEMENT_HEADER,
} from '../testing/settlement-files.js';
import {
  createTestAccount,
  createTestEnvironment,
  type TestAccount,
  type TestEnvironment,
  transactAs,
} from '../testing/test-environment.js';
import { declareEmptyDays } from './empty-days.js';

let testEnvironment: TestEnvironment;
let testAccount: TestAccount;
let ended: EndedCheck[] = [];

beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  await declareAcquirer(testEnvironment);
});
beforeEach(async () => {
  testAccount = await createTestAccount(testEnvironment);
  ended = [];
});
afterEach(() => {
  testEnvironment.settings.acquirers.declare(DEFAULT, COMPLETE_CAPABILITIES);
  testEnvironment.acquirerServer.rules.replaceRules([]);
});
afterAll(() => testEnvironment.close());

const runDueChecks = () => runDue(testEnvironment, testAccount);
const removeList = () => removeListOf(testEnvironment);
const importDays = (days: readonly number[], references: Readonly<Record<number, string>> = {}) =>
  importDaysOf(testEnvironment, testAccount, { days, references });

async function runDailyCheck(): Promise<void> {
  ended = await runCheck(testEnvironment, testAccount, 'daily');
}

const differences = async () =>
  (await listOpenDifferenceNames(testEnvironment, testAccount)).filter((name) => !name.includes('stray'));
const incompleteDays = () => listIncompleteDays(testEnvironment, testAccount);

/** All differences of the account that are not about a line of nobody's call. */
async function listDifferenceStates(): Promise<string[]> {
  const query = { state: null, limit: 100, cursor: null, direction: 'older' } as const;
  const { elements } = await testEnvironment.database.read(testAccount.scope, (reader) =>
    listDifferences(reader, query),
  );
  return elements
    .filter(({ reference }) => !reference.startsWith('stray'))
    .map(({ kind, reference, state }) => `${kind} ${reference} ${state}`);
}

async function listAlarmKinds(isAnswered: boolean | null = null): Promise<string[]> {
  const query = { isAnswered, limit: 100, cursor: null, direction: 'older' } as const;
  const { elements } = await testEnvironment.database.read(testAccount.scope, (reader) => listAlarms(reader, query));
  return elements.map(({ kind, subject }) => `${kind} ${subject}`);
}

test('a day whose settlement files have not arrived waits for settlement, and the import compares it', async () => {
  removeList();
  const settled = await createCapturedPayment(testEnvironment, testAccount);
  const missing = await createCapturedPayment(testEnvironment, testAccount);
  await moveCallsBack(testEnvironment, testAccount, 6);
  await runDailyCheck();
  expect(await incompleteDays()).toEqual([`${getDayFromNow(-6)} default WaitingForSettlement`]);
  expect(await differences()).toEqual([]);
  await importDays([-6, -5, -4, -3], { [-5]: settled.reference });
  expect(await runDueChecks()).toBe(1);
  expect(await incompleteDays()).toEqual([`${getDayFromNow(-6)} default WaitingForSettlement`]);
  await importDays([-2]);
  expect(await runDueChecks()).toBe(1);
  expect(await differences()).toEqual([`NotBooked ${missing.reference}`]);
  expect(await incompleteDays()).toEqual([]);
});

test('a lost settlement file keeps the day waiting, until the acquirer states that there was none', async () => {
  removeList();
  const missing = await createCapturedPayment(testEnvironment, testAccount);
  await moveCallsBack(testEnvironment, testAccount, 6);
  await runDailyCheck();
  await importDays([-6, -5, -3, -2, -1]);
  await runDueChecks();
  expect(await differences()).toEqual([]);
  expect(await incompleteDays()).toEqual([`${getDayFromNow(-6)} default WaitingForSettlement`]);
  const recorded: string[] = [];
  await declareEmptyDays(
    { database: testEnvironment.database, recordStatement: async () => void recorded.push('stated') },
    testAccount.scope,
    { acquirer: 'default', from: getDayFromNow(-4), to: getDayFromNow(-4) },
  );
  expect(recorded).toEqual(['stated']);
  await runDueChecks();
  expect(await differences()).toEqual([`NotBooked ${missing.reference}`]);
  expect(await incompleteDays()).toEqual([]);
});

test('a day of which all calls are settled waits for nothing, although a day of its files is missing', async () => {
  removeList();
  const { reference } = await createCapturedPayment(testEnvironment, testAccount);
  await moveCallsBack(testEnvironment, testAccount, 6);
  await importDays([-4], { [-4]: reference });
  await runDailyCheck();
  expect([await differences(), await incompleteDays()]).toEqual([[], []]);
});

test('a capture of which only a part is settled is a difference once its files are complete', async () => {
  removeList();
  const { reference } = await createCapturedPayment(testEnvironment, testAccount);
  await moveCallsBack(testEnvironment, testAccount, 6);
  const line = `${reference},capture,1500,GBP,${getDayFromNow(-6)},B0,`;
  await importFile(testEnvironment, testAccount, { text: `${SETTLEMENT_HEADER}\n${line}` });
  await runDailyCheck();
  expect(await incompleteDays()).toEqual([`${getDayFromNow(-6)} default WaitingForSettlement`]);
  await importDays([-5, -4, -3, -2]);
  await runDueChecks();
  expect([await differences(), await incompleteDays()]).toEqual([[`SettledAmount ${reference}`], []]);
});

describe('sales that take their money at once', () => {
  test('they wait for settlement when their file is lost, and are differences once their files are complete', async () => {
    removeList();
    const settled = await createPaidIntent(testEnvironment, testAccount);
    const missing = await createPaidIntent(testEnvironment, testAccount);
    await moveCallsBack(testEnvironment, testAccount, 6);
    await importDays([-5], { [-5]: settled.reference });
    await runDailyCheck();
    expect([await differences(), await incompleteDays()]).toEqual([
      [],
      [`${getDayFromNow(-6)} default WaitingForSettlement`],
    ]);
    await importDays([-6, -4, -3, -2]);
    await runDueChecks();
    expect([await differences(), await incompleteDays()]).toEqual([[`NotBooked ${missing.reference}`], []]);
  });

  test('one of which only a part is settled is a difference once its files are complete', async () => {
    removeList();
    const { reference } = await createPaidIntent(testEnvironment, testAccount);
    await moveCallsBack(testEnvironment, testAccount, 6);
    const line = `${reference},capture,1500,GBP,${getDayFromNow(-6)},B0,`;
    await importFile(testEnvironment, testAccount, { text: `${SETTLEMENT_HEADER}\n${line}` });
    await runDailyCheck();
    expect(await incompleteDays()).toEqual([`${getDayFromNow(-6)} default WaitingForSettlement`]);
    await importDays([-5, -4, -3, -2]);
    await runDueChecks();
    expect([await differences(), await incompleteDays()]).toEqual([[`SettledAmount ${reference}`], []]);
  });

  test('neither a hold nor a sale that was reversed waits for settlement', async () => {
    removeList();
    await createPaidIntent(testEnvironment, testAccount, { captureMode: 'Manual' });
    const undone = await createPaidIntent(testEnvironment, testAccount);
    await testEnvironment.giveBack.giveBackPayment(testAccount.scope, {
      intentId: undone.intentId,
      reference: `undo ${testAccount.merchantId}`,
    });
    await moveCallsBack(testEnvironment, testAccount, 6);
    await runDailyCheck();
    expect([await differences(), await incompleteDays()]).toEqual([[], []]);
  });
});

test('a difference that an import has found stays open when the list of the acquirer agrees', async () => {
  const { reference } = await createCapturedPayment(testEnvironment, testAccount);
  await moveCallsBack(testEnvironment, testAccount, 3);
  await importDays([-2, -1], { [-2]: reference, [-1]: reference });
  expect(await differences()).toEqual([`SettledAmount ${reference}`]);
  await runDailyCheck();
  await runDailyCheck();
  expect(await differences()).toEqual([`SettledAmount ${reference}`]);
});

test('a difference that an import opens while a check runs stays open', async () => {
  removeList();
  const { reference } = await createCapturedPayment(testEnvironment, testAccount);
  await moveCallsBack(testEnvironment, testAccount, 6);
  await importDays([-6], { [-6]: reference });
  const before = testEnvironment;
  let [isRead, isImported] = [false, false];
  // The import is committed after the check has read the lines of the day, and before it stores what it found.
  const readSnapshot: Database['readSnapshot'] = async (scope, work) => {
    const result = await before.database.readSnapshot(scope, (reader) => {
      const query: Reader['query'] = (statement, values) => {
        isRead ||= statement.name.startsWith('list_settlement_lines') && values[3] === getDayFromNow(-6);
        return reader.query(statement, values);
      };
      return work(overrideMembers(reader, { query }));
    });
    if (isRead && !isImported) {
      isImported = true;
      const line = `${reference},capture,500,GBP,${getDayFromNow(-5)},B0,`;
      await importFile(before, testAccount, { text: `${SETTLEMENT_HEADER}\n${line}` });
    }
    return result;
  };
  testEnvironment = { ...before, database: overrideMembers(before.database, { readSnapshot }) };
  await runDailyCheck();
  testEnvironment = before;
  expect(isImported).toBe(true);
  expect(await listDifferenceStates()).toEqual([`SettledAmount ${reference} Open`]);
  // The import has made a pass over all days due.
  const { nextPassAt } = await testEnvironment.database.read(testAccount.scope, findReconciliationProgress);
  expect(nextPassAt!.getTime()).toBeLessThanOrEqual(Date.now());
});

test('settlement files that are overdue raise one alarm', async () => {
  removeList();
  await createCapturedPayment(testEnvironment, testAccount);
  await moveCallsBack(testEnvironment, testAccount, 6);
  await runDailyCheck();
  expect(await listAlarmKinds()).toEqual([]);
  const before = testEnvironment;
  testEnvironment = { ...before, settings: { ...before.settings, settlementWaitDays: 4 } };
  await runDailyCheck();
  await runDailyCheck();
  expect(await listAlarmKinds(false)).toEqual(['SettlementOverdue default']);
  testEnvironment = before;
  // No day waits for too long any more, so the alarm is answered.
  await runDailyCheck();
  expect(await listAlarmKinds(false)).toEqual([]);
  expect(await listAlarmKinds()).toEqual(['SettlementOverdue default']);
});

const MOVE_CALL = defineStatement(
  'test_call_of_north',
  `update acquirer_calls set acquirer = 'north' where account_id = $1 and reference = $2 returning reference`,
);

test('an acquirer that is not configured does not stop the comparison of the others, and is named', async () => {
  const own = await createPaidIntent(testEnvironment, testAccount);
  const gone = await createPaidIntent(testEnvironment, testAccount);
  await transactAs(testEnvironment, testAccount, async (tx) => {
    await tx.query(MOVE_CALL, [testAccount.scope.accountId, gone.reference]);
  });
  const { books } = testEnvironment.acquirerServer.acquirer;
  books.recordCall({ ...books.findCall(own.reference)!, amount: gbp(2_001) });
  books.recordCall({ ...books.findCall(gone.reference)!, merchantId: 'another' });
  await moveCallsBack(testEnvironment, testAccount, 2);
  const { acquirer, acquirers: before } = testEnvironment;
  const acquirers = { find: (_: string, name: string) => (name === 'default' ? acquirer : null) };
  testEnvironment = { ...testEnvironment, acquirers };
  await runDailyCheck();
  expect(await incompleteDays()).toEqual([`${getDayFromNow(-2)} north BooksUnread`]);
  expect(await differences()).toEqual([`OtherAmount ${own.reference}`]);
  expect(ended.at(-1)).toMatchObject({ error: 'north: the acquirer "north" is not configured' });
  expect(await listAlarmKinds()).toEqual([]);
  await moveCallsBack(testEnvironment, testAccount, 2);
  await runDailyCheck();
  expect(await listAlarmKinds(false)).toEqual(['AcquirerBooksUnread north']);
  // The next run takes it up again.
  testEnvironment.settings.acquirers.declare({ environment: 'sandbox', name: 'north' }, COMPLETE_CAPABILITIES);
  testEnvironment = { ...testEnvironment, acquirers: before };
  await runDailyCheck();
  expect(await incompleteDays()).toEqual([]);
  expect(await listAlarmKinds(false)).toEqual([]);
});

test('an alarm about refused credentials is answered once the acquirer has answered a later call of the kind', async () => {
  const raise = (occurrence: string): Promise<void> =>
    transactAs(testEnvironment, testAccount, (tx) =>
      raiseAlarm(tx, {
        ...{ kind: 'AcquirerAccessRefused', subject: 'Capture', occurrence },
        ...{ message: 'The acquirer answers UNAUTHENTICATED to a Capture.', details: {} },
      }),
    );
  // A call that was made before the alarm proves nothing.
  await createCapturedPayment(testEnvironment, testAccount);
  await raise('default');
  await raise('north');
  await runDailyCheck();
  expect(await listAlarmKinds(false)).toHaveLength(2);
  await createCapturedPayment(testEnvironment, testAccount);
  await runDailyCheck();
  expect(await listAlarmKinds(false)).toEqual(['AcquirerAccessRefused Capture']);
  expect(await listAlarmKinds(true)).toEqual(['AcquirerAccessRefused Capture']);
});

test.each(['acquirer', 'chains'])(
  'a check (%s) that meets a running import stores nothing and is repeated',
  async (subject) => {
    await createPaidIntent(testEnvironment, testAccount);
    const before = testEnvironment;
    const progressBefore = await before.database.read(testAccount.scope, findReconciliationProgress);
    testEnvironment = { ...before, database: await before.testDatabase.open({ lockTimeoutMs: 100 }) };
    await transactAs(testEnvironment, testAccount, async (tx) =>
      schedule(tx, { kind: 'reconciliation', subject, dueInMs: 0, isRepeat: true }),
    );
    const release = await holdReconciliationLock(before, testAccount);
    // The other check of the account may be due as well.
    expect(await runDueChecks()).toBeGreaterThan(0);
    await release();
    testEnvironment = before;
    expect(await testEnvironment.database.read(testAccount.scope, findReconciliationProgress)).toEqual(progressBefore);
    const [timer] = await testEnvironment.database.read(testAccount.scope, (reader) =>
      reader.query<{ in_ms: number }>(NEXT_CHECK, [testAccount.scope.accountId, subject]),
    );
    expect(timer).toEqual({ in_ms: expect.closeTo(60_000, -5) });
  },
);

const NEXT_CHECK = defineStatement(
  'test_next_check',
  `select (extract(epoch from due_at - now()) * 1000)::float8 as in_ms from timers
   where account_id = $1 and environment = 'sandbox' and kind = 'reconciliation' and subject = $2`,
);

test('an import of an acquirer with a list does not close what only the list can disprove', async () => {
  const store = (capabilities: AcquirerCapabilities) =>
    storeDeclaration(testEnvironment.database, { ...DEFAULT, capabilities });
  const { reference } = await createPaidIntent(testEnvironment, testAccount);
  await moveCallsBack(testEnvironment, testAccount, 2);
  const { books } = testEnvironment.acquirerServer.acquirer;
  books.recordCall({ ...books.findCall(reference)!, amount: gbp(2_001) });
  await runDailyCheck();
  expect(await differences()).toEqual([`OtherAmount ${reference}`]);
  await store(COMPLETE_CAPABILITIES);
  await importDays([-1], { [-1]: reference });
  expect(await differences()).toEqual([`OtherAmount ${reference}`]);
  const wrong = `${reference},refund,2000,GBP,${getDayFromNow(-1)},wrong,`;
  await importFile(testEnvironment, testAccount, { text: `${SETTLEMENT_HEADER}\n${wrong}` });
  await declareAcquirer(testEnvironment);
  await runDailyCheck();
  expect(await differences()).toEqual([`OtherAmount ${reference}`, `OtherKind ${reference}`]);
});
