import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createId } from '@pos/core/ids';
import { buildIntent } from '@pos/core/testing';
import { randomBytes } from 'node:crypto';
import { paymentIntents } from '../relations/payment-relations.js';
import { insertIntent } from '../payments/payment-intents.js';
import { defineStatement } from '@pos/postgres/statements';
import { findRows } from '../relations/relation.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ poolMax: 2 });
});
afterAll(() => testDatabase.close());

test('all reads of a snapshot see the state of the first one', async () => {
  const scope = createTestScope();
  await writeIntent(scope);
  const counts = await testDatabase.database.readSnapshot(scope, async (snapshot) => {
    const before = await findRows(snapshot, paymentIntents, { where: {} });
    await writeIntent(scope);
    return [before.length, (await findRows(snapshot, paymentIntents, { where: {} })).length];
  });
  expect(counts).toEqual([1, 1]);
  const after = await testDatabase.database.readSnapshot(scope, (snapshot) =>
    findRows(snapshot, paymentIntents, { where: {} }),
  );
  expect(after).toHaveLength(2);
});

test.each([
  ['a statement is refused', () => defineStatement('broken', 'select 1 / 0 from (select $1::text, $2::text) as scope')],
  [
    'it tries to write',
    () => defineStatement('writing', 'delete from timers where account_id = $1 and environment = $2'),
  ],
])('a snapshot in which %s fails, and its connection serves the next one', async (_, broken) => {
  const scope = createTestScope();
  const { accountId, environment } = scope;
  for (let round = 0; round < 4; round += 1) {
    const reading = testDatabase.database.readSnapshot(scope, (snapshot) =>
      snapshot.query(broken(), [accountId, environment]),
    );
    await expect(reading).rejects.toThrow();
  }
  await writeIntent(scope);
  expect(
    await testDatabase.database.read(scope, (reader) => findRows(reader, paymentIntents, { where: {} })),
  ).toHaveLength(1);
});

test('a snapshot whose reader throws ends its transaction', async () => {
  const scope = createTestScope();
  for (let round = 0; round < 4; round += 1) {
    const reading = testDatabase.database.readSnapshot(scope, async (snapshot) => {
      await findRows(snapshot, paymentIntents, { where: {} });
      throw new Error('the reader failed');
    });
    await expect(reading).rejects.toThrow('the reader failed');
  }
  await writeIntent(scope);
  expect(
    await testDatabase.database.read(scope, (reader) => findRows(reader, paymentIntents, { where: {} })),
  ).toHaveLength(1);
});

test('a snapshot cannot be read inside a transaction or after its end', async () => {
  const scope = createTestScope();
  const nested = testDatabase.database.transact(scope, () =>
    testDatabase.database.readSnapshot(scope, () => Promise.resolve(1)),
  );
  await expect(nested).rejects.toThrow('inside a transaction');
  const stored = await testDatabase.database.readSnapshot(scope, (snapshot) => Promise.resolve(snapshot));
  await expect(findRows(stored, paymentIntents, { where: {} })).rejects.toThrow('has ended');
});

function writeIntent(scope: ReturnType<typeof createTestScope>): Promise<void> {
  const intent = { ...buildIntent(), id: createId('paymentIntent', 'sandbox', randomBytes(16)) };
  return testDatabase.database.transact(scope, (tx) =>
    insertIntent(tx, { intent, events: [], entries: [], webhookEvents: [], transactions: [] }),
  );
}
