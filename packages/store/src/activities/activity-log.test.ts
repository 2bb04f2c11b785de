import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { NewActivity } from '@pos/core/activities';
import { Refusal } from '@pos/core/refusals';
import type { Scope } from '@pos/core/identity';
import type { Database } from '../database/database.js';
import { defineStatement } from '@pos/postgres/statements';
import { createAccount } from '../repositories/accounts.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { beginAdvance, endAdvance, applyClockStep } from '../clock/sandbox-clock.js';
import { insertActivities } from './activity-batch.js';
import { ActivityLog, type ActivityLogLimits } from './activity-log.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

const REQUEST: Omit<NewActivity, 'scope' | 'startedAtMs'> = {
  ...{ kind: 'ApiRequest', name: 'readIntent', subjectId: null, outcome: 'Succeeded', status: 200, reason: null },
  ...{ keyId: 'key_x', traceId: null, tookMs: 1, details: { path: '/x' } },
};

function createRequest(scope: Scope, more: Partial<NewActivity> = {}): NewActivity {
  return { scope, ...REQUEST, startedAtMs: performance.now(), ...more };
}

/** Counts of what was written, dropped and failed. */
class Counts {
  readonly seen: string[] = [];
  readonly onWritten = (kind: string, count: number): number => this.seen.push(`written ${kind} ${count}`);
  readonly onDropped = (reason: string, count: number): number => this.seen.push(`dropped ${reason} ${count}`);
  readonly onFailed = (): number => this.seen.push('failed');
}

type BatchDatabase = Pick<Database, 'readSystem' | 'executeBatch'>;

function openLog(limits: Partial<ActivityLogLimits> = {}, database: BatchDatabase = testDatabase.database) {
  const counts = new Counts();
  return { log: new ActivityLog(database, counts, limits), counts };
}

/** A database whose batches fail with these errors first. */
function createFailingDatabase(errors: Error[]): BatchDatabase & { readonly batches: () => number } {
  const { database } = testDatabase;
  let batches = 0;
  return {
    readSystem: (work) => database.readSystem(work),
    executeBatch: async (statement, values) => {
      batches += 1;
      const error = errors.shift();
      if (error !== undefined) throw error;
      await database.executeBatch(statement, values);
    },
    batches: () => batches,
  };
}

const count = async ({ accountId }: Scope): Promise<number> => {
  const [row] = await query<{ n: number }>(
    'select count(*)::int as n from activities where account_id = $1',
    accountId,
  );
  return row?.n ?? 0;
};

function query<Row>(sql: string, accountId: string): Promise<Row[]> {
  return testDatabase.database.readSystem((reader) =>
    reader.query<Row>(defineStatement('test_look', sql), [accountId]),
  );
}

async function createTestAccount(): Promise<Scope> {
  const scope = createTestScope();
  await createAccount(testDatabase.database, {
    ...{ id: scope.accountId, name: scope.accountId, tradingName: 'A', locationId: 'loc_AAAAAAAAAAAAAAAAAAAAAA' },
    ...{ merchantId: 'm', currencies: ['GBP'], settings: {}, createdAt: new Date() },
  });
  return scope;
}

test('entries of several accounts are stored with one statement, soon and without being awaited', async () => {
  const [first, second] = [createTestScope(), createTestScope()];
  const database = createFailingDatabase([]);
  const { log, counts } = openLog({ delayMs: 20 }, database);
  for (let sent = 0; sent < 30; sent += 1) log.record(createRequest(sent % 2 === 0 ? first : second));
  while ((await count(first)) + (await count(second)) < 30) await pause(5);
  expect([await count(first), await count(second), database.batches()]).toEqual([15, 15, 1]);
  expect(counts.seen).toEqual(['written ApiRequest 30']);
});

test('entries that do not fit into the memory of the log are dropped and counted', async () => {
  const scope = createTestScope();
  const { log, counts } = openLog({ waitingMax: 5, delayMs: 60_000 });
  for (let sent = 0; sent < 8; sent += 1) log.record(createRequest(scope));
  expect(counts.seen).toEqual(Array(3).fill('dropped overload 1'));
  await log.flush();
  expect([await count(scope), counts.seen.at(-1)]).toEqual([5, 'written ApiRequest 5']);
  log.record(createRequest(scope));
  await log.flush();
  expect(await count(scope)).toBe(6);
});

test('the memory is limited by the size of the entries, too', async () => {
  const scope = createTestScope();
  const { log, counts } = openLog({ waitingLengthMax: 1_000, delayMs: 60_000 });
  for (let sent = 0; sent < 3; sent += 1) log.record(createRequest(scope, { details: { path: 'x'.repeat(450) } }));
  expect(counts.seen).toEqual(['dropped overload 1']);
  await log.stop();
  expect(await count(scope)).toBe(2);
});

