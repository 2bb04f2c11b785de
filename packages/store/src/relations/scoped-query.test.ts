import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { defineSeparateChange } from '@pos/postgres/statements';
import { insertRow } from './relation.js';
import { findTesterRun, insertTesterRun, updateTesterRun } from '../repositories/tester-runs.js';
import { auditEntries, insertAuditEntry, listAuditEntries } from '../repositories/audit-entries.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { recordStatements, TYPEORM_WORK } from '../testing/typeorm-work.js';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

test.each(TYPEORM_WORK)('$name sends its statements and no more, each limited to its scope', async (work) => {
  const scope = createTestScope();
  const sent = await recordStatements(testDatabase.database, scope, work);
  expect(sent.map(({ sql }) => summarize(sql))).toEqual(work.sends);
  expect(sent.map(({ label }) => label)).toEqual(work.sends.map((each) => `typeorm_${each.replace(' ', '_')}`));
  for (const { sql, values } of sent) {
    if (/page|DeadLetters|AuditEntries/.test(work.name)) expect(sql).toMatch(/limit \d+$/iu);
    if (ALL_ACCOUNTS.includes(work.name)) continue;
    const hasEnvironment = !sql.includes('"accounts"');
    expect(sql).not.toMatch(/\bor\b/iu);
    expect(values).toEqual(expect.arrayContaining([scope.accountId, ...(hasEnvironment ? [scope.environment] : [])]));
    for (const [, alias = '', condition = ''] of sql.matchAll(JOIN)) {
      for (const column of SCOPE_COLUMNS) expect(condition).toContain(`"${alias}"."${column}" = "row"."${column}"`);
    }
    if (!sql.startsWith('INSERT')) expect(sql).toMatch(hasEnvironment ? ONE_SCOPE : ONE_ACCOUNT);
  }
});

const JOIN = /join "\w+" "(\w+)" on (.*?)(?= inner join| left join| where)/giu;
const SCOPE_COLUMNS = ['account_id', 'environment'];
/** They read accounts before one is known. */
const ALL_ACCOUNTS = ['listAccountIds', 'listAdministeredAccounts', 'searchAuditEntries'];
const ONE_ACCOUNT = /where \(? *(?:"row"\.)?"?account_id"? = \$\d+/iu;
const ONE_SCOPE = new RegExp(`${ONE_ACCOUNT.source} and (?:"row"\\.)?"?environment"? = \\$\\d+`, 'iu');

test('a listing of deliveries reads of each event its key, its kind and its subject, and not its body', async () => {
  const [listing] = TYPEORM_WORK.filter(({ name }) => name.startsWith('searchDeliveries'));
  const [sent] = await recordStatements(testDatabase.database, createTestScope(), listing!);
  const columns = [...(sent?.sql ?? '').matchAll(/"event"\."(\w+)" AS/gu)].map(([, column]) => column);
  expect(columns.sort()).toEqual(['account_id', 'environment', 'id', 'kind', 'subject_id']);
});

/** `select alarms`. */
function summarize(sql: string): string {
  const [, verb = '', relation = ''] = /^(\w+)(?: [^]*?(?:from|into))? "(\w+)"/iu.exec(sql) ?? [];
  const isCount = /^select count\(/iu.test(sql);
  const isUpsert = /do update/iu.test(sql);
  return `${isCount ? 'count' : isUpsert ? 'upsert' : verb.toLowerCase()} ${relation}`;
}

const ENDED = { status: 'SUCCESS', finishedAt: new Date(0), steps: [{ name: 'done' }] } as const;

test('a change by TypeORM stores JSON, and changes no row of another scope or with another value', async () => {
  const [scope, other] = [createTestScope(), createTestScope()];
  const run = { id: 'run', flow: 'pay', status: 'IN_PROGRESS', startedAt: new Date(0), finishedAt: null } as const;
  for (const each of [scope, other])
    await testDatabase.database.transact(each, (tx) => insertTesterRun(tx, { ...run, steps: [], params: {} }));
  const change = () => testDatabase.database.transact(scope, (tx) => updateTesterRun(tx, { id: 'run', ...ENDED }));
  expect(await change()).toBe(true);
  expect(await change()).toBe(false);
  const find = (each: Scope) => testDatabase.database.read(each, (reader) => findTesterRun(reader, 'run'));
  expect(await find(scope)).toEqual({ ...run, ...ENDED, params: {} });
  expect(await find(other)).toEqual({ ...run, steps: [], params: {} });
});

const CHANGE = { actor: 'tester', action: 'CreateLocation', subject: 'loc', reason: 'a test' } as const;
/** A row of the audit log that leaves with the next query, and not with the COMMIT. */
const QUEUED = {
  ...CHANGE,
  ...{ operating_system_user: null, state_before: null },
  // The trigger of the chain replaces them.
  ...{ number: 0, previous_hash: Buffer.alloc(0), hash: Buffer.alloc(0) },
};

test('a listing in a transaction has the rows that were queued before, and only those of its scope', async () => {
  const [scope, other] = [createTestScope(), createTestScope()];
  await testDatabase.database.transact(other, (tx) =>
    insertAuditEntry(tx, { ...CHANGE, operatingSystemUser: null, before: null, after: null }),
  );
  const production = { ...scope, environment: 'production' } as const;
  await testDatabase.database.transact(production, (tx) =>
    insertAuditEntry(tx, { ...CHANGE, operatingSystemUser: null, before: null, after: null }),
  );
  const after = { name: 'Bar', tags: ['a'] } as never;
  const listed = await testDatabase.database.transact(scope, async (tx) => {
    insertRow(tx, auditEntries, { ...QUEUED, id: await tx.newUuid(), state_after: after, created_at: tx.databaseNow });
    return listAuditEntries(tx, { before: null, limit: 10 });
  });
  expect(listed).toEqual([
    {
      ...CHANGE,
      scope,
      operatingSystemUser: null,
      before: null,
      after,
      id: expect.any(String),
      createdAt: expect.any(Date),
    },
  ]);
});

const WRONG = defineSeparateChange('wrong_queued', 'select 1 / 0');

test('the failure of a queued statement is what TypeORM after it fails with', async () => {
  const work = testDatabase.database.transact(createTestScope(), (tx) => {
    tx.enqueue(WRONG, []);
    return listAuditEntries(tx, { before: null, limit: 10 });
  });
  await expect(work).rejects.toMatchObject({ code: '22012' });
});

test('a failure of TypeORM has the error of the driver and undoes the transaction', async () => {
  const work = testDatabase.database.transact(createTestScope(), (tx) =>
    tx.runWithManager('divide', (manager) => manager.query('select 1 / 0')),
  );
  await expect(work).rejects.toMatchObject({ name: 'error', code: '22012' });
});

test('a reader that has ended runs no more of TypeORM', async () => {
  const reader = await testDatabase.database.read(createTestScope(), (open) => Promise.resolve(open));
  await expect(listAuditEntries(reader, { before: null, limit: 1 })).rejects.toMatchObject({ name: 'Defect' });
});
