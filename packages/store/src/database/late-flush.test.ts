import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { randomUUID } from 'node:crypto';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { defineChange, defineStatement, sql } from '@pos/postgres/statements';
import type { Database, Tx } from './database.js';

/** The owner of a lease becomes the setting that applies to the COMMIT of its row. */
const INSERT_SETTING = defineChange(
  'test_setting_of_commit',
  sql.insertInto('session_leases')`(account_id, environment, lease_id, session_id, owner, requestor, state, epos_locked,
     open_payments, acquired_at, expires_at, version)
   values (${1}, ${2}, ${3}, ${3}, current_setting('synchronous_commit'), '{}', 'Held', false, 0, now(), now(), 1)`,
);
const READ_SETTING = defineStatement(
  'test_read_setting',
  `select owner from session_leases where account_id = $1 and environment = $2 and lease_id = $3`,
);
const FLUSHED = 'on';
const NOT_FLUSHED = 'off';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  // The server of the tests flushes nothing.
  await owner.query(
    `do $$ begin execute format('alter database %I set synchronous_commit = on', current_database()); end $$`,
  );
  await owner.end();
  // All transactions share the connection, so that a setting that outlived one would show in the next.
  database = await testDatabase.open({ poolMax: 1 });
});
afterAll(() => testDatabase.close());

const scope = createTestScope();
type Write = (work: (tx: Tx) => void) => Promise<unknown>;

/** Writes a row by the work, and returns the setting of its COMMIT. */
async function readSettingOf(write: Write, before: (tx: Tx) => void): Promise<string> {
  const values = [scope.accountId, scope.environment, randomUUID()];
  await write((tx) => {
    before(tx);
    tx.enqueue(INSERT_SETTING, values);
  });
  const [row] = await database.read(scope, (reader) => reader.query<{ owner: string }>(READ_SETTING, values));
  return row?.owner ?? '';
}

const writes: readonly (readonly [string, Write])[] = [
  ['a transaction with locks', (work) => database.transact(scope, work)],
  [
    'a transaction without locks',
    (work) => database.transactOptimistically(scope, { read: () => Promise.resolve(), decide: (tx) => work(tx) }),
  ],
];

test.each(writes)('%s commits without a flush only if it says so, and the next one waits again', async (_, write) => {
  const flushed = () => undefined;
  expect(await readSettingOf(write, flushed)).toBe(FLUSHED);
  expect(await readSettingOf(write, (tx) => tx.commitWithoutFlush())).toBe(NOT_FLUSHED);
  expect(await readSettingOf(write, flushed)).toBe(FLUSHED);
});

test.each(writes)('%s that fails without a flush stores nothing, and the next one waits again', async (_, write) => {
  const values = [scope.accountId, scope.environment, randomUUID()];
  const failing = write((tx) => {
    tx.commitWithoutFlush();
    tx.enqueue(INSERT_SETTING, [values[0], 'nowhere', null]);
  });
  await expect(failing).rejects.toMatchObject({ code: '23502' });
  expect(await readSettingOf(write, () => undefined)).toBe(FLUSHED);
});
