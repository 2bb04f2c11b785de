import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { createApiKeyText } from '@pos/core/ids';
import pg from 'pg';
import { deleteApiKey, insertApiKey } from '../repositories/api-keys.js';
import type { Database } from '../database/database.js';
import { findEposIntegration, putEposIntegration } from '../repositories/epos-integrations.js';
import type { Idempotency } from '../idempotency/key-columns.js';
import { runOnce } from '../idempotency/run-once.js';
import { resealAll } from './encryption-key-rotation.js';
import { createTestDatabase, createTestScope, TEST_SECRETS, type TestDatabase } from '../testing/test-database.js';

const OLD = TEST_SECRETS;
const NEXT_KEY = Buffer.alloc(32, 9);
const { encryptionKey } = OLD;
/** The steps of a replacement, as settings of a process. */
const ACCEPTS_NEXT = { ...OLD, acceptedEncryptionKey: NEXT_KEY };
const SWITCHED = { ...OLD, encryptionKey: NEXT_KEY, acceptedEncryptionKey: encryptionKey };
const FINISHED = { ...OLD, encryptionKey: NEXT_KEY };

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
});
afterEach(() => testDatabase.close());

const INTEGRATION = { kind: 'grpc', url: 'https://epos.example', username: 'epos', capabilities: [] } as const;
const REQUEST: Idempotency = { method: 'POST', path: '/refunds', key: 'epos 4', fingerprintInput: '{}' };
const made = () => Promise.resolve({ status: 200, body: { made: true } });

async function store(database: Database, scope: Scope, password: string): Promise<void> {
  await database.transact(scope, (tx) => putEposIntegration(tx, { ...INTEGRATION, password }));
  await runOnce(database, { scope, idempotency: REQUEST }, made);
}

async function passwordOf(database: Database, scope: Scope): Promise<unknown> {
  return (await database.read(scope, (reader) => findEposIntegration(reader, 'grpc')))?.password;
}

test('everything is sealed again under the next key, and only then the previous one is not needed', async () => {
  const scopes = [createTestScope(), createTestScope('production')];
  for (const scope of scopes) await store(testDatabase.database, scope, 'pässword');
  await testDatabase.open({ secrets: ACCEPTS_NEXT });
  const switched = await testDatabase.open({ secrets: SWITCHED });
  await store(switched, createTestScope(), 'sealed by the next key already');
  await expect(testDatabase.open({ secrets: FINISHED })).rejects.toThrow('ENCRYPTION_KEY_ACCEPTED');

  expect(await resealAll(switched)).toEqual({ resealed: 4, unreadable: [], isPreviousRetired: true });
  expect(await resealAll(switched)).toEqual({ resealed: 0, unreadable: [], isPreviousRetired: false });
  const finished = await testDatabase.open({ secrets: FINISHED });
  for (const scope of scopes) {
    expect(await passwordOf(finished, scope)).toBe('pässword');
    expect(await runOnce(finished, { scope, idempotency: REQUEST }, made)).toMatchObject({ replayed: true });
  }
  await expect(testDatabase.open()).rejects.toThrow('ENCRYPTION_KEY: is retired');
  await expect(passwordOf(testDatabase.database, scopes[0]!)).rejects.toThrow('the encryption key');
});

test.each<[string, string, 'grpc' | 'rest']>([
  ['another row', `update epos_integrations set kind = 'rest'`, 'rest'],
  ['another account', `update epos_integrations set account_id = 'acc_other'`, 'grpc'],
])('sealed bytes that were moved to %s do not open', async (_, sql, kind) => {
  const scope = createTestScope();
  await store(testDatabase.database, scope, 'pässword');
  await queryAsOwner(sql, []);
  const [row] = await queryAsOwner('select account_id from epos_integrations', []);
  const moved = { ...scope, accountId: row?.['account_id'] as Scope['accountId'] };
  const reading = testDatabase.database.read(moved, (reader) => findEposIntegration(reader, kind));
  await expect(reading).rejects.toThrow('authenticate');
});

test('sealed bytes that were moved to another column do not open', async () => {
  const scope = createTestScope();
  const at = { relation: 'payment_intents', column: 'secret_ciphertext', row: 'pi_1' };
  const sealed = await testDatabase.database.transact(scope, async (tx) => tx.seal(at, 'secret'));
  await testDatabase.database.read(scope, async (reader) => {
    expect(reader.open(at, sealed)).toBe('secret');
    for (const other of [{ relation: 'setup_intents' }, { column: 'other' }, { row: 'pi_2' }]) {
      expect(() => reader.open({ ...at, ...other }, sealed)).toThrow();
    }
    return Promise.resolve();
  });
});

