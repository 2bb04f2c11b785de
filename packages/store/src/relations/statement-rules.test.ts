import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { register } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Lease } from '@pos/core/tables';
import type * as relationModule from '../relations/relation.js';
import type { Relation, RowQuery } from '../relations/relation.js';
import { TIMER_ROWS } from '../relations/queue-relations.js';
import * as scopedQueries from '../relations/scoped-query.js';
import type { Tx } from '../database/transaction.js';
import type * as leasesModule from '../tables/leases.js';
import type * as typeormWork from '../testing/typeorm-work.js';
import type * as collectedStatements from '../testing/collecting/statements/statement.js';
import type * as collectedQueries from '../testing/collecting/relations/scoped-query.js';
import { findStatementProblems, type FunctionCatalogue } from '../testing/statement-rules.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));
const POSTGRES_SOURCES = fileURLToPath(new URL('../../../postgres/src', import.meta.url));
const SCOPED_QUERIES = Object.entries(scopedQueries).flatMap(([name, value]) =>
  typeof value === 'function' ? [name] : [],
);

/** Imports a module of the variant whose statements and queries are collected. */
async function importCollected<Module>(file: string, build = '../../dist'): Promise<Module> {
  return (await import(new URL(`${build}/${file}?variant=collecting`, import.meta.url).href)) as Module;
}

register(new URL('../../dist/testing/collecting/hooks.js', import.meta.url));
const { collected, defineStatement } = await importCollected<typeof collectedStatements>(
  'testing/collecting/statements/statement.js',
);
const { recordedCalls: calls } = await importCollected<typeof collectedQueries>(
  'testing/collecting/relations/scoped-query.js',
);

const { recordStatements, TYPEORM_WORK } = await importCollected<typeof typeormWork>('testing/typeorm-work.js');

let testDatabase: TestDatabase;
let owner: pg.Client;
let catalogue: FunctionCatalogue;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  const { rows } = await owner.query<{ name: string; volatility: 'i' | 's' | 'v' }>(
    `select proname || '/' || pronargs as name, max(provolatile)::text as volatility from pg_proc
     where not 'timetz'::regtype = any (proargtypes) group by 1`,
  );
  catalogue = { volatility: new Map(rows.map(({ name, volatility }) => [name, volatility])) };
  await collectStatements();
  await collectTypeormStatements();
});
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
});

/** Imports all modules, which define their statements, and builds those that relations have in common. */
async function collectStatements(): Promise<void> {
  const relations = new Set<Relation<object>>();
  for (const file of listSources(POSTGRES_SOURCES)) {
    await importCollected(file.replace(/\.ts$/, '.js'), '../../../postgres/dist');
  }
  for (const file of listSources()) {
    const module = await importCollected<Readonly<Record<string, unknown>>>(file.replace(/\.ts$/, '.js'));
    for (const each of Object.values(module)) if (isRelation(each)) relations.add(each);
  }
  const { findRows, insertRows, updateRows } = await importCollected<typeof relationModule>('relations/relation.js');
  const tx = {
    scope: createTestScope(),
    partners: { softwareHouseId: null, resellerId: null },
    query: () => Promise.resolve([]),
    enqueue: () => undefined,
  } as unknown as Tx;
  const { insertLeaseOfFreeSession } = await importCollected<typeof leasesModule>('tables/leases.js');
  insertLeaseOfFreeSession(tx, {} as Lease);
  for (const relation of relations) {
    const row = Object.fromEntries(relation.columns.map((name) => [name, 1]));
    insertRows(tx, relation, [row, row]);
    const [first = ''] = relation.columns as readonly string[];
    const where = { [first]: 1 } as RowQuery<object>['where'];
    await findRows(tx, relation, { where, isLocking: true });
    await updateRows(tx, relation, { where, set: row });
  }
}

function listSources(folder = SOURCES): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing/'),
  );
}

/** Does all work of TypeORM once. */
async function collectTypeormStatements(): Promise<void> {
  for (const work of TYPEORM_WORK) {
    const sent = await recordStatements(testDatabase.database, createTestScope(), work);
    for (const { label, sql } of sent) defineStatement(`${label} of ${work.name}`, sql);
  }
}

function isRelation(value: unknown): value is Relation<object> {
  return typeof value === 'object' && value !== null && 'columns' in value && 'storesPartners' in value;
}

/** `claim_lane_0123456789ab` is `claim_lane`. */
const labelOf = (name: string): string => name.replace(/_[0-9a-f]{12}$/, '');

