import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createId } from '@pos/core/ids';
import type { Difference, Finding } from '@pos/core/ledger';
import { buildSetup, gbp, NOON, testId } from '@pos/core/testing';
import { DAY_MS, HOUR_MS } from '@pos/core/time';
import { createAuthorisation } from '@pos/sandbox/testing';
import type { Database } from '@pos/store/database';
import {
  findReconciliationProgress,
  listDifferences,
  lockDifference,
  updateDifference,
  updateReconciliationProgress,
} from '@pos/store/reconciliation';
import { insertSetupIntent, lockSetupIntent, updateSetupIntent } from '@pos/store/payments';
import { defineStatement } from '@pos/postgres/statements';
import { schedule } from '@pos/store/queues';
import { recordChange } from '../audit/audited-change.js';
import { TestCardMachine, createPaidIntent } from '../testing/card-machine.js';
import {
  transactAs,
  createIntent,
  createTestAccount,
  createTestEnvironment,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { holdReconciliationLock, listIncompleteDays } from '../testing/settlement-files.js';
import { createTimerEffects } from '../timers/worker-timers.js';
import { ReconciliationService } from './reconciliation-service.js';
import { startFullPass } from './comparison-plan.js';

const NEXT_IN = defineStatement(
  'test_next_reconciliation',
  `select kind, subject, (extract(epoch from due_at - clock_timestamp()) * 1000)::int as in_ms, is_repeat from timers
   where account_id = $1 and environment = $2 and kind = 'reconciliation' and subject = $3`,
);

let testEnvironment: TestEnvironment;
let owner: Database;
let testAccount: TestAccount;
let alarms: Finding[] = [];
let ended: Readonly<Record<string, unknown>>[] = [];

beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  owner = await testEnvironment.testDatabase.open({ url: testEnvironment.testDatabase.ownerUrl });
});
beforeEach(async () => {
  testAccount = await createTestAccount(testEnvironment);
  alarms = [];
  ended = [];
});
afterEach(() => {
  testEnvironment.acquirerServer.rules.replaceRules([]);
});
afterAll(() => testEnvironment.close());

/** Makes a check due and runs it, as the worker does. */
async function check(subject: 'acquirer' | 'chains', of: TestAccount = testAccount): Promise<void> {
  const effects = createTimerEffects({
    ...testEnvironment,
    reconciliationReport: {
      onFound: (_, finding) => alarms.push(finding),
      // The other check of the account may be due as well.
      onEnded: (_, result) => {
        if (result['check'] === subject) ended.push(result);
      },
    },
  });
  await transactAs(testEnvironment, of, async (tx) => {
    if (subject === 'acquirer') await startFullPass(tx);
    else schedule(tx, { kind: 'reconciliation', subject, dueInMs: 0, isRepeat: true });
  });
  const claimed = await testEnvironment.queue.claim(of.scope, ['reconciliation'], { limit: 2, leaseMs: 60_000 });
  for (const timer of claimed) await effects.reconciliation(timer);
}

/** Compares the last two hours until now, as an operator requests it. */
async function checkNow(): Promise<void> {
  const now = await testEnvironment.database.now();
  const requested = { from: new Date(now.getTime() - 2 * HOUR_MS), to: new Date(now.getTime() + HOUR_MS) };
  await transactAs(testEnvironment, testAccount, (tx) => updateReconciliationProgress(tx, () => ({ requested })));
  await check('acquirer');
}

function stored(): Promise<readonly Difference[]> {
  return testEnvironment.database.read(testAccount.scope, async (reader) => {
    const page = await listDifferences(reader, { state: null, limit: 100, cursor: null, direction: 'newer' });
    return [...page.elements].reverse();
  });
}

/** Changes a line of the acquirer's books. */
function tamper(reference: string, change: object): () => void {
  const { books } = testEnvironment.acquirerServer.acquirer;
  const before = books.findCall(reference)!;
  books.recordCall({ ...before, ...change });
  return () => void books.recordCall(before);
}

async function answer(): Promise<void> {
  const [difference] = await stored();
  await transactAs(testEnvironment, testAccount, async (tx) => {
    const locked = (await lockDifference(tx, difference!.id))!;
    await updateDifference(tx, { ...locked, state: 'Answered' });
  });
}

