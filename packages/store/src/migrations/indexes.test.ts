import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';

let testDatabase: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
});

interface IndexRow {
  readonly relation: string;
  readonly name: string;
  readonly isUnique: boolean;
  readonly keys: readonly string[];
  readonly predicate: string;
}

const listIndexes = async (): Promise<readonly IndexRow[]> => {
  const { rows } = await owner.query<IndexRow>(
    `select x.indrelid::regclass::text as relation, i.relname as name, x.indisunique as "isUnique",
       coalesce(pg_get_expr(x.indpred, x.indrelid), '') as predicate,
       array(select pg_get_indexdef(x.indexrelid, place, false) || ' ' || x.indclass[place - 1]
         from generate_series(1, x.indnkeyatts) place order by place) as keys
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     where t.relnamespace in ('public'::regnamespace, 'vault'::regnamespace) order by 1, 2`,
  );
  return rows;
};

/**
 * Whether every search by the first index can use the second one: it begins with the same keys and has the same rows. A
 * partial index of few rows is kept: a search of them reads no others.
 */
function isCovered(index: IndexRow, other: IndexRow): boolean {
  return (
    index.relation === other.relation &&
    index.name !== other.name &&
    other.predicate === index.predicate &&
    index.keys.every((key, place) => key === other.keys[place])
  );
}

test('no index is the beginning of another one of the same rows', async () => {
  const indexes = await listIndexes();
  const redundant = indexes
    .filter(({ isUnique }) => !isUnique)
    .flatMap((index) => indexes.filter((other) => isCovered(index, other)).map(({ name }) => `${index.name}: ${name}`));
  expect(redundant).toEqual([]);
  expect(indexes.length).toBeGreaterThan(100);
});

test.each([
  ['create index extra on payment_intents (account_id, environment, status)', ['extra: payment_intents_by_status']],
  ['create index extra on payment_intents (account_id, environment, status, reference)', []],
  [
    'create index extra on payment_intents (account_id, environment, status desc)',
    ['extra: payment_intents_by_status'],
  ],
  ["create index extra on payment_intents (account_id, environment, status) where status = 'Created'", []],
])('the check of indexes finds: %s', async (sql, found) => {
  await owner.query(`begin; ${sql}`);
  const indexes = await listIndexes();
  await owner.query('rollback');
  const extra = indexes.find(({ name }) => name === 'extra')!;
  expect(indexes.filter((other) => isCovered(extra, other)).map(({ name }) => `extra: ${name}`)).toEqual(found);
});
