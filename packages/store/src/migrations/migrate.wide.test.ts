import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { createServerFolder, type EmbeddedPostgres, startPostgres } from '@pos/dev-database';
import { listMigrationNames, MIGRATIONS_FOLDER } from './migration-files.js';
import { APP_ROLE, migrate, buildRoleUrl, VAULT_ROLE } from './migrate.js';
import { FIRST_RELEASE } from './release.js';

const PASSWORDS = { appPassword: 'app password', vaultPassword: 'vault password' };
const isLong = process.env['LONG'] === '1';
const DATABASES = isLong ? ['first', 'second', 'third', 'fourth'] : ['first', 'second'];
const NEXT = 'alter table payment_intents add column next_release text;';
const INDEX = `-- Intents by their amount. Outside a transaction.

drop index concurrently if exists payment_intents_by_amount;
create index concurrently payment_intents_by_amount on payment_intents (account_id, environment, amount);
`;
const MIGRATORS = isLong ? 4 : 2;
const REPEATS = isLong ? 3 : 1;

let folder: string;
let server: EmbeddedPostgres;
beforeAll(async () => {
  folder = createServerFolder('pos-migrate-');
  server = await startPostgres({ dataDir: path.join(folder, 'postgres'), durable: false, afterExit: 'remove' });
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function runQuery(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  return new URL(`/${database}`, server.url).href;
}

async function migrateAllAtOnce(): Promise<unknown[]> {
  const runs = DATABASES.flatMap((name) => Array.from({ length: MIGRATORS }, () => migrate(urlOf(name), PASSWORDS)));
  const ended = await Promise.allSettled(runs);
  return ended.filter(({ status }) => status === 'rejected');
}

// The logins belong to the server: migrators of different databases create them at the same time.
test('many concurrent migrators of a fresh server and its databases all succeed, repeatedly', async () => {
  for (const name of DATABASES) await runQuery(server.url, `create database ${name}`);
  expect(await migrateAllAtOnce()).toEqual([]);
  for (let round = 0; round < REPEATS; round += 1) expect(await migrateAllAtOnce()).toEqual([]);
  for (const name of DATABASES) {
    const done = await runQuery(urlOf(name), 'select name from migrations order by name');
    expect(done).toEqual(
      listMigrationNames()
        .toSorted()
        .map((each) => ({ name: each })),
    );
    await runQuery(buildRoleUrl(urlOf(name), APP_ROLE, PASSWORDS.appPassword), 'select from accounts');
    await runQuery(buildRoleUrl(urlOf(name), VAULT_ROLE, PASSWORDS.vaultPassword), 'select from vault.card_numbers');
  }
});

/** The migrations of this release and one more, in a folder of its own. */
function addMigration(file: string, sql: string): string {
  const next = mkdtempSync(path.join(folder, 'next-'));
  cpSync(MIGRATIONS_FOLDER, next, { recursive: true });
  writeFileSync(path.join(next, file), sql);
  return next;
}

async function createMigratedDatabase(name: string): Promise<string> {
  await runQuery(server.url, `create database ${name}`);
  await migrate(urlOf(name), PASSWORDS);
  return urlOf(name);
}

test('a migration does not wait for a relation in use: others continue to use it, and it is tried again', async () => {
  const url = await createMigratedDatabase('in_use');
  const next = addMigration('9998_next.sql', NEXT);
  const user = new pg.Client({ connectionString: url });
  await user.connect();
  await user.query('begin');
  await user.query('select from payment_intents');
  const limits = { folder: next, lockTimeoutMs: 50, lockAttemptsMax: 2 };
  await expect(migrate(url, PASSWORDS, limits)).rejects.toThrow(
    'cannot migrate: transactions that stay open use a relation that has to change',
  );
  expect(await runQuery(url, `select from migrations where name like 'next%'`)).toEqual([]);
  const migration = migrate(url, PASSWORDS, { folder: next, lockTimeoutMs: 50 });
  // Between two attempts nobody waits behind the migration, so this ends while the first user still holds its lock.
  await runQuery(url, 'select next.id from payment_intents as next for update');
  await user.query('commit');
  await migration;
  expect(await runQuery(url, `select name from migrations where name like 'next%'`)).toHaveLength(1);
  await user.end();
});

test('an index is built outside a transaction, beside other migrators, and again after a failed build', async () => {
  const url = await createMigratedDatabase('indexed');
  const next = addMigration('9998_intents_by_amount.sql', INDEX);
  // What a build leaves that was cut off: an index that serves nothing.
  await runQuery(url, 'create index payment_intents_by_amount on payment_intents (account_id)');
  await runQuery(
    url,
    `update pg_index set indisvalid = false where indexrelid = 'payment_intents_by_amount'::regclass`,
  );
  await Promise.all([1, 2, 3].map(() => migrate(url, PASSWORDS, { folder: next })));
  expect(
    await runQuery(
      url,
      `select indisvalid, indnkeyatts from pg_index where indexrelid = 'payment_intents_by_amount'::regclass`,
    ),
  ).toEqual([{ indisvalid: true, indnkeyatts: 3 }]);
});

test('partners are enforced, and operators need no second one, in a new database', async () => {
  const url = await createMigratedDatabase('fresh_rules');
  expect(await runQuery(url, 'select revision::int, enforced from partner_registry')).toEqual([
    { revision: 1, enforced: true },
  ]);
  expect(await runQuery(url, 'select second_operator from operator_rules')).toEqual([{ second_operator: false }]);
});

test('a database of a build before the first migration of this release is refused in one sentence, and stays as it is', async () => {
  const url = urlOf('before_first');
  await runQuery(server.url, 'create database before_first');
  await runQuery(
    url,
    `create table migrations (id serial, timestamp bigint, name text);
     insert into migrations (timestamp, name) values (1, 'accounts_0000000000001')`,
  );
  await expect(migrate(url, PASSWORDS)).rejects.toMatchObject({
    name: 'StartFailure',
    message: `cannot migrate: the database was made by a build before release ${FIRST_RELEASE}, from which no upgrade leads here; create a new database`,
  });
  expect(await runQuery(url, 'select name from migrations')).toEqual([{ name: 'accounts_0000000000001' }]);
});