test('a difference is one row and one alarm, however often it is found, and closes by itself once it is gone', async () => {
  const { reference } = await createPaidIntent(testEnvironment, testAccount);
  const restore = tamper(reference, { amount: gbp(2_001) });
  await checkNow();
  await checkNow();
  // A payment that is taken at once is two lines of the list.
  expect(await stored()).toMatchObject([
    {
      ...{ kind: 'OtherAmount', state: 'Open', reference, amount: gbp(2_001) },
      ...{ ours: 'Authorise of 2000 GBP', says: 'the acquirer booked 2001 GBP, we asked for 2000 GBP' },
    },
  ]);
  expect(alarms).toMatchObject([{ kind: 'OtherAmount', reference }]);
  restore();
  await checkNow();
  expect(await stored()).toMatchObject([{ state: 'Closed' }]);
  expect(ended.map(({ found, closed }) => [found, closed])).toEqual([
    [1, 0],
    [0, 0],
    [0, 1],
  ]);
  tamper(reference, { amount: gbp(2_001) });
  await checkNow();
  expect((await stored()).map(({ state }) => state).sort()).toEqual(['Closed', 'Open']);
  expect(alarms).toHaveLength(2);
});

test('a difference that an operator has answered stays answered until it changes', async () => {
  const { reference } = await createPaidIntent(testEnvironment, testAccount);
  tamper(reference, { amount: gbp(2_001) });
  await checkNow();
  await answer();
  await checkNow();
  expect(await stored()).toMatchObject([{ state: 'Answered' }]);
  expect(alarms).toHaveLength(1);
  tamper(reference, { amount: gbp(9_999) });
  await checkNow();
  expect(await stored()).toMatchObject([
    { state: 'Open', says: 'the acquirer booked 9999 GBP, we asked for 2000 GBP' },
  ]);
  expect(alarms).toHaveLength(2);
});

test('the daily check continues where it ended, and checks days with an open difference again', async () => {
  await createPaidIntent(testEnvironment, testAccount);
  const reference = `stray ${testAccount.merchantId}`;
  await testEnvironment.acquirerServer.authorise(
    createAuthorisation(reference, { merchantId: testAccount.merchantId }),
  );
  const twoDaysAgo = new Date(Date.now() - 2 * DAY_MS).toISOString();
  tamper(reference, { bookedAt: twoDaysAgo });
  await check('acquirer');
  expect(await stored()).toMatchObject([{ kind: 'NotAskedFor', reference, state: 'Open', ours: null }]);
  const { reconciledTo } = await testEnvironment.database.read(testAccount.scope, findReconciliationProgress);
  const behindMs = (await testEnvironment.database.now()).getTime() - reconciledTo!.getTime();
  expect(behindMs).toBeGreaterThanOrEqual(HOUR_MS);
  expect(behindMs).toBeLessThan(HOUR_MS + 10 * 60_000);
  expect(await nextCheck('acquirer')).toMatchObject({ is_repeat: true, in_ms: expect.closeTo(DAY_MS, -6) });
  // Its day has ended long ago, and yet it is checked again.
  tamper(reference, { merchantId: 'another' });
  await check('acquirer');
  expect(await stored()).toMatchObject([{ reference, state: 'Closed' }]);
  const later = await testEnvironment.database.read(testAccount.scope, findReconciliationProgress);
  expect(later.reconciledTo!.getTime()).toBeGreaterThanOrEqual(reconciledTo!.getTime());
});