test('a row that no key opens is reported and left, and the previous key is not retired', async () => {
  const scope = createTestScope();
  await store(testDatabase.database, scope, 'pässword');
  await testDatabase.open({ secrets: ACCEPTS_NEXT });
  const switched = await testDatabase.open({ secrets: SWITCHED });
  const broken = Buffer.concat([Buffer.from([2]), randomBytes(60)]);
  await queryAsOwner('update epos_integrations set password_ciphertext = $1', [broken]);
  expect(await resealAll(switched)).toEqual({
    resealed: 1,
    unreadable: ['epos_integrations.password_ciphertext grpc'],
    isPreviousRetired: false,
  });
  await expect(testDatabase.open({ secrets: FINISHED })).rejects.toThrow('ENCRYPTION_KEY_ACCEPTED');
});

test('concurrent rotations, beside requests, leave every row readable', async () => {
  const scopes = Array.from({ length: 30 }, () => createTestScope());
  for (const scope of scopes) await store(testDatabase.database, scope, 'pässword');
  await testDatabase.open({ secrets: ACCEPTS_NEXT });
  const switched = await testDatabase.open({ secrets: SWITCHED });
  const changing = scopes.map((scope) => store(switched, scope, 'changed').then(() => passwordOf(switched, scope)));
  const rotations = await Promise.all([resealAll(switched), resealAll(switched)]);
  expect(new Set(await Promise.all(changing))).toEqual(new Set(['changed']));
  expect(rotations.flatMap(({ unreadable }) => unreadable)).toEqual([]);
  const finished = await testDatabase.open({ secrets: FINISHED });
  for (const scope of scopes) expect(await passwordOf(finished, scope)).toBe('changed');
});

test('the first start with a key of its own check value does not wait for running requests', async () => {
  await store(testDatabase.database, createTestScope(), 'stored before');
  await queryAsOwner(`delete from key_checks where purpose = 'ENCRYPTION_KEY'`, []);
  const request = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await request.connect();
  try {
    await request.query('begin');
    await request.query('lock table idempotency_keys in row exclusive mode');
    await testDatabase.open();
  } finally {
    await request.end();
  }
  expect(await queryAsOwner(`select state from key_checks where purpose = 'ENCRYPTION_KEY'`, [])).toEqual([
    { state: 'Current' },
  ]);
});

test('a database that has a production key refuses a seed, and no other database does', async () => {
  const scope = createTestScope('production');
  const text = createApiKeyText('production', randomBytes(32));
  const seeded = await testDatabase.open({ seed: 'demo' });
  await seeded.transact(createTestScope(), async (tx) => {
    await insertApiKey(tx, { id: await tx.newId('apiKey'), text: `${text}s`, label: 'sandbox', permissions: [] });
  });
  await testDatabase.open({ seed: 'demo' });
  const id = await testDatabase.database.transact(scope, async (tx) => {
    return insertApiKey(tx, { id: await tx.newId('apiKey'), text, label: 'shop', permissions: [] });
  });
  await expect(testDatabase.open({ seed: 'demo' })).rejects.toThrow('SEED: must not be set');
  await testDatabase.database.transact(scope, (tx) => deleteApiKey(tx, id.id));
  await testDatabase.open({ seed: 'demo' });
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
  for (const step of steps) await testDatabase.open({ secrets: STEPS[step] });
  await expect(testDatabase.open({ secrets })).rejects.toThrow(problem);
});

test('processes of two neighbouring steps work side by side, and a process may restart with the step before', async () => {
  await testDatabase.open({ secrets: ACCEPTS_NEXT });
  await testDatabase.open();
  const [switched, before] = [
    await testDatabase.open({ secrets: SWITCHED }),
    await testDatabase.open({ secrets: ACCEPTS_NEXT }),
  ];
  const [scope, other] = [createTestScope(), createTestScope()];
  await store(switched, scope, 'by the new');
  await store(before, other, 'by the old');
  expect([await passwordOf(before, scope), await passwordOf(switched, other)]).toEqual(['by the new', 'by the old']);
});

async function queryAsOwner(sql: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
  const owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  try {
    return (await owner.query<Record<string, unknown>>(sql, [...values])).rows;
  } finally {
    await owner.end();
  }
}
