import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createApiKeyText } from '@pos/core/ids';
import pg from 'pg';
import { findApiKeyOwners, wasApiKeyIssued, insertApiKey, recordApiKeyUse } from '../repositories/api-keys.js';
import type { Database } from '../database/database.js';
import type { Idempotency } from './key-columns.js';
import { runOnce } from './run-once.js';
import { findStoredAnswer } from './stored-answers.js';
import { getPepperOverlap, retirePreviousPepper } from '../key-rotation/pepper-rotation.js';
import { createTestDatabase, createTestScope, TEST_SECRETS, type TestDatabase } from '../testing/test-database.js';

const NEXT = 'the next pepper of tests';
const ACCEPTS_NEXT = { ...TEST_SECRETS, acceptedPepper: NEXT };
const SWITCHED = { ...TEST_SECRETS, pepper: NEXT, acceptedPepper: TEST_SECRETS.pepper };
const FINISHED = { ...TEST_SECRETS, pepper: NEXT };

let testDatabase: TestDatabase;
let before: Database;
let switched: Database;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  before = await testDatabase.open({ secrets: ACCEPTS_NEXT });
  switched = await testDatabase.open({ secrets: SWITCHED });
});
afterEach(() => testDatabase.close());

const scope = createTestScope();
const made = () => Promise.resolve({ status: 200, body: { made: true } });
const createRequest = (more: Partial<Idempotency> = {}): Idempotency => ({
  ...{ method: 'POST', path: '/refunds', key: 'till 4', fingerprintInput: '{"amount":1250}' },
  ...more,
});

test.each([
  ['before the switch', () => testDatabase.database, () => switched],
  ['by a process that has not switched', () => before, () => switched],
  ['by a process that has switched, where another has not', () => switched, () => before],
])('a request that was answered %s is answered again, and not done again', async (_, first, second) => {
  await runOnce(first(), { scope, idempotency: createRequest() }, made);
  const read = await second().read(scope, (reader) => findStoredAnswer(reader, createRequest()));
  expect(read).toEqual(await made());
  expect(await runOnce(second(), { scope, idempotency: createRequest() }, made)).toMatchObject({ replayed: true });
  const again = runOnce(second(), { scope, idempotency: createRequest({ fingerprintInput: '{"amount":1}' }) }, made);
  await expect(again).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  expect(
    await runOnce(first() === testDatabase.database ? before : first(), { scope, idempotency: createRequest() }, made),
  ).toMatchObject({
    replayed: true,
  });
});

test('another body under a key of the other pepper is refused, with and without a lock', async () => {
  await runOnce(before, { scope, idempotency: createRequest() }, made);
  const other = createRequest({ fingerprintInput: '{}' });
  await expect(runOnce(switched, { scope, idempotency: other }, made)).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
  await expect(switched.read(scope, (reader) => findStoredAnswer(reader, other))).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
});

test('processes that write with different peppers do a request once, however many ask at once', async () => {
  let done = 0;
  const work = async () => {
    done += 1;
    return made();
  };
  for (let round = 0; round < 10; round += 1) {
    const idempotency = createRequest({ key: `round ${round}` });
    const askers = [before, switched, before, switched];
    await Promise.all(askers.map((database) => runOnce(database, { scope, idempotency }, work)));
    expect(done).toBe(round + 1);
  }
});

test('an API key works in every step, and is hashed with the next pepper at its first use', async () => {
  const text = createApiKeyText('sandbox', Buffer.alloc(32, 3));
  const unused = createApiKeyText('sandbox', Buffer.alloc(32, 4));
  const [id, unusedId] = await testDatabase.database.transact(scope, async (tx) => {
    const ids = [await tx.newId('apiKey'), await tx.newId('apiKey')] as const;
    await insertApiKey(tx, { id: ids[0], text, label: 'a', permissions: [] });
    await insertApiKey(tx, { id: ids[1], text: unused, label: 'b', permissions: [] });
    return ids;
  });
  for (const database of [before, switched]) {
    const owners = await database.readSystem((reader) => findApiKeyOwners(reader, [text, 'sk_sandbox_unknown']));
    expect([...owners.keys()]).toEqual([text]);
    expect(await database.readSystem((reader) => wasApiKeyIssued(reader, text))).toBe(true);
  }
  expect((await getPepperOverlap(switched)).unusedApiKeys).toEqual([id, unusedId].sort());
  const owner = (await switched.readSystem((reader) => findApiKeyOwners(reader, [text]))).get(text);
  expect(owner?.outdatedHash).not.toBeNull();
  await switched.transact(scope, (tx) => recordApiKeyUse(tx, owner!, text));
  const overlap = await getPepperOverlap(switched);
  expect(overlap).toMatchObject({ unusedApiKeys: [unusedId], isOver: false });

  expect(await retirePreviousPepper(switched)).toBe(true);
  const finished = await testDatabase.open({ secrets: FINISHED });
  const owners = await finished.readSystem((reader) => findApiKeyOwners(reader, [text, unused]));
  expect([...owners.values()]).toMatchObject([{ id, outdatedHash: null }]);
  await expect(testDatabase.open()).rejects.toThrow('KEY_PEPPER: is retired');
});

test('the overlap is over when it lasted as long as idempotency keys are kept', async () => {
  await runOnce(testDatabase.database, { scope, idempotency: createRequest() }, made);
  const owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  await owner.query(`update idempotency_keys set created_at = created_at - interval '1 hour'`);
  expect(await getPepperOverlap(switched)).toMatchObject({ idempotencyKeys: 1, isOver: false });
  await owner.query(`update key_checks set changed_at = changed_at - interval '31 days'`);
  await owner.end();
  expect(await getPepperOverlap(switched)).toMatchObject({ idempotencyKeys: 0, isOver: true });
});

test('a database does not open without the previous pepper before that is retired', async () => {
  await expect(testDatabase.open({ secrets: FINISHED })).rejects.toThrow(
    'KEY_PEPPER_ACCEPTED: is not the previous KEY_PEPPER',
  );
  await expect(testDatabase.open()).rejects.toThrow('KEY_PEPPER: was replaced');
});