test.each([
  ['does not give its list', [{ match: { kind: 'ListBooked' as const }, effect: 'down' as const }]],
  [
    'does not report the outcome of a call that its list lacks',
    [{ match: { kind: 'Inquire' as const }, effect: 'down' as const }],
  ],
  [
    'refuses to report the outcome of a call that its list lacks',
    [{ match: { kind: 'Inquire' as const }, effect: 'refuse' as const, status: 'PERMISSION_DENIED' as const }],
  ],
])('an acquirer that %s closes nothing and raises no alarm; it is called again soon', async (_, rules) => {
  const kept = await createPaidIntent(testEnvironment, testAccount);
  const gone = await createPaidIntent(testEnvironment, testAccount);
  tamper(kept.reference, { amount: gbp(2_001) });
  await checkNow();
  const before = await stored();
  expect(before).toMatchObject([{ state: 'Open' }]);
  tamper(kept.reference, { amount: gbp(2_000) });
  tamper(gone.reference, { merchantId: 'another' });
  testEnvironment.acquirerServer.rules.replaceRules(rules);
  await checkNow();
  expect(await stored()).toEqual(before);
  expect(alarms).toHaveLength(1);
  const failed = await testEnvironment.database.read(testAccount.scope, findReconciliationProgress);
  expect(failed.listError).toMatch(/^default: /);
  expect(failed.requested).toBeNull();
  const today = new Date().toISOString().slice(0, 10);
  expect(await listIncompleteDays(testEnvironment, testAccount)).toContain(`${today} default BooksUnread`);
  expect(await nextCheck('acquirer')).toMatchObject({ in_ms: expect.closeTo(15 * 60_000, -5) });
  testEnvironment.acquirerServer.rules.replaceRules([]);
  await check('acquirer');
  expect((await testEnvironment.database.read(testAccount.scope, findReconciliationProgress)).listError).toBeNull();
  // The worker leaves the bookings of the last hour for the next day, so today in its first hour; an operator does not.
  await checkNow();
  expect(await listIncompleteDays(testEnvironment, testAccount)).toEqual([]);
  const states = (await stored()).map(({ kind, state }) => `${kind} ${state}`).sort();
  expect(states).toEqual(['NotBooked Open', 'OtherAmount Closed']);
});

test('a request while a settlement file is imported is refused with the reason', async () => {
  const impatient = await testEnvironment.testDatabase.open({ lockTimeoutMs: 100 });
  const release = await holdReconciliationLock(testEnvironment, testAccount);
  const request = {
    caller: { keyId: testId('apiKey') },
    note: 'restored',
    from: new Date(Date.now() - DAY_MS),
    to: null,
  };
  const service = new ReconciliationService(testEnvironment.settings);
  await expect(
    impatient.transact(testAccount.scope, (tx) => service.requestReconciliation(tx, request)),
  ).rejects.toMatchObject({
    code: 'service_unavailable',
    detail: 'a settlement file of the account is being imported: try again in some minutes',
  });
  await release();
});

test('a reference that no column can store is stored without the unstorable part', async () => {
  await createPaidIntent(testEnvironment, testAccount);
  await testEnvironment.acquirerServer.authorise(
    createAuthorisation(`stray\0 ${'x'.repeat(40)}`, { merchantId: testAccount.merchantId }),
  );
  await checkNow();
  expect(await stored()).toMatchObject([{ kind: 'NotAskedFor', reference: `stray ${'x'.repeat(40)}` }]);
});

test('an account without any call to its acquirer requests no list', async () => {
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'ListBooked' }, effect: 'down' }]);
  await check('acquirer');
  expect(testEnvironment.acquirerServer.rules.listRules()[0]!.used).toBe(0);
  expect(ended).toEqual([]);
});

test('production without an acquirer is not checked until the next day', async () => {
  const production: TestAccount = { ...testAccount, scope: { ...testAccount.scope, environment: 'production' } };
  await check('acquirer', production);
  expect(ended).toEqual([]);
  expect(await nextCheck('acquirer', production)).toMatchObject({ in_ms: expect.closeTo(DAY_MS, -6) });
});

