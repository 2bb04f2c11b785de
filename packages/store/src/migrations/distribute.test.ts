import { afterAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { COORDINATOR_RELATIONS, distributeRelations, REFERENCE_RELATIONS } from './distribute.js';

/**
 * The catalogue and the two functions of Citus that the command uses. As there, a relation is refused before the one
 * that its foreign key names, and a second time.
 */
const CITUS = `
  set allow_system_table_mods = on;
  insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    values (60001, 'citus', 10, 'pg_catalog'::regnamespace, false, '13.2-2');
  create table pg_dist_partition (logicalrelid regclass primary key, place serial, partition_key text, colocated text);
  create function create_reference_table(relation regclass) returns void language sql as
    'insert into pg_dist_partition (logicalrelid) values (relation)';
  create function create_distributed_table(relation regclass, key text, colocate_with text) returns void language plpgsql as $$
    begin
      if current_setting('citus.enable_unsafe_triggers') <> 'on' then raise exception 'triggers are not allowed'; end if;
      if exists (select from pg_constraint c where c.contype = 'f' and c.conrelid = relation and c.confrelid <> relation
        and not exists (select from pg_dist_partition p where p.logicalrelid = c.confrelid)) then
        raise exception '% refers to a local table', relation;
      end if;
      insert into pg_dist_partition (logicalrelid, partition_key, colocated) values (relation, key, colocate_with);
    end $$`;

const databases: TestDatabase[] = [];
let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  databases.push(testDatabase);
});
afterAll(async () => {
  await Promise.all(databases.map((each) => each.close()));
});

async function asOwner<Row extends object>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('every relation is distributed by its account, referenced ones first, copied to every node, or on the coordinator', async () => {
  await asOwner(CITUS);
  const { distributed, references } = await distributeRelations(testDatabase.ownerUrl);
  expect(references).toEqual([...REFERENCE_RELATIONS]);
  const all = await asOwner<{ name: string }>(`select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace in ('public'::regnamespace, 'vault'::regnamespace) and relname <> 'pg_dist_partition'`);
  expect([...distributed, ...references, ...COORDINATOR_RELATIONS].sort()).toEqual(all.map(({ name }) => name).sort());
  const rows = await asOwner<{ partition_key: string; colocated: string }>(
    'select partition_key, colocated from pg_dist_partition where partition_key is not null order by place',
  );
  expect(new Set(rows.map(({ partition_key }) => partition_key))).toEqual(new Set(['account_id']));
  // One group of shards: rows of one account are on one node.
  expect(rows.map(({ colocated }) => colocated)).toEqual([
    'default',
    ...distributed.slice(1).map(() => distributed[0]),
  ]);
});

test('a second run changes nothing', async () => {
  await asOwner(CITUS);
  await distributeRelations(testDatabase.ownerUrl);
  expect(await distributeRelations(testDatabase.ownerUrl)).toEqual({ distributed: [], references: [] });
});

test('a database without Citus is refused in one sentence, and stays as it is', async () => {
  await expect(distributeRelations(testDatabase.ownerUrl)).rejects.toMatchObject({
    name: 'StartFailure',
    message: expect.stringContaining('the database has no extension citus; run "create extension citus"'),
  });
});

test('a database with rows is refused, because a distribution would copy them under a lock', async () => {
  await asOwner(CITUS);
  const { accountId } = createTestScope();
  await asOwner(
    `insert into id_counters (account_id, environment, kind, last) values ('${accountId}', 'sandbox', 'x', 1)`,
  );
  await expect(distributeRelations(testDatabase.ownerUrl)).rejects.toThrow(
    'cannot distribute: id_counters has rows already',
  );
  expect(await asOwner('select from pg_dist_partition')).toEqual([]);
});
