import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { INSERT_ONLY_RELATIONS, migrate, buildRoleUrl, VAULT_ROLE } from './migrate.js';
import { createTestDatabase, createTestScope, type TestDatabase, readTestServer } from '../testing/test-database.js';

let testDatabase: TestDatabase;
let owner: pg.Client;
let app: pg.Client;
let vault: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = await client(testDatabase.ownerUrl);
  app = await client(testDatabase.url);
  vault = await client(buildRoleUrl(testDatabase.ownerUrl, VAULT_ROLE, readTestServer().vaultPassword));
});
afterAll(async () => {
  await Promise.all([owner, app, vault].map((each) => each.end()));
  await testDatabase.close();
});

/** Tables without a scope: small, rarely written, and never joined across accounts. */
const SCOPELESS = [
  ...['accounts', 'acquirers', 'agreed_settings', 'merchant_ids', 'migrations', 'key_checks'],
  ...['partner_registry', 'partners'],
  ...['schema_compatibility', 'token_buckets', 'portal_users', 'portal_memberships', 'portal_sessions'],
  ...['operator_approvals', 'operator_rules'],
  ...['portal_password_history', 'portal_sign_in_attempts'],
];

/**
 * Indexes with other leading columns: to find an account by a value of the request, the work that is due, the
 * longest waiting money, or the newest audit entries of all accounts. None is unique.
 */
const PLAIN_INDEXES = [
  'acquirer_calls_awaited',
  'api_keys_by_hash',
  'audit_entries_by_time',
  'card_numbers_by_key',
  'lanes_ready',
  'lanes_ready_epos',
  'lanes_ready_replays',
  'order_placements_pending',
  'payment_intents_by_id',
  'reconciliation_differences_unanswered',
  'setup_intents_by_id',
  'table_payments_pending',
  'timers_ready',
  'uncompared_days_oldest',
];

interface KeyRow {
  readonly table_name: string;
  readonly name: string;
  readonly is_unique: boolean;
  readonly columns: string[];
}

test('account_id and environment lead every key and every index, except the few that find an account', async () => {
  const { rows } = await owner.query<KeyRow>(
    `select t.relname as table_name, i.relname as name, x.indisunique as is_unique,
       array(select a.attname::text from unnest(x.indkey) with ordinality k(attnum, place)
         join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum order by k.place) as columns
     from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
     where t.relnamespace in ('public'::regnamespace, 'vault'::regnamespace)`,
  );
  const other = rows.filter(({ table_name, columns }) => !SCOPELESS.includes(table_name) && !leadsWithScope(columns));
  expect(other.map(({ name }) => name).sort()).toEqual(PLAIN_INDEXES);
  expect(other.filter(({ is_unique }) => is_unique)).toEqual([]);
  expect(rows.length).toBeGreaterThan(40);
});

test('account_id and environment lead every foreign key on both sides', async () => {
  const { rows } = await owner.query<{ name: string; own: string[]; theirs: string[] }>(
    `select c.conname as name,
       array(select a.attname::text from unnest(c.conkey) with ordinality k(attnum, place)
         join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum order by k.place) as own,
       array(select a.attname::text from unnest(c.confkey) with ordinality k(attnum, place)
         join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.attnum order by k.place) as theirs
     from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace`,
  );
  expect(rows.length).toBeGreaterThan(4);
  expect(rows.filter(({ own, theirs }) => !leadsWithScope(own) || !leadsWithScope(theirs))).toEqual([]);
});

test('every table has a primary key', async () => {
  const { rows } = await owner.query(
    `select relname from pg_class t where relkind = 'r' and relnamespace = 'public'::regnamespace
     and not exists (select from pg_index where indrelid = t.oid and indisprimary)`,
  );
  expect(rows).toEqual([]);
});

/** Listings that readers continue. */
const LISTED = ['payment_intents', 'customers', 'transactions'];