describe('the chains of records', () => {
  const sqlOf = (sql: string, id: string) =>
    owner.readSystem((reader) => reader.query(defineStatement(`test ${randomBytes(4).toString('hex')}`, sql), [id]));

  async function unlinkedRefund(): Promise<string> {
    const refund = await TestCardMachine.createSession(testEnvironment, testAccount, {
      ...{ sessionType: 'UnlinkedRefund', amount: gbp(400), cardHolderNotPresent: false },
    });
    await refund.approvePayment();
    return refund.session.id;
  }

  async function setupWithHistory(): Promise<string> {
    const id = createId('setupIntent', 'sandbox', randomBytes(16));
    const setup = { ...buildSetup(), id };
    await transactAs(testEnvironment, testAccount, async (tx) => insertSetupIntent(tx, setup));
    await transactAs(testEnvironment, testAccount, async (tx) => {
      const locked = (await lockSetupIntent(tx, id))!;
      const details = { transactionId: 't', authCode: 'a', amount: gbp(0) } as never;
      updateSetupIntent(
        tx,
        { setup: locked.setup, events: [{ eventType: 'Authorized', occurredAt: NOON, details }] },
        locked,
      );
    });
    return id;
  }

  test('are intact after an evening, and each is checked', async () => {
    await createPaidIntent(testEnvironment, testAccount);
    await createIntent(testEnvironment, testAccount);
    await unlinkedRefund();
    await setupWithHistory();
    await check('chains');
    expect([await stored(), alarms]).toEqual([[], []]);
    expect(ended).toMatchObject([{ check: 'chains', subjects: 4, found: 0 }]);
    expect(
      (await testEnvironment.database.read(testAccount.scope, findReconciliationProgress)).chainsCheckedAt,
    ).not.toBeNull();
    expect(await nextCheck('chains')).toMatchObject({ in_ms: expect.closeTo(DAY_MS, -6) });
  });

  test('the audit log is checked with them, and a changed entry is a difference until it is as it was', async () => {
    const reason = 'a test of the chain';
    await transactAs(testEnvironment, testAccount, (tx) =>
      recordChange(tx, { actor: 'ann', reason }, { action: 'ChangeSettings', subject: 'site' }),
    );
    await check('chains');
    expect(await stored()).toEqual([]);
    const edit = (text: string) =>
      sqlOf(
        `update audit_entries set reason = '${text}' where account_id = $1 returning id`,
        testAccount.scope.accountId,
      );
    await edit('another');
    await check('chains');
    expect(await stored()).toMatchObject([{ kind: 'BrokenChain', reference: 'audit log' }]);
    await edit(reason);
    await check('chains');
    expect(await stored()).toMatchObject([{ state: 'Closed' }]);
  });

  test.each([
    [
      'an event of a payment',
      async () => (await createPaidIntent(testEnvironment, testAccount)).intentId,
      `update payment_events set details = details || '{"authCode": "planted"}' where intent_id = $1 returning number`,
      'record 1 was changed after it was written',
    ],
    [
      'an event of a setup intent',
      setupWithHistory,
      'delete from setup_events where setup_intent_id = $1 returning number',
      'the setup intent counts 1 records, the chain has 0',
    ],
    [
      'the entry of an unlinked refund, edited',
      unlinkedRefund,
      `update ledger_entries set reference = 'planted' where subject_id = $1 returning number`,
      'record 1 was changed after it was written',
    ],
    [
      'the entry of an unlinked refund, removed with its postings',
      unlinkedRefund,
      `with gone as (delete from ledger_postings where subject_id = $1)
       delete from ledger_entries where subject_id = $1 returning number`,
      'the refund was approved and is not posted',
    ],
  ])('%s is found, once, with an alarm', async (_, make, sql, fault) => {
    const id = await make();
    expect(await sqlOf(sql, id)).not.toEqual([]);
    await check('chains');
    await check('chains');
    const found = await stored();
    expect(found).toMatchObject([{ kind: 'BrokenChain', reference: id, state: 'Open' }]);
    expect(found[0]!.says).toContain(fault);
    expect(alarms).toMatchObject([{ reference: id }]);
  });

  test('a chain that is intact again closes its row', async () => {
    const { intentId } = await createPaidIntent(testEnvironment, testAccount);
    const move = (by: string) =>
      sqlOf(
        `update payment_events set occurred_at = occurred_at ${by} interval '1 s' where intent_id = $1 returning number`,
        intentId,
      );
    await move('+');
    await check('chains');
    expect(await stored()).toMatchObject([{ state: 'Open', paymentIntentId: intentId }]);
    await move('-');
    await check('chains');
    expect(await stored()).toMatchObject([{ state: 'Closed' }]);
  });

  test('a long account is checked in several steps, and continues where the last one ended', async () => {
    for (let index = 0; index < 120; index += 1) await createIntent(testEnvironment, testAccount);
    await check('chains');
    expect(ended).toMatchObject([{ subjects: 120 }]);
    expect((await testEnvironment.database.read(testAccount.scope, findReconciliationProgress)).chainCursor).toBe('');
  });
});

async function nextCheck(subject: string, of: TestAccount = testAccount): Promise<unknown> {
  const { accountId, environment } = of.scope;
  const [row] = await testEnvironment.database.read(of.scope, (reader) =>
    reader.query(NEXT_IN, [accountId, environment, subject]),
  );
  return row;
}
