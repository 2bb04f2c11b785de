import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { newKeyText } from '@pos/core/ids';
import pg from 'pg';
import { findKeyOwners, hasEverBeen, insertApiKey, touchApiKey } from './api-keys.js';
import type { Database } from './database.js';
import { type Idempotency, once, recallAnswer } from './once.js';
import { pepperOverlap, retirePepper } from './retire-pepper.js';
import { freshDatabase, freshScope, TEST_SECRETS, type TestDatabase } from './testing.js';

const NEXT = 'the next pepper of tests';
const ACCEPTS_NEXT = { ...TEST_SECRETS, acceptedPepper: NEXT };
const SWITCHED = { ...TEST_SECRETS, pepper: NEXT, acceptedPepper: TEST_SECRETS.pepper };
const FINISHED = { ...TEST_SECRETS, pepper: NEXT };

let place: TestDatabase;
let before: Database;
let switched: Database;
beforeEach(async () => {
  place = await freshDatabase();
  before = await place.open({ secrets: ACCEPTS_NEXT });
  switched = await place.open({ secrets: SWITCHED });
});
afterEach(() => place.close());

const scope = freshScope();
const made = () => Promise.resolve({ status: 200, body: { made: true } });
const asked = (more: Partial<Idempotency> = {}): Idempotency => ({
  ...{ method: 'POST', path: '/refunds', key: 'till 4', fingerprintInput: '{"amount":1250}' },
  ...more,
});

test.each([
  ['before the switch', () => place.database, () => switched],
  ['by a process that has not switched', () => before, () => switched],
  ['by a process that has switched, where another has not', () => switched, () => before],
])('a request that was answered %s is answered again, and not done again', async (_, first, second) => {
  await once(first(), { scope, idempotency: asked() }, made);
  const read = await second().read(scope, (reader) => recallAnswer(reader, asked()));
  expect(read).toEqual(await made());
  expect(await once(second(), { scope, idempotency: asked() }, made)).toMatchObject({ replayed: true });
  const again = once(second(), { scope, idempotency: asked({ fingerprintInput: '{"amount":1}' }) }, made);
  await expect(again).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  expect(
    await once(first() === place.database ? before : first(), { scope, idempotency: asked() }, made),
  ).toMatchObject({
    replayed: true,
  });
});

test('another body under a key of the other pepper is refused, with and without a lock', async () => {
  await once(before, { scope, idempotency: asked() }, made);
  const other = asked({ fingerprintInput: '{}' });
  await expect(once(switched, { scope, idempotency: other }, made)).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
  await expect(switched.read(scope, (reader) => recallAnswer(reader, other))).rejects.toMatchObject({
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
    const idempotency = asked({ key: `round ${round}` });
    const askers = [before, switched, before, switched];
    await Promise.all(askers.map((database) => once(database, { scope, idempotency }, work)));
    expect(done).toBe(round + 1);
  }
});

test('an API key works in every step, and is hashed with the next pepper at its first use', async () => {
  const text = newKeyText('sandbox', Buffer.alloc(32, 3));
  const unused = newKeyText('sandbox', Buffer.alloc(32, 4));
  const [id, unusedId] = await place.database.transact(scope, async (tx) => {
    const ids = [await tx.newId('apiKey'), await tx.newId('apiKey')] as const;
    await insertApiKey(tx, { id: ids[0], text, label: 'a', permissions: [] });
    await insertApiKey(tx, { id: ids[1], text: unused, label: 'b', permissions: [] });
    return ids;
  });
  for (const database of [before, switched]) {
    const owners = await database.system((reader) => findKeyOwners(reader, [text, 'sk_sandbox_unknown']));
    expect([...owners.keys()]).toEqual([text]);
    expect(await database.system((reader) => hasEverBeen(reader, text))).toBe(true);
  }
  expect((await pepperOverlap(switched)).unusedApiKeys).toEqual([id, unusedId].sort());
  const owner = (await switched.system((reader) => findKeyOwners(reader, [text]))).get(text);
  expect(owner?.outdatedHash).not.toBeNull();
  await switched.transact(scope, (tx) => touchApiKey(tx, owner!, text));
  const overlap = await pepperOverlap(switched);
  expect(overlap).toMatchObject({ unusedApiKeys: [unusedId], isOver: false });

  expect(await retirePepper(switched)).toBe(true);
  const finished = await place.open({ secrets: FINISHED });
  const owners = await finished.system((reader) => findKeyOwners(reader, [text, unused]));
  expect([...owners.values()]).toMatchObject([{ id, outdatedHash: null }]);
  await expect(place.open()).rejects.toThrow('KEY_PEPPER: is retired');
});

test('the overlap is over when it lasted as long as idempotency keys are kept', async () => {
  await once(place.database, { scope, idempotency: asked() }, made);
  const owner = new pg.Client({ connectionString: place.ownerUrl });
  await owner.connect();
  await owner.query(`update idempotency_keys set created_at = created_at - interval '1 hour'`);
  expect(await pepperOverlap(switched)).toMatchObject({ idempotencyKeys: 1, isOver: false });
  await owner.query(`update key_checks set changed_at = changed_at - interval '31 days'`);
  await owner.end();
  expect(await pepperOverlap(switched)).toMatchObject({ idempotencyKeys: 0, isOver: true });
});

test('a database does not open without the previous pepper before that is retired', async () => {
  await expect(place.open({ secrets: FINISHED })).rejects.toThrow(
    'KEY_PEPPER_ACCEPTED: is not the previous KEY_PEPPER',
  );
  await expect(place.open()).rejects.toThrow('KEY_PEPPER: was replaced');
});
