import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSandboxClock } from '../clock/sandbox-clock.js';
import pg from 'pg';
import type { Tx } from './database.js';
import { defineChange, defineStatement, findSqlState, sql } from '@pos/postgres/statements';
import { setDatabaseTelemetry } from '@pos/postgres/telemetry';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  await testDatabase.close();
});

const ONE = defineStatement('one', 'select 1 as one');
const WRONG = defineStatement('wrong', 'select 1 / 0');
const NAP = defineStatement('nap', 'select pg_sleep(0.2)');
const KINDS = defineStatement('kinds', 'select kind from id_counters where account_id = $1 and environment = $2');
const ADD = defineChange(
  'add',
  sql.insertInto('id_counters')`(account_id, environment, kind, last) values (${1}, ${2}, ${3}, 1)`,
);

function addLater(tx: Tx, kind: unknown): void {
  tx.enqueue(ADD, [tx.scope.accountId, tx.scope.environment, kind]);
}

test('the first failure is returned although other statements ran beside it', async () => {
  const deep = async (levels: number, operation: () => Promise<unknown>): Promise<unknown> =>
    levels === 0 ? operation() : await deep(levels - 1, operation);
  const work = testDatabase.database.transact(createTestScope(), async (tx) => {
    addLater(tx, 'thing');
    addLater(tx, 'thing');
    await Promise.all([deep(5, () => tx.query(ONE, [])), tx.query(ONE, [])]);
  });
  await expect(work).rejects.toMatchObject({ code: '23505' });
});

test('a change that cannot be sent prevents that anything is stored', async () => {
  const scope = createTestScope();
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const work = testDatabase.database.transact(scope, (tx) => {
    addLater(tx, 'before');
    addLater(tx, circular);
    addLater(tx, 'behind');
  });
  await expect(work).rejects.toThrow('circular');
  const kinds = await testDatabase.database.read(scope, (reader) =>
    reader.query(KINDS, [scope.accountId, scope.environment]),
  );
  expect(kinds).toEqual([]);
});

test('a connection on which the lock of the clock timed out serves the next caller', async () => {
  const small = await testDatabase.open({ poolMax: 1, lockTimeoutMs: 100 });
  const scope = createTestScope();
  await testDatabase.database.transact(scope, (tx) => createSandboxClock(tx, new Date('2026-03-02T12:00:00.000Z')));
  await testDatabase.database.transactExclusively(scope, async () => {
    // Another process's client, so the guard against nesting does not apply: the test is about the clock's lock.
    await expect(small.transact(scope, (tx) => tx.query(ONE, []))).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });
  expect(await small.transact(createTestScope('production'), (tx) => tx.query(ONE, []))).toEqual([{ one: 1 }]);
});

test('a read that failed sends nothing more on a connection that another caller uses by then', async () => {
  const small = await testDatabase.open({ poolMax: 1 });
  const scope = createTestScope();
  let errorText = '';
  const reading = small.read(scope, (reader) =>
    Promise.all([
      reader.query(WRONG, []),
      reader.query(NAP, []).then(() => reader.query(WRONG, []).catch((error: unknown) => (errorText = String(error)))),
    ]),
  );
  await expect(reading).rejects.toMatchObject({ code: '22012' });
  expect(await small.transact(scope, (tx) => tx.query(ONE, []))).toEqual([{ one: 1 }]);
  expect(errorText).toContain('has ended');
});

const FULL_DISK = defineStatement(
  'full_disk',
  `create function refuse_write() returns trigger language plpgsql as
   $$begin raise exception 'could not extend file' using errcode = '53100'; end$$`,
);

test('a full disk of the server is service_unavailable, and counted once for each unit of work', async () => {
  const owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  await owner.query(FULL_DISK.text);
  await owner.query(
    'create trigger full_disk before insert on id_counters for each row execute function refuse_write()',
  );
  const counted: string[] = [];
  setDatabaseTelemetry({
    startRoundTrip: () => () => undefined,
    countServerFailure: (sqlState) => counted.push(sqlState),
    readTraceparent: () => null,
    readTraceId: () => null,
  });
  try {
    const { database } = testDatabase;
    const scope = createTestScope();
    // The write leaves before the commit, and with it.
    const early = database.transact(scope, (tx) => tx.query(ADD, [scope.accountId, scope.environment, 'early']));
    await expect(early).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(counted).toEqual(['53100']);
    await expect(database.transact(scope, (tx) => addLater(tx, 'late'))).rejects.toMatchObject({
      code: expect.stringMatching(/^(service_unavailable|commit_unknown)$/),
    });
    expect(counted).toEqual(['53100', '53100']);
    // A refusal of a row is no failure of the server, and reads work.
    await expect(database.transact(scope, (tx) => tx.query(WRONG, []))).rejects.toMatchObject({ code: '22012' });
    expect(await database.read(scope, (reader) => reader.query(ONE, []))).toEqual([{ one: 1 }]);
    expect(counted).toEqual(['53100', '53100']);
  } finally {
    setDatabaseTelemetry(null);
    await owner.query('drop trigger full_disk on id_counters');
    await owner.query('drop function refuse_write()');
    await owner.end();
  }
});

test.each([
  ['23505', '23505'],
  ['57P01', '57P01'],
  ['EPIPE', null],
  ['ECONNRESET', null],
])('the code %s is the database’s word, or the operating system’s', (code, state) => {
  expect(findSqlState(Object.assign(new Error('a trouble'), { code }))).toBe(state);
});
