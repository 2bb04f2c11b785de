import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { statement } from './statement.js';
import { freshDatabase, freshScope, type TestDatabase } from './testing.js';

let place: TestDatabase;

beforeAll(async () => {
  place = await freshDatabase();
});
afterAll(async () => {
  await place.close();
});

const ONE = statement('one', 'select 1 as one');

test('a transaction answers', async () => {
  const rows = await place.database.transact(freshScope(), (tx) => tx.query(ONE, []));
  expect(rows).toEqual([{ one: 1 }]);
});
