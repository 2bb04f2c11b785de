import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Database } from './database.js';
import { defineChange, defineStatement, sql } from '@pos/postgres/statements';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

const ADD = defineChange(
  'read_only_add',
  sql.insertInto('id_counters')`(account_id, environment, kind, last) values (${1}, ${2}, ${3}, 1)`,
);
const BACKEND = defineStatement('read_only_backend', 'select pg_backend_pid() as pid');

let testDatabase: TestDatabase;
let owner: pg.Client;
/** One connection, so that a connection that was returned to the pool would serve the next work. */
let small: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = new pg.Client({ connectionString: new URL('/postgres', testDatabase.ownerUrl).href });
  await owner.connect();
});
beforeEach(async () => {
  await setReadOnly(false);
  small = await testDatabase.open({ poolMax: 1, applicationName: 'small' });
});
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
});

const databaseName = (): string => new URL(testDatabase.ownerUrl).pathname.slice(1);

/**
 * New connections are read-only from now on, like those to a server that lost a fail-over; the old ones are closed.
 */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  await owner.query(`alter database ${databaseName()} set default_transaction_read_only = ${String(isReadOnly)}`);
  await endConnections();
}

async function endConnections(): Promise<void> {
  await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [databaseName()]);
}

function write(database: Database): Promise<unknown> {
  const scope = createTestScope();
  return database.transact(scope, (tx) => tx.query(ADD, [scope.accountId, scope.environment, 'thing']));
}

/** Writes until a live connection is used: the pool may still contain one that the server has closed. */
async function refusalOf(work: () => Promise<unknown>): Promise<{ readonly code: string; readonly detail?: string }> {
  const TRIES_MAX = 50;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const refusal = await work().then(
      () => null,
      (error: unknown) => error as { code: string; detail?: string },
    );
    if (refusal === null) throw new Error('the server is not read-only');
    if (refusal.code === '25006' || refusal.detail?.includes('25006') === true) return refusal;
  }
  throw new Error('the server never reported that it is read-only');
}

test.each([
  ['a change', write],
  [
    'a change without locks',
    (database: Database) => {
      const scope = createTestScope();
      return database.transactOptimistically(scope, {
        read: () => Promise.resolve(null),
        decide: (tx) => {
          tx.enqueue(ADD, [scope.accountId, scope.environment, 'thing']);
        },
      });
    },
  ],
  [
    'a change that leaves with the COMMIT',
    (database: Database) => {
      const scope = createTestScope();
      return database.transact(scope, (tx) => {
        tx.enqueueAtCommit(ADD, [scope.accountId, scope.environment, 'thing']);
      });
    },
  ],
  [
    'a change of all accounts',
    (database: Database) => database.executeHeartbeat(ADD, [`${Math.random()}`, 'sandbox', 'thing']),
  ],
])('%s on a server that became read-only is refused as unavailable, and the next one is served', async (_, work) => {
  await setReadOnly(true);
  const refusal = await refusalOf(() => work(small));
  expect(refusal).toMatchObject({ name: 'Refusal', code: 'service_unavailable' });
  // Only new connections can write again: a connection that returned to the pool would be read-only for ever.
  await owner.query(`alter database ${databaseName()} reset default_transaction_read_only`);
  await work(small);
});

test('a connection whose statement failed for another reason returns to the pool', async () => {
  const pidOf = () => small.readSystem((reader) => reader.query<{ pid: number }>(BACKEND, []));
  // The first use may find the connection that the server has closed.
  await small.checkReady().catch(() => undefined);
  const [before] = await pidOf();
  const scope = createTestScope();
  const twice = small.transact(scope, async (tx) => {
    await tx.query(ADD, [scope.accountId, scope.environment, 'thing']);
    await tx.query(ADD, [scope.accountId, scope.environment, 'thing']);
  });
  await expect(twice).rejects.toMatchObject({ code: '23505' });
  expect(await pidOf()).toEqual([before]);
});
