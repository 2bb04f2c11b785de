import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import pg from 'pg';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import type { AuditCursor } from '../reconciliation/reconciliation-progress.js';
import { type AuditStep, listAuditScopes, verifyAuditChain, verifyAuditStep } from './audit-chain.js';
import { insertAuditEntry } from './audit-entries.js';

let testDatabase: TestDatabase;
let owner: pg.Client;
let scope: Scope;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
});
beforeEach(() => {
  scope = createTestScope();
});

const ENTRY = { action: 'ChangeSettings', reason: 'a test', before: { b: 1, a: [null, 'ü'] }, after: null } as const;
const record = (subject: string, actor = 'ann') =>
  testDatabase.database.transact(scope, (tx) =>
    insertAuditEntry(tx, { ...ENTRY, actor, subject, operatingSystemUser: 'ann (1000)' }),
  );
const verify = () => testDatabase.database.readSnapshot(scope, (snapshot) => verifyAuditChain(snapshot));
const change = (sql: string) => owner.query(sql, [scope.accountId]);

async function recordThree(): Promise<void> {
  for (const subject of ['first', 'second', 'third']) await record(subject);
}

test('entries of an account form one chain, also when many are written at once', async () => {
  await Promise.all(Array.from({ length: 12 }, (_, at) => record(`subject ${at}`)));
  const { end, problems } = await verify();
  expect([end.length, problems]).toEqual([12, []]);
  expect(await testDatabase.database.readSystem(listAuditScopes)).toContainEqual(scope);
});

test('an account without entries has an empty chain', async () => {
  expect(await verify()).toMatchObject({ end: { length: 0 }, problems: [] });
});

test('more entries than are read at once are verified', async () => {
  await change(
    `insert into audit_entries (account_id, environment, id, actor, action, subject, reason, created_at)
     select $1, 'sandbox', n::text, 'ann', 'Migrate', 's', 'r', now() from generate_series(1, 1201) n`,
  );
  expect(await verify()).toMatchObject({ end: { length: 1_201 }, problems: [] });
});

const insertMany = (count: number) =>
  change(
    `insert into audit_entries (account_id, environment, id, actor, action, subject, reason, created_at)
     select $1, 'sandbox', n::text, 'ann', 'Migrate', 's', 'r', now() from generate_series(1, ${count}) n`,
  );

/** Verifies the log in steps; `between` runs after the first one. Returns the entries of each step, and what was found. */
async function verifyInSteps(entriesMax: number, between: () => Promise<unknown> = () => Promise.resolve()) {
  // The cursor is stored as JSON.
  const step = (cursor: AuditCursor | null): Promise<AuditStep> =>
    testDatabase.database.readSnapshot(scope, (snapshot) =>
      verifyAuditStep(snapshot, JSON.parse(JSON.stringify(cursor)) as AuditCursor | null, entriesMax),
    );
  const steps = [await step(null)];
  await between();
  for (let last = steps[0]; last !== undefined && last.next !== null; last = steps.at(-1)) {
    steps.push(await step(last.next));
  }
  return { read: steps.map(({ read }) => read), problems: steps.at(-1)?.problems ?? [] };
}

test('a log is verified in steps of bounded size, also while it grows', async () => {
  await insertMany(1_201);
  expect(await verifyInSteps(500)).toEqual({ read: [500, 500, 201], problems: [] });
  expect(await verifyInSteps(1_000, () => record('a new one'))).toEqual({ read: [1_000, 202], problems: [] });
});

test.each([
  ['in the first step', `update audit_entries set actor = 'bob' where account_id = $1 and number = 3`, 'record 3 was'],
  [
    'in a later step',
    `update audit_entries set actor = 'bob' where account_id = $1 and number = 700`,
    'record 700 was',
  ],
  ['removed where a step ends', 'delete from audit_entries where account_id = $1 and number = 500', '500 is missing'],
])('what is wrong %s is found in steps as at once', async (_, wrong, problem) => {
  await insertMany(1_201);
  await change(wrong);
  const { problems } = await verifyInSteps(500);
  expect(problems.join('; ')).toContain(problem);
  expect(problems).toEqual((await verify()).problems);
});

test('an entry after the last step that is removed between two steps is found', async () => {
  await insertMany(1_201);
  const { problems } = await verifyInSteps(500, () =>
    change('delete from audit_entries where account_id = $1 and number = 501'),
  );
  expect(problems.join('; ')).toContain('record 501 is missing');
});

// oxfmt-ignore
test.each([
  ['another actor', `update audit_entries set actor = 'bob' where account_id = $1 and subject = 'second'`, 'record 2 was changed'],
  ['another operating-system user', `update audit_entries set operating_system_user = null where account_id = $1 and subject = 'second'`, 'record 2 was changed'],
  ['another state', `update audit_entries set state_before = '{"b":2}' where account_id = $1 and subject = 'third'`, 'record 3 was changed'],
  ['another time', `update audit_entries set created_at = created_at + interval '1 microsecond' where account_id = $1 and subject = 'first'`, 'record 1 was changed'],
  ['a removed entry', `delete from audit_entries where account_id = $1 and subject = 'second'`, 'record 2 is missing'],
  ['a removed last entry', `delete from audit_entries where account_id = $1 and subject = 'third'`, 'counts 3 records, the chain has 2'],
  ['an entry outside of the chain', `update audit_entries set number = -1 where account_id = $1 and subject = 'third'`, '1 entries are outside of the chain'],
  ['a removed log', `delete from audit_entries where account_id = $1`, 'counts 3 records, the chain has 0'],
  ['a removed end', `delete from audit_chains where account_id = $1`, 'counts 0 records, the chain has 3'],
])('%s is found', async (_, sql, problem) => {
  await recordThree();
  expect((await verify()).problems).toEqual([]);
  await change(sql);
  expect((await verify()).problems.join('; ')).toContain(problem);
});

test('entries that have exchanged their places are found', async () => {
  await recordThree();
  for (const move of ['-1 where number = 2', '2 where number = 3', '3 where number = -1'])
    await change(`update audit_entries set number = ${move} and account_id = $1`);
  expect((await verify()).problems.join('; ')).toContain('record 2 does not follow the one before it');
});

test('the login of the service appends, and neither changes entries nor moves the end', async () => {
  await recordThree();
  const app = new pg.Client({ connectionString: testDatabase.url });
  await app.connect();
  const refused = /permission denied/;
  await expect(app.query(`update audit_entries set actor = 'bob'`)).rejects.toThrow(refused);
  await expect(app.query('delete from audit_entries')).rejects.toThrow(refused);
  await expect(app.query('update audit_chains set length = 0')).rejects.toThrow(refused);
  await expect(app.query('delete from audit_chains')).rejects.toThrow(refused);
  await expect(app.query(`insert into audit_chains values ('a', 'sandbox', 0, '')`)).rejects.toThrow(refused);
  await app.query(
    `insert into audit_entries (account_id, environment, id, actor, action, subject, reason, created_at, number, hash)
     values ($1, 'sandbox', 'x', 'ann', 'Migrate', 's', 'r', now(), 77, 'mine')`,
    [scope.accountId],
  );
  await app.end();
  expect(await verify()).toMatchObject({ end: { length: 4 }, problems: [] });
});
