import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SYSTEM_ACCOUNT_ID, SYSTEM_SCOPE } from '@pos/core/administration';
import type { Database } from '@pos/store/database';
import { createTestDatabase, type TestDatabase } from '@pos/store/testing';
import { recordSignIn } from '../portal/sign-in-audit.js';
import { createPortalUser } from '../portal/portal-user-administration.js';
import { hasAuditEntry, type VerifiedAuditLog, verifyAuditLogs } from './audit-verification.js';

let testDatabase: TestDatabase;
let owner: Database;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  owner = await testDatabase.open({ url: testDatabase.ownerUrl });
});
afterEach(() => testDatabase.close());

const change = (sql: string): Promise<unknown> => owner.dataSource.query(sql);

/** A sign-in of a process, which is an entry of the service. */
const signIn = (database: Database, email: string) =>
  database.transact(SYSTEM_SCOPE, (tx) =>
    recordSignIn(tx, { action: 'SignIn', userId: null, email, reason: 'password', address: '192.0.2.1' }),
  );

async function signInThrice(): Promise<void> {
  for (const email of ['first', 'second', 'third']) await signIn(testDatabase.database, email);
}

async function verify(): Promise<VerifiedAuditLog | undefined> {
  const logs = await verifyAuditLogs(testDatabase.database, null);
  return logs.find(({ scope }) => scope.accountId === SYSTEM_ACCOUNT_ID);
}

test('processes that write at once form one chain, and a transaction that fails leaves no gap', async () => {
  const processes = [testDatabase.database, await testDatabase.open(), await testDatabase.open()];
  const failing = testDatabase.database.transact(SYSTEM_SCOPE, async (tx) => {
    await recordSignIn(tx, { action: 'SignIn', userId: null, email: 'lost', reason: 'password', address: null });
    throw new Error('the process stops here');
  });
  const writes = processes.flatMap((each, at) => Array.from({ length: 15 }, (_, n) => signIn(each, `${at} ${n}`)));
  const [failed] = await Promise.allSettled([failing, ...writes]);
  expect(failed.status).toBe('rejected');
  await Promise.all(writes);
  expect(await verify()).toMatchObject({ end: { length: 45 }, problems: [] });
  expect(
    await owner.dataSource.query('select min(number)::int, max(number)::int, count(*)::int from audit_entries'),
  ).toEqual([{ min: 1, max: 45, count: 45 }]);
});

test('a server process that is killed while it writes leaves a chain that continues', async () => {
  await signIn(testDatabase.database, 'before');
  const killed = testDatabase.database.transact(SYSTEM_SCOPE, async (tx) => {
    await recordSignIn(tx, { action: 'SignIn', userId: null, email: 'killed', reason: 'password', address: null });
    await change(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`);
  });
  await expect(killed).rejects.toThrow();
  await signIn(testDatabase.database, 'after');
  expect(await verify()).toMatchObject({ end: { length: 2 }, problems: [] });
});

// oxfmt-ignore
test.each([
  ['an edited entry', `update audit_entries set reason = 'single sign-on' where number = 2`, 'record 2 was changed'],
  ['a removed first entry', 'delete from audit_entries where number = 1', 'record 1 is missing'],
  ['a removed last entry', 'delete from audit_entries where number = 3', 'counts 3 records, the chain has 2'],
  ['a truncated end', 'delete from audit_entries where number > 1', 'counts 3 records, the chain has 1'],
  ['a truncated log', 'truncate audit_entries', 'counts 3 records, the chain has 0'],
  ['a removed end of the chain', 'delete from audit_chains', 'counts 0 records, the chain has 3'],
  ['an end of the chain that was set back', `update audit_chains set length = 2`, 'counts 2 records, the chain has 3'],
  ['an entry written without the trigger', `alter table audit_entries disable trigger audit_entry_chain;
    insert into audit_entries (account_id, environment, id, actor, action, subject, reason, created_at, number, previous_hash, hash)
    values ('${SYSTEM_ACCOUNT_ID}', 'production', 'x', 'bob', 'SignIn', 's', 'r', now(), 0, '', '')`, '1 entries are outside of the chain'],
])('%s of the service is found', async (_, sql, problem) => {
  await signInThrice();
  expect((await verify())?.problems).toEqual([]);
  for (const statement of sql.split(';')) await change(statement);
  expect((await verify())?.problems.join('; ')).toContain(problem);
});

test('an end that was cut off together with its number is found by an end that was kept', async () => {
  await signInThrice();
  const kept = await verify();
  await change('delete from audit_entries where number = 3');
  await change(`update audit_chains set length = 2, head = (select hash from audit_entries where number = 2)`);
  expect((await verify())?.problems).toEqual([]);
  await signIn(testDatabase.database, 'another third');
  expect(await verify()).toMatchObject({ end: { length: 3 }, problems: [] });
  const { length: number = 0, head: hash = Buffer.alloc(0) } = kept?.end ?? {};
  expect(await hasAuditEntry(testDatabase.database, { scope: SYSTEM_SCOPE, number, hash })).toBe(false);
});

test('a log of the service that was removed with its chain is found, because users of the portal exist', async () => {
  expect(await verify()).toBeUndefined();
  const user = { email: 'ann@corner.example', name: 'Ann', password: 'correct horse battery 7', isOperator: false };
  await createPortalUser(testDatabase.database, { actor: 'anna', reason: 'new' }, user);
  expect((await verify())?.problems).toEqual([]);
  await change('delete from audit_entries');
  await change('delete from audit_chains');
  expect((await verify())?.problems).toEqual(['the log has no entries, but users of the portal were created']);
});

test.each([
  'truncate audit_entries',
  'alter table audit_entries disable trigger audit_entry_chain',
  'drop trigger audit_entry_chain on audit_entries',
  `set session_replication_role = 'replica'`,
  'drop function chain_audit_entry() cascade',
  'delete from audit_entries where number = 3',
  'update audit_chains set length = 2',
])('the login of the service may not: %s', async (sql) => {
  await signInThrice();
  await expect(testDatabase.database.dataSource.query(sql)).rejects.toThrow(/permission denied|must be owner/);
  expect(await verify()).toMatchObject({ end: { length: 3 }, problems: [] });
});
