import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { newKeyText } from '@pos/core/ids';
import pg from 'pg';
import { deleteApiKey, insertApiKey } from './api-keys.js';
import type { Database } from './database.js';
import { findEposIntegration, putEposIntegration } from './epos-integrations.js';
import { type Idempotency, once } from './once.js';
import { resealAll } from './reseal.js';
import { freshDatabase, freshScope, TEST_SECRETS, type TestDatabase } from './testing.js';

const OLD = TEST_SECRETS;
const NEXT_KEY = Buffer.alloc(32, 9);
const { encryptionKey } = OLD;
/** The steps of a replacement, as the settings of a process say them. */
const ACCEPTS_NEXT = { ...OLD, acceptedEncryptionKey: NEXT_KEY };
const SWITCHED = { ...OLD, encryptionKey: NEXT_KEY, acceptedEncryptionKey: encryptionKey };
const FINISHED = { ...OLD, encryptionKey: NEXT_KEY };

let place: TestDatabase;
beforeEach(async () => {
  place = await freshDatabase();
});
afterEach(() => place.close());

const WISH = { kind: 'grpc', url: 'https://epos.example', username: 'epos', capabilities: [] } as const;
const REQUEST: Idempotency = { method: 'POST', path: '/refunds', key: 'till 4', fingerprintInput: '{}' };
const made = () => Promise.resolve({ status: 200, body: { made: true } });

async function store(database: Database, scope: Scope, password: string): Promise<void> {
  await database.transact(scope, (tx) => putEposIntegration(tx, { ...WISH, password }));
  await once(database, { scope, idempotency: REQUEST }, made);
}

async function passwordOf(database: Database, scope: Scope): Promise<unknown> {
  return (await database.read(scope, (reader) => findEposIntegration(reader, 'grpc')))?.password;
}

test('everything is sealed again under the next key, and only then the previous one is not needed', async () => {
  const scopes = [freshScope(), freshScope('production')];
  for (const scope of scopes) await store(place.database, scope, 'pässword');
  await place.open({ secrets: ACCEPTS_NEXT });
  const switched = await place.open({ secrets: SWITCHED });
  await store(switched, freshScope(), 'sealed by the next key already');
  await expect(place.open({ secrets: FINISHED })).rejects.toThrow('ENCRYPTION_KEY_ACCEPTED');

  expect(await resealAll(switched)).toEqual({ resealed: 4, unreadable: [], isPreviousRetired: true });
  expect(await resealAll(switched)).toEqual({ resealed: 0, unreadable: [], isPreviousRetired: false });
  const finished = await place.open({ secrets: FINISHED });
  for (const scope of scopes) {
    expect(await passwordOf(finished, scope)).toBe('pässword');
    expect(await once(finished, { scope, idempotency: REQUEST }, made)).toMatchObject({ replayed: true });
  }
  await expect(place.open()).rejects.toThrow('ENCRYPTION_KEY: is retired');
  await expect(passwordOf(place.database, scopes[0]!)).rejects.toThrow('the encryption key');
});

test.each<[string, string, 'grpc' | 'rest']>([
  ['another row', `update epos_integrations set kind = 'rest'`, 'rest'],
  ['another account', `update epos_integrations set account_id = 'acc_other'`, 'grpc'],
])('sealed bytes that were moved to %s do not open', async (_, sql, kind) => {
  const scope = freshScope();
  await store(place.database, scope, 'pässword');
  await owned(sql, []);
  const [row] = await owned('select account_id from epos_integrations', []);
  const moved = { ...scope, accountId: row?.['account_id'] as Scope['accountId'] };
  const reading = place.database.read(moved, (reader) => findEposIntegration(reader, kind));
  await expect(reading).rejects.toThrow('authenticate');
});

test('sealed bytes that were moved to another column do not open', async () => {
  const scope = freshScope();
  const at = { relation: 'payment_intents', column: 'secret_ciphertext', row: 'pi_1' };
  const sealed = await place.database.transact(scope, async (tx) => tx.seal(at, 'secret'));
  await place.database.read(scope, async (reader) => {
    expect(reader.open(at, sealed)).toBe('secret');
    for (const other of [{ relation: 'setup_intents' }, { column: 'other' }, { row: 'pi_2' }]) {
      expect(() => reader.open({ ...at, ...other }, sealed)).toThrow();
    }
    return Promise.resolve();
  });
});