test('the entity schemas of TypeORM propose no column change', async () => {
  const copy = await createTestDatabase();
  const asOwner = await client(copy.ownerUrl);
  // Columns that the database fills are not in the entity schemas: no row of ours contains them, and TypeORM keeps a
  // table for generated columns.
  const own = ['lanes.ready_at', 'timers.ready_at', ...LISTED.map((table) => `${table}.written_in`)];
  for (const [table, column] of own.map((each) => each.split('.'))) {
    await asOwner.query(`alter table ${table} drop column ${column} cascade`);
  }
  const { upQueries } = await copy.database.dataSource.driver.createSchemaBuilder().log();
  await asOwner.end();
  await copy.close();
  // Constraints, indexes and comments are made by the migrations alone, so TypeORM would drop all of them; columns
  // must match.
  const isAboutColumns = /^(?!COMMENT ON).*(\bCOLUMN\b|ALTER TABLE "\w+" (ADD|DROP|RENAME) "|CREATE TABLE|DROP TABLE)/i;
  expect(upQueries.map(({ query }) => query).filter((query) => isAboutColumns.test(query))).toEqual([]);
  expect(upQueries.length).toBeGreaterThan(20);
});

test('TypeORM has an entity for every table, except the table of the migrations', async () => {
  const { rows } = await owner.query<{ name: string }>(`select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`);
  const mapped = testDatabase.database.dataSource.entityMetadatas.map(({ tableName }) => tableName);
  expect(rows.map(({ name }) => name).filter((name) => !mapped.includes(name))).toEqual(['migrations']);
});

const DENIED = '42501';

test.each([
  ...INSERT_ONLY_RELATIONS.flatMap((name) => [
    `update ${name} set account_id = 'acc_x'`,
    `delete from ${name}`,
    `truncate ${name}`,
  ]),
  `update events set body = ''`,
  'truncate events',
  'truncate payment_intents',
  'drop table lanes',
  'alter table ledger_entries disable trigger all',
  'create table mine (id int)',
  'delete from migrations',
  `insert into migrations (timestamp, name) values (1, 'x')`,
  `update schema_compatibility set oldest_release = '0.0.1'`,
  'delete from schema_compatibility',
  'create table vault.mine (id int)',
  'create role another',
])('the login of the apps may not: %s', async (sql) => {
  await expect(app.query(sql)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|0LP01)$/) });
});

test('neither the apps’ login nor an account of the server sees schema vault; card-vault’s does', async () => {
  await owner.query('create table if not exists vault.cards (number text)');
  await owner.query(`grant select on vault.cards to ${VAULT_ROLE}`);
  await expect(app.query('select number from vault.cards')).rejects.toMatchObject({ code: DENIED });
  expect((await vault.query('select number from vault.cards')).rows).toEqual([]);
  await owner.query('drop table vault.cards');
});

test('card-vault settles money like the apps, and has as few rights on the books', async () => {
  expect((await vault.query('select count(*)::int from payment_intents')).rows).toEqual([{ count: 0 }]);
  expect((await vault.query('delete from token_buckets')).rowCount).toBe(0);
  await expect(vault.query('delete from ledger_postings')).rejects.toMatchObject({ code: DENIED });
});

test('migrating again, twice at once, changes nothing', async () => {
  const before = await owner.query('select name from migrations order by id');
  const { appPassword, vaultPassword } = readTestServer();
  await Promise.all([1, 2].map(() => migrate(testDatabase.ownerUrl, { appPassword, vaultPassword })));
  expect((await owner.query('select name from migrations order by id')).rows).toEqual(before.rows);
});

test('two concurrent migrations of an empty database both succeed', async () => {
  await owner.query('create database twice_at_once');
  const url = new URL(testDatabase.ownerUrl);
  url.pathname = '/twice_at_once';
  const { appPassword, vaultPassword } = readTestServer();
  await Promise.all([1, 2].map(() => migrate(url.href, { appPassword, vaultPassword })));
  const there = await client(url.href);
  expect((await there.query('select count(*)::int from accounts')).rows).toEqual([{ count: 0 }]);
  await there.end();
  await owner.query('drop database twice_at_once');
});

const ENTRY = `insert into ledger_entries (account_id, environment, subject_id, number, kind, reference, currency, posted_at,
  previous_hash, hash) values ($1, 'sandbox', 'pi_x', 1, 'capture', 'r', 'GBP', now(), '', '')`;
const POSTINGS = `insert into ledger_postings (account_id, environment, subject_id, entry_number, line, ledger_account, amount)
  select $1, 'sandbox', 'pi_x', 1, line, 'card_hold', amount from unnest($2::int[], $3::bigint[]) as p(line, amount)`;

test.each([
  ['postings that do not sum to zero', [[100, -90]]],
  ['postings in two statements, each of which does not balance', [[100], [-100]]],
  ['an entry without postings', []],
  ['an entry with a single posting of nothing', [[0]]],
])('the database itself refuses %s', async (_, statements) => {
  const { accountId } = createTestScope();
  await app.query('begin');
  const attempt = async (): Promise<void> => {
    await app.query(ENTRY, [accountId]);
    let line = 0;
    for (const amounts of statements) await app.query(POSTINGS, [accountId, amounts.map(() => (line += 1)), amounts]);
    await app.query('commit');
  };
  await expect(attempt()).rejects.toMatchObject({ code: '23514' });
  await app.query('rollback');
  expect((await app.query('select from ledger_entries where account_id = $1', [accountId])).rowCount).toBe(0);
});

test('an entry whose postings balance is accepted', async () => {
  const { accountId } = createTestScope();
  await app.query('begin');
  await app.query(ENTRY, [accountId]);
  await app.query(POSTINGS, [accountId, [1, 2, 3], [100, -60, -40]]);
  await app.query('commit');
  expect((await app.query('select from ledger_postings where account_id = $1', [accountId])).rowCount).toBe(3);
});

function leadsWithScope(columns: readonly string[]): boolean {
  return columns[0] === 'account_id' && columns[1] === 'environment';
}

async function client(url: string): Promise<pg.Client> {
  const made = new pg.Client({ connectionString: url });
  await made.connect();
  return made;
}
