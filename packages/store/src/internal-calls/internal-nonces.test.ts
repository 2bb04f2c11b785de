import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../database/database.js';
import { defineStatement } from '../postgres/statement.js';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { InternalNonces } from './internal-nonces.js';

let testDatabase: TestDatabase;
let database: Database;
let other: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  [database, other] = await Promise.all([testDatabase.open(), testDatabase.open()]);
});
afterAll(() => testDatabase.close());
beforeEach(() => database.dataSource.query('delete from internal_nonces'));

const inMs = (ms: number): Date => new Date(Date.now() + ms);
const listNonces = async (): Promise<string[]> => {
  const list = defineStatement('test_nonces', 'select nonce from internal_nonces order by nonce');
  const rows = await database.readSystem((reader) => reader.query<{ nonce: string }>(list, []));
  return rows.map(({ nonce }) => nonce);
};

test('a nonce is admitted once over all processes, also when they receive it at the same time', async () => {
  const processes = [database, other].map((each) => new InternalNonces(each));
  for (let round = 0; round < 20; round += 1) {
    const claims = processes.flatMap((nonces) => [1, 2].map(() => nonces.claim(`api.${round}`, inMs(60_000))));
    expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
  }
  // A process that has just started has no memory of its own.
  expect(await new InternalNonces(other).claim('api.0', inMs(60_000))).toBe(false);
  expect(await new InternalNonces(other).claim('api.new', inMs(60_000))).toBe(true);
});

test('nonces that have expired are deleted, and others are kept', async () => {
  const nonces = new InternalNonces(database);
  await nonces.claim('api.first', inMs(-1_000));
  await nonces.claim('api.second', inMs(60_000));
  expect(await listNonces()).toEqual(['api.first', 'api.second']);
  await new InternalNonces(other).claim('api.third', inMs(60_000));
  expect(await listNonces()).toEqual(['api.second', 'api.third']);
});