test('a row that no key opens is named and left, and the previous key is not retired', async () => {
  const scope = freshScope();
  await store(place.database, scope, 'pässword');
  await place.open({ secrets: ACCEPTS_NEXT });
  const switched = await place.open({ secrets: SWITCHED });
  const broken = Buffer.concat([Buffer.from([2]), randomBytes(60)]);
  await owned('update epos_integrations set password_ciphertext = $1', [broken]);
  expect(await resealAll(switched)).toEqual({
    resealed: 1,
    unreadable: ['epos_integrations.password_ciphertext grpc'],
    isPreviousRetired: false,
  });
  await expect(place.open({ secrets: FINISHED })).rejects.toThrow('ENCRYPTION_KEY_ACCEPTED');
});

test('rotations that run at once, beside requests, leave every row readable', async () => {
  const scopes = Array.from({ length: 30 }, () => freshScope());
  for (const scope of scopes) await store(place.database, scope, 'pässword');
  await place.open({ secrets: ACCEPTS_NEXT });
  const switched = await place.open({ secrets: SWITCHED });
  const changing = scopes.map((scope) => store(switched, scope, 'changed').then(() => passwordOf(switched, scope)));
  const rotations = await Promise.all([resealAll(switched), resealAll(switched)]);
  expect(new Set(await Promise.all(changing))).toEqual(new Set(['changed']));
  expect(rotations.flatMap(({ unreadable }) => unreadable)).toEqual([]);
  const finished = await place.open({ secrets: FINISHED });
  for (const scope of scopes) expect(await passwordOf(finished, scope)).toBe('changed');
});

test('the first start with a key of its own check value waits for no request that is under way', async () => {
  await store(place.database, freshScope(), 'stored before');
  await owned(`delete from key_checks where purpose = 'ENCRYPTION_KEY'`, []);
  const request = new pg.Client({ connectionString: place.ownerUrl });
  await request.connect();
  try {
    await request.query('begin');
    await request.query('lock table idempotency_keys in row exclusive mode');
    await place.open();
  } finally {
    await request.end();
  }
  expect(await owned(`select state from key_checks where purpose = 'ENCRYPTION_KEY'`, [])).toEqual([
    { state: 'Current' },
  ]);
});

test('a seed is refused by a database that has a key of production, and by no other', async () => {
  const scope = freshScope('production');
  const text = newKeyText('production', randomBytes(32));
  const seeded = await place.open({ seed: 'demo' });
  await seeded.transact(freshScope(), async (tx) => {
    await insertApiKey(tx, { id: await tx.newId('apiKey'), text: `${text}s`, label: 'sandbox', permissions: [] });
  });
  await place.open({ seed: 'demo' });
  const id = await place.database.transact(scope, async (tx) => {
    return insertApiKey(tx, { id: await tx.newId('apiKey'), text, label: 'shop', permissions: [] });
  });
  await expect(place.open({ seed: 'demo' })).rejects.toThrow('SEED: must not be set');
  await place.database.transact(scope, (tx) => deleteApiKey(tx, id.id));
  await place.open({ seed: 'demo' });
});

const STEPS = { old: OLD, acceptsNext: ACCEPTS_NEXT, switched: SWITCHED, finished: FINISHED };
const OTHER = { ...OLD, encryptionKey: Buffer.alloc(32, 1) };

test.each<[string, readonly (keyof typeof STEPS)[], typeof OLD, string]>([
  ['a key that it was never used with', ['old'], OTHER, 'ENCRYPTION_KEY: is not the one'],
  ['a key that no process accepts yet', ['old'], SWITCHED, 'must be accepted by every process before'],
  ['the next key alone', ['old', 'acceptsNext'], FINISHED, 'is not the ENCRYPTION_KEY that is to be replaced'],
  ['the previous key alone', ['acceptsNext', 'switched'], OLD, 'ENCRYPTION_KEY: was replaced'],
  ['the next key without the previous one', ['acceptsNext', 'switched'], FINISHED, 'ENCRYPTION_KEY_ACCEPTED: is not'],
])('a database does not open with %s', async (_, steps, secrets, problem) => {
  for (const step of steps) await place.open({ secrets: STEPS[step] });
  await expect(place.open({ secrets })).rejects.toThrow(problem);
});

test('processes of two neighbouring steps work side by side, and a process may start again with the step before', async () => {
  await place.open({ secrets: ACCEPTS_NEXT });
  await place.open();
  const [switched, before] = [await place.open({ secrets: SWITCHED }), await place.open({ secrets: ACCEPTS_NEXT })];
  const [scope, other] = [freshScope(), freshScope()];
  await store(switched, scope, 'by the new');
  await store(before, other, 'by the old');
  expect([await passwordOf(before, scope), await passwordOf(switched, other)]).toEqual(['by the new', 'by the old']);
});

async function owned(sql: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
  const owner = new pg.Client({ connectionString: place.ownerUrl });
  await owner.connect();
  try {
    return (await owner.query<Record<string, unknown>>(sql, [...values])).rows;
  } finally {
    await owner.end();
  }
}
