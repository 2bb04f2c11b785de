import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { requireValue } from '@pos/core/refusals';
import { findMigrationProblems } from '../testing/migration-rules.js';
import { childNode, parseSql, textOf } from '../testing/sql-tree.js';
import { readReleases } from '../testing/releases.js';
import { MIGRATIONS_FOLDER, splitStatements } from './migration-files.js';

const released = Object.keys(requireValue(readReleases().at(-1), 'a release').migrations);
const readMigration = (file: string): string => readFileSync(path.join(MIGRATIONS_FOLDER, file), 'utf8');

/** The relations that the last release has. */
async function listReleasedRelations(): Promise<Set<string>> {
  const names = new Set<string>();
  for (const file of released) {
    for (const statement of await parseSql(readMigration(file))) {
      const relation = childNode(childNode(statement, 'CreateStmt') ?? {}, 'relation');
      if (relation === null) continue;
      const schema = textOf(relation, 'schemaname');
      names.add(`${schema === '' ? '' : `${schema}.`}${textOf(relation, 'relname')}`);
    }
  }
  return names;
}

async function findProblems(sql: string): Promise<string[]> {
  return findMigrationProblems({ file: 'x.sql', sql, releasedRelations: await listReleasedRelations() });
}

test('the migrations that are not released yet may run beside the last release', async () => {
  const releasedRelations = await listReleasedRelations();
  expect(releasedRelations.size).toBeGreaterThan(40);
  const files = readdirSync(MIGRATIONS_FOLDER).filter((file) => file.endsWith('.sql') && !released.includes(file));
  const problems = await Promise.all(
    files.map((file) => findMigrationProblems({ file, sql: readMigration(file), releasedRelations })),
  );
  expect(problems.flat()).toEqual([]);
});

const OUTSIDE = '-- An index. Outside a transaction.\n';

// oxfmt-ignore
test.each([
  ['alter table payment_intents alter column reference set not null',      'set not null scans'],
  ['alter table payment_intents alter column amount type numeric',         'a change of the type rewrites'],
  ['alter table payment_intents drop column reference',                    'the last release uses the column'],
  ['alter table payment_intents add column x text not null',               'x is not null without a default'],
  ['alter table payment_intents add column x text not null default gen_random_uuid()', 'the default of x is computed'],
  ['alter table payment_intents add column x timestamptz default now()',   'the default of x is computed'],
  ['alter table payment_intents add column x bigint generated always as (amount) stored', 'CONSTR_GENERATED'],
  ['alter table payment_intents add column x bigint generated always as identity', 'CONSTR_IDENTITY'],
  ['alter table payment_intents add column x text unique',                 'CONSTR_UNIQUE'],
  ['alter table payment_intents add column x text references accounts (account_id)', 'CONSTR_FOREIGN'],
  ['alter table payment_intents add column x int check (x > 0)',           'CONSTR_CHECK'],
  ['alter table payment_intents alter column reference drop default',      'relies on the default'],
  ['alter table payment_intents add constraint c check (amount > 0)',      'add it "not valid"'],
  ['alter table captures add constraint c foreign key (id) references refunds (id)', 'add it "not valid"'],
  ['alter table payment_intents add constraint c unique (account_id, id)', 'builds an index under a lock'],
  ['alter table payment_intents add primary key (account_id, id)',         'builds an index under a lock'],
  ['alter table payment_intents add constraint c exclude using gist (id with =)', 'no rule says whether it locks'],
  ['alter table payment_intents add constraint c check (amount > 0) not valid; alter table payment_intents validate constraint c', 'validated under the lock of its addition'],
  ['alter table payment_intents set unlogged',                             'no rule says whether AT_SetUnLogged locks'],
  ['alter table payment_intents rename to intents',                        'the last release uses the old name'],
  ['alter table payment_intents rename column reference to name',          'the last release uses the old name'],
  ['alter table vault.card_numbers drop column key_id',                    'the last release uses the column'],
  ['drop table mails',                                                     'drop of mails: the last release uses it'],
  ['drop table vault.card_numbers',                                        'drop of vault.card_numbers: the last release uses it'],
  ['drop function exactly_one',                                            'drop of exactly_one: the last release uses it'],
  ['drop index payment_intents_by_id',                                     'drop it concurrently'],
  ['drop index concurrently if exists payment_intents_by_id',              'must end with "Outside a transaction."'],
  [`${OUTSIDE}drop index concurrently payment_intents_by_id`,              'cannot be repeated without "if exists"'],
  ['create index i on payment_intents (account_id)',                       'blocks all changes of payment_intents'],
  ['create unique index i on vault.card_numbers (account_id)',             'blocks all changes of vault.card_numbers'],
  ['create index concurrently i on payment_intents (account_id)',          'must end with "Outside a transaction."'],
  [`${OUTSIDE}create index concurrently i on payment_intents (account_id)`, 'a failed build leaves it invalid'],
  [`${OUTSIDE}create table t (id text)`,                                   'cannot be repeated, so it belongs in a transaction'],
  ['update payment_intents set reference = reference',                     'it locks them until the migration ends'],
  ['delete from mails',                                                    'it locks them until the migration ends'],
  ['truncate mails',                                                       'TruncateStmt: no rule says whether it locks'],
  ['lock table mails',                                                     'LockStmt: no rule says whether it locks'],
  ['reindex table mails',                                                  'ReindexStmt: no rule says whether it locks'],
  ['do $$ begin end $$',                                                   'DoStmt: no rule says whether it locks'],
  ['create trigger t after insert on mails execute function f()',          'it also runs for the last release'],
])('refused: %s', async (sql, problem) => {
  expect(await findProblems(sql)).toEqual([expect.stringContaining(problem)]);
});

// oxfmt-ignore
test.each([
  ['create table t (account_id text, environment text, primary key (account_id, environment)); create index i on t (account_id); alter table t add column x text not null; update t set x = 1'],
  ['create table vault.t (id text); create unique index i on vault.t (id)'],
  ["alter table payment_intents add column x text; comment on column payment_intents.x is 'New.'"],
  ["alter table payment_intents add column x text not null default ''"],
  ["alter table payment_intents add column x text[] not null default '{}'::text[]"],
  ['alter table payment_intents add column x bigint not null default 0, add column y boolean'],
  ['alter table payment_intents alter column reference drop not null'],
  ["alter table payment_intents alter column reference set default ''"],
  ['alter table payment_intents add constraint c check (amount > 0) not valid'],
  ['alter table payment_intents validate constraint c'],
  ['alter table payment_intents add constraint c unique using index i'],
  ['alter table lanes set (fillfactor = 50)'],
  [`${OUTSIDE}drop index concurrently if exists i; create index concurrently i on payment_intents (account_id)`],
  ["create function f() returns int language sql as 'select 1'; insert into key_checks select"],
])('accepted: %s', async (sql) => {
  expect(await findProblems(sql)).toEqual([]);
});

test('the statements of a migration outside a transaction are run one by one, without their comments', () => {
  expect(
    splitStatements(
      '-- An index. Outside a transaction.\n\ndrop index concurrently if exists i;\n-- Why.\ncreate index concurrently i\n  on t (a);\n',
    ),
  ).toEqual(['drop index concurrently if exists i', 'create index concurrently i\n  on t (a)']);
});