test.each([
  ['service_unavailable', 3],
  ['commit_unknown', 3],
] as const)('after %s the batch is repeated, and stores nothing twice', async (code, stored) => {
  const scope = createTestScope();
  const database = createFailingDatabase([new Refusal(code, 'away'), new Refusal(code, 'away')]);
  const { log, counts } = openLog({ delayMs: 1, retryMs: 5 }, database);
  for (let sent = 0; sent < stored; sent += 1) log.record(createRequest(scope));
  while ((await count(scope)) < stored) await pause(5);
  expect([await count(scope), counts.seen]).toEqual([stored, ['failed', 'failed', `written ApiRequest ${stored}`]]);
});

test('a batch that was stored although its answer was lost is not stored again', async () => {
  const scope = createTestScope();
  const { database } = testDatabase;
  let isFirst = true;
  const { log, counts } = openLog(
    { delayMs: 60_000 },
    {
      readSystem: (work) => database.readSystem(work),
      executeBatch: async (statement, values) => {
        await database.executeBatch(statement, values);
        if (!isFirst) return;
        isFirst = false;
        throw new Refusal('commit_unknown', 'the answer was lost');
      },
    },
  );
  log.record(createRequest(scope));
  await log.flush();
  await log.flush();
  expect([isFirst, await count(scope), counts.seen]).toEqual([false, 1, ['failed', 'written ApiRequest 1']]);
});

test('what the database refuses is dropped and counted, and the next batch is stored', async () => {
  const scope = createTestScope();
  const { log, counts } = openLog({ delayMs: 60_000 }, createFailingDatabase([new Error('a value is out of range')]));
  log.record(createRequest(scope));
  await log.flush();
  log.record(createRequest(scope));
  await log.flush();
  expect([await count(scope), counts.seen]).toEqual([1, ['failed', 'dropped refused 1', 'written ApiRequest 1']]);
});

test('a log that stops stores what waits, and counts what comes later', async () => {
  const scope = createTestScope();
  const { log, counts } = openLog({ delayMs: 60_000 });
  log.record(createRequest(scope));
  await log.stop();
  log.record(createRequest(scope));
  expect([await count(scope), counts.seen]).toEqual([1, ['written ApiRequest 1', 'dropped shutdown 1']]);
});

test('an entry that is recorded inside a transaction is stored outside it', async () => {
  const scope = await createTestAccount();
  const { log, counts } = openLog({ delayMs: 1 });
  await testDatabase.database.transact(scope, async () => {
    log.record(createRequest(scope));
    while (counts.seen.length === 0) await pause(2);
  });
  expect(counts.seen).toEqual(['written ApiRequest 1']);
});

test('texts that cannot be stored do not lose a batch', async () => {
  const scope = createTestScope();
  const { log, counts } = openLog({ delayMs: 60_000 });
  log.record(createRequest(scope, { subjectId: 'a\u0000b', reason: 'x\u0000\ud800', outcome: 'Failed', status: null }));
  log.record(createRequest(scope, { subjectId: 'x'.repeat(300), reason: 'y'.repeat(300), tookMs: -3 }));
  await log.flush();
  expect(counts.seen).toEqual(['written ApiRequest 2']);
  const rows = await query<{ subject_id: string | null; length: number }>(
    'select subject_id, length(reason) as length from activities where account_id = $1 order by length',
    scope.accountId,
  );
  expect(rows).toEqual([
    { subject_id: null, length: 2 },
    { subject_id: null, length: 200 },
  ]);
});

test('an entry has the time of its account, however long it waited', async () => {
  const scope = await createTestAccount();
  const { log } = openLog({ delayMs: 60_000 });
  const advance = (await beginAdvance(testDatabase.database, scope, 10_000))!;
  await applyClockStep(testDatabase.database, advance, 86_400_000);
  await endAdvance(testDatabase.database, advance);
  log.record(createRequest(scope, { startedAtMs: performance.now() - 5_000 }));
  await log.flush();
  await testDatabase.database.transact(scope, (tx) =>
    insertActivities(tx, [createRequest(scope, { startedAtMs: performance.now() - 5_000, kind: 'WebhookAttempt' })]),
  );
  const rows = await query<{ ahead: number }>(
    `select extract(epoch from created_at - clock_timestamp())::int as ahead from activities where account_id = $1`,
    scope.accountId,
  );
  // A day ahead, less five seconds, and less what this test took since.
  for (const { ahead } of rows) expect([ahead <= 86_395, ahead > 86_395 - 60]).toEqual([true, true]);
  expect(rows).toHaveLength(2);
});
