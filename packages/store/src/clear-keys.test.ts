import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusal';
import pg from 'pg';
import { hideClearKeys } from './clear-keys.js';
import type { Database } from './database.js';
import { type Idempotency, once, recallAnswer, takeKey } from './once.js';
import { isLockTimeout } from './sql-error.js';
import { freshDatabase, freshScope, TEST_SECRETS, type TestDatabase } from './testing.js';
import type { Tx } from './transaction.js';

let place: TestDatabase;

beforeAll(async () => {
  place = await freshDatabase();
});
beforeEach(() => owned('delete from idempotency_keys', []));
afterAll(() => place.close());

const made = () => Promise.resolve({ status: 200, body: { made: true } });

function asked(more: Partial<Idempotency> = {}): Idempotency {
  return { method: 'POST', path: '/refunds', key: 'till 4', fingerprintInput: '{"amount":1250}', ...more };
}

/** What `once` was answered before the upgrade, in a row as such a release wrote it; and a process of ours that starts then. */
async function upgraded(scope: Scope, idempotency = asked()): Promise<Database> {
  await once(place.database, { scope, idempotency }, made);
  await owned(
    `update idempotency_keys set is_keyed = false, path = $2, key = $3 where account_id = $1 and is_keyed and created_at =
       (select max(created_at) from idempotency_keys where account_id = $1)`,
    [scope.accountId, idempotency.path, idempotency.key],
  );
  return place.open();
}

test('what a release that stored keys in clear has answered is answered again, and its text is gone then', async () => {
  const scope = freshScope();
  const database = await upgraded(scope);
  expect(await once(database, { scope, idempotency: asked() }, made)).toMatchObject({ replayed: true });
  expect(await clearRows()).toBe(0);
  const read = await database.read(scope, (reader) => recallAnswer(reader, asked()));
  expect(read).toEqual(await made());
});

test('another body under such a key is refused', async () => {
  const scope = freshScope();
  const database = await upgraded(scope);
  const idempotency = asked({ fingerprintInput: '{"amount":1251}' });
  await expect(once(database, { scope, idempotency }, made)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
});

test('keys that nobody asks for again are hashed too, in every account, and answered again all the same', async () => {
  const scopes = [freshScope(), freshScope('production')];
  const keys = ['1', '2', '3'].map((key) => asked({ key }));
  for (const scope of scopes) for (const each of keys) await upgraded(scope, each);
  expect(await clearRows()).toBe(6);
  expect(await hideClearKeys(place.database)).toBe(true);
  expect([await clearRows(), await hideClearKeys(place.database)]).toEqual([0, false]);
  for (const scope of scopes) {
    for (const idempotency of keys) {
      expect(await once(place.database, { scope, idempotency }, made)).toMatchObject({ replayed: true });
    }
  }
});

test('a key that a request holds is hashed by it, not behind its back', async () => {
  const scope = freshScope();
  const database = await upgraded(scope);
  await database.transact(scope, async (tx) => {
    expect(await takeKey(tx, asked())).toMatchObject({ kind: 'answered' });
    expect(await hideClearKeys(place.database)).toBe(false);
  });
  expect([await clearRows(), await hideClearKeys(place.database)]).toEqual([0, false]);
});

test('the text of a request is sent to the database only while there is a key in clear', async () => {
  const scope = freshScope();
  const database = await upgraded(scope, asked({ key: 'another' }));
  expect(await sent(database, scope, asked({ key: 'first' }))).toContain('first');
  await hideClearKeys(database);
  expect(await sent(database, scope, asked({ key: 'second' }))).not.toContain('second');
  expect(await sent(database, scope, asked({ key: 'third' }))).not.toMatch(/third|limit 1/);
});

test('a process of such a release goes on until the first of ours starts, and begins nothing more then', async () => {
  await forgetKeys();
  expect(await insertAsBefore(freshScope())).toBeNull();
  await place.open();
  expect(isLockTimeout(await insertAsBefore(freshScope()))).toBe(true);
});

test('what such a process has under way when ours starts is waited for, and not done again', async () => {
  await forgetKeys();
  const scope = freshScope();
  const old = await connected();
  await old.query('begin');
  await old.query(INSERT_AS_BEFORE, [scope.accountId, asked().path, asked().key]);
  const opening = place.open();
  const ours = { isOpen: false };
  void opening.then(() => (ours.isOpen = true));
  while (!ours.isOpen && (await owned(WAITING, [])).length === 0);
  expect(ours.isOpen).toBe(false);
  await old.query('commit');
  await old.end();
  const again = once(await opening, { scope, idempotency: asked() }, made);
  await expect(again).rejects.toMatchObject({ code: 'idempotency_key_reused' });
});

test('a database is opened with the pepper of its first process only, by any number at once', async () => {
  await forgetKeys();
  const peppers = ['one pepper', 'another pepper'].flatMap((pepper) => [pepper, pepper, pepper]);
  const opened = await Promise.allSettled(
    peppers.map((pepper) => place.open({ secrets: { ...TEST_SECRETS, pepper } })),
  );
  const refused = opened.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
  expect(refused).toHaveLength(3);
  for (const each of refused) expect(each).toContain('KEY_PEPPER');
  const served = new Set(peppers.filter((_, at) => opened[at]?.status === 'fulfilled'));
  expect(served.size).toBe(1);
  await expect(place.open()).rejects.toThrow('KEY_PEPPER');
});

const WAITING = `select from pg_locks where relation = 'idempotency_keys'::regclass and not granted`;
const INSERT_AS_BEFORE = `insert into idempotency_keys
    (account_id, environment, method, path, key, fingerprint, state, recovery_point, created_at, keep_until)
  values ($1, 'sandbox', 'POST', $2, $3, '', 'Running', '', now(), now() + interval '1 day') on conflict do nothing`;

function insertAsBefore({ accountId }: Scope): Promise<unknown> {
  const inserted = owned(INSERT_AS_BEFORE, [accountId, asked().path, asked().key]);
  return inserted.then(
    () => null,
    (reason: unknown) => reason,
  );
}

async function clearRows(): Promise<number> {
  return (await owned(`select 1 from idempotency_keys where not is_keyed or key !~ '^[\\w-]{43}$'`, [])).length;
}

/** All statements and values with which a key is taken. */
async function sent(database: Database, scope: Scope, idempotency: Idempotency): Promise<string> {
  const heard: unknown[] = [];
  const undone = new Refusal('validation_failed', 'nothing is to be stored');
  const listening = (tx: Tx): Tx =>
    new Proxy(tx, {
      get: (of, name) => {
        const value: unknown = Reflect.get(of, name, of);
        if (typeof value !== 'function') return value;
        return (...values: unknown[]): unknown => {
          if (name === 'query' || name === 'later') heard.push(values);
          return Reflect.apply(value, of, values);
        };
      },
    });
  const taking = database.transact(scope, async (tx) => {
    await takeKey(listening(tx), idempotency);
    throw undone;
  });
  await expect(taking).rejects.toBe(undone);
  return JSON.stringify(heard);
}

/** As a database that no process of ours has opened yet. */
async function forgetKeys(): Promise<void> {
  await owned('delete from pepper_checks', []);
  await owned('delete from key_checks', []);
}

/** What the owner of the database sees and does. */
async function owned(sql: string, values: readonly unknown[]): Promise<unknown[]> {
  const owner = await connected();
  try {
    return (await owner.query<Record<string, unknown>>(sql, [...values])).rows;
  } finally {
    await owner.end();
  }
}

async function connected(): Promise<pg.Client> {
  const owner = new pg.Client({ connectionString: place.ownerUrl });
  await owner.connect();
  return owner;
}