test('every call of a query of TypeORM in the sources was made for the collection', () => {
  const made = [...calls].map((caller) => /\/src\/(.+\.ts):\d+:\d+/.exec(caller)?.[1] ?? caller);
  const call = new RegExp(`\\b(?:${SCOPED_QUERIES.join('|')})[(<]`, 'g');
  const written = listSources()
    .filter((file) => file !== 'relations/scoped-query.ts')
    .flatMap((file) => [...readFileSync(path.join(SOURCES, file), 'utf8').matchAll(call)].map(() => file));
  expect(made.sort()).toEqual(written.sort());
  expect(written.length).toBeGreaterThan(40);
});

test('TypeORM is used by the queries over one relation, by accounts, whose functions the collection has all, and by the audit log', async () => {
  const using = listSources().filter((file) =>
    /\.runWithManager\(/.test(readFileSync(path.join(SOURCES, file), 'utf8')),
  );
  expect(using.sort()).toEqual([
    'database/scoped-reader.ts',
    'relations/scoped-query.ts',
    'repositories/accounts.ts',
    'repositories/audit-entries.ts',
    'startup/postgres-database.ts',
  ]);
  const withNamedSql = ['createAccount', 'findAccount', 'getAccount'];
  const functions = Object.keys(await import('../repositories/accounts.js'));
  const collected = TYPEORM_WORK.map(({ name }) => name);
  expect(functions.filter((name) => !withNamedSql.includes(name) && !collected.includes(name))).toEqual([]);
  expect(collected).toContain('searchAuditEntries');
});

test('the server accepts every statement', async () => {
  const refused: string[] = [];
  for (const [name, { text }] of collected) {
    await owner
      .query(`explain (generic_plan) ${text}`)
      .catch((error: unknown) => refused.push(`${name}: ${String(error)}`));
  }
  expect(refused).toEqual([]);
  expect(collected.size).toBeGreaterThan(200);
});

/**
 * Statements that ask all nodes on purpose, without locks: what leads to an account, the accounts that have work, the
 * maintenance of all rows, and monitoring.
 */
const ASKS_ALL_NODES = [
  'count_api_keys_under_other_peppers',
  'count_idempotency_keys_under_other_peppers',
  'find_accounts_with_ready_lanes',
  'find_intent_scope',
  'find_setup_intent_scope',
  'list_acquirers_in_use',
  'list_audit_scopes',
  'list_card_numbers_of_next_key',
  'list_card_numbers_under_other_keys',
  'list_interrupted_tester_runs',
  'list_ready_accounts',
  'list_scopes_with_open_money',
  'list_sealed_values_of_epos_integrations',
  'list_sealed_values_of_idempotency_keys',
  'list_sealed_values_of_payment_intents',
  'list_sealed_values_of_portal_totp_secrets',
  'list_sealed_values_of_setup_intents',
  'list_sealed_values_of_webhook_secrets',
  'read_service_backlog',
  'read_service_state',
  'typeorm_select_accounts of listAccountIds',
  'typeorm_select_accounts of listAdministeredAccounts',
  'was_api_key_issued',
];
/** Statements without a relation, or of one that only the coordinator has: it runs them, and all processes connect to it. */
const RUNS_ON_COORDINATOR = ['commit_without_flush', 'lock_key_names'];
/**
 * They run on Citus, and compare the transactions of one node: after a shard has moved to another one, a reader that
 * continues may miss a row that was committed late, or receive a row twice (docs/operate/high-availability.md).
 */
const COMPARES_TRANSACTIONS = [
  'list_customers_newer',
  'list_customers_older',
  'search_customers_by_email_address_newest_newer',
  'search_customers_by_email_address_newest_older',
  'search_customers_by_email_address_sorted_newer',
  'search_customers_by_email_address_sorted_older',
  'search_customers_by_name_newest_newer',
  'search_customers_by_name_newest_older',
  'search_customers_by_name_sorted_newer',
  'search_customers_by_name_sorted_older',
  'search_intents_newer',
  'search_intents_of_customer_newer',
  'search_intents_of_customer_older',
  'search_intents_older',
  'search_transactions_newer',
  'search_transactions_older',
];

test('a change of a timer that is combined with others names its row', () => {
  const ofTimers = [...collected.values()].filter(
    ({ name, part }) => part?.relation === 'timers' && !OF_ALL_RELATIONS.includes(labelOf(name)),
  );
  expect(ofTimers.length).toBeGreaterThan(5);
  expect(
    ofTimers
      .filter(({ part }) => part?.rowParameters.join() !== TIMER_ROWS.rowParameters.join())
      .map(({ name }) => name),
  ).toEqual([]);
});
/** They are built for the collection only: no code writes timers by the verbs for rows. */
const OF_ALL_RELATIONS = ['insert_timers', 'update_timers'];

test('every statement runs on Citus', async () => {
  const problems: string[] = [];
  const asking = new Set<string>();
  for (const [name, { text }] of collected) {
    const label = labelOf(name);
    for (const problem of await findStatementProblems(text, catalogue)) {
      const isAsking = ASKS_ALL_NODES.includes(label) && /^reads [\w.]+ without an account$/.test(problem);
      const isLocal =
        [...RUNS_ON_COORDINATOR, ...COMPARES_TRANSACTIONS].includes(label) &&
        problem.includes('means something on one node only');
      if (isAsking || isLocal) asking.add(label);
      else problems.push(`${label}: ${problem}`);
    }
  }
  expect(problems).toEqual([]);
  expect([...asking].sort()).toEqual([...ASKS_ALL_NODES, ...RUNS_ON_COORDINATOR, ...COMPARES_TRANSACTIONS].sort());
});

// oxfmt-ignore
test.each([
  ['select * from lanes where account_id = $1 for update', []],
  ['select * from lanes for update', ['locks lanes without a literal account']],
  ['select * from lanes l join events e on e.account_id = l.account_id where l.account_id = $1 for update of l', ['locks events without a literal account']],
  ['select * from lanes l join events e using (account_id) where l.account_id = $1', []],
  ['select * from lanes l join events e on e.id = l.key where l.account_id = $1', ['reads events without an account']],
  ['select * from lanes where account_id = $1 or key = $2', ['reads lanes without an account']],
  ['select (select count(*) from events) from lanes where account_id = $1', ['reads events without an account']],
  ['select * from lanes where account_id > $1', ['reads lanes without an account']],
  ['select * from connections for update', []],
  ['select key from lanes where account_id = $1 union all select id from events where account_id = $1', []],
  ['select key from lanes where account_id = $1 union all select id from events', ['reads events without an account']],
  ['select key from lanes union select id from events where account_id = $1 except select id from mails', ['reads lanes without an account', 'reads mails without an account']],
  ['select * from (select key from lanes union all select id from events) merged', ['reads events without an account', 'reads lanes without an account']],
  ['update lanes set pending = 0 where key = $1', ['changes lanes without an account']],
  ['update lanes set due_at = clock_timestamp() where account_id = $1', ['calls volatile clock_timestamp() in a change']],
  ['update lanes set due_at = statement_timestamp() where account_id = $1', []],
  ["update lanes set due_at = due_at - $2 * interval '1 ms' where account_id = $1", ['adds an interval to a moment of a column']],
  ["update lanes set due_at = (due_at at time zone 'UTC' - $2 * interval '1 ms') at time zone 'UTC' where account_id = $1", []],
  ['update lanes set due_at = case when pending > 0 then now() end where account_id = $1', ['calls stable now() in a condition of a change']],
  ['update lanes set due_at = coalesce(due_at, current_timestamp) where account_id = $1', ['reads the time in a condition of a change']],
  ['update lanes set key = to_char(due_at, $2) where account_id = $1', ['calls stable to_char() over a column in a change']],
  ['update lanes set pending = 0 where account_id = $1 returning pending + 1', ['returns something else than columns']],
  ['delete from timers where account_id = $1 and leased_until > clock_timestamp()', ['calls volatile clock_timestamp() in a change']],
  ['insert into mails (account_id, environment, id) values ($1, $2, $3)', []],
  ['insert into mails (environment, id) values ($1, $2)', ['inserts into mails without an account']],
  ["insert into mails (account_id, environment, id) values ('a' || $1, $2, $3)", ['inserts into mails with a computed account']],
  ['insert into mails (account_id, environment, id) select account_id, environment, id from events where account_id = $1', []],
  ['insert into mails (account_id, environment, id) values ($1, $2, $3) on conflict (account_id, environment, id) do update set sent_at = now()', ['calls stable now() in a condition of a change']],
  ['with changed as (update lanes set pending = 0 returning key) select count(*) from changed', ['changes lanes without an account']],
  ["select nextval('s')", ['nextval means something on one node only']],
  ['select pg_advisory_lock(1)', ['pg_advisory_lock means something on one node only']],
  ["select set_config('a', 'b', true)", ['set_config means something on one node only']],
])('the rules check: %s', async (sql, problems) => {
  expect(await findStatementProblems(sql, catalogue)).toEqual(problems);
});
