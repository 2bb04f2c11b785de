import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Refusal } from '@pos/core/refusals';
import pg from 'pg';
import type { Tx } from '../database/database.js';
import type { Idempotency } from './key-columns.js';
import { runOnce } from './run-once.js';
import { defineStatement } from '@pos/postgres/statements';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ poolMax: 20 });
});
afterAll(async () => {
  await testDatabase.close();
});

const ADD = defineStatement(
  'once_test_add',
  `insert into id_counters (account_id, environment, kind, last) values ($1, $2, 'made', 1)
   on conflict (account_id, environment, kind) do update set last = id_counters.last + 1 returning last`,
);

async function make(tx: Tx): Promise<{ status: number; body: unknown }> {
  const [row] = await tx.query<{ last: number }>(ADD, [tx.scope.accountId, tx.scope.environment]);
  return { status: 200, body: { number: row!.last, at: ['ü', null] } };
}

function createRequest(more: Partial<Idempotency> = {}): Idempotency {
  return { method: 'POST', path: '/payment-intents', key: 'k-1', fingerprintInput: '{"amount":1250}', ...more };
}

test('a repeat gets the same answer and does nothing', async () => {
  const scope = createTestScope();
  const first = await runOnce(testDatabase.database, { scope, idempotency: createRequest() }, make);
  const again = await runOnce(testDatabase.database, { scope, idempotency: createRequest() }, make);
  expect(first).toEqual({ status: 200, body: { number: 1, at: ['ü', null] }, replayed: false });
  expect(again).toEqual({ ...first, replayed: true });
});

test('an answer without a body is replayed without one', async () => {
  const scope = createTestScope();
  const answer = () => Promise.resolve({ status: 204, body: null });
  await runOnce(testDatabase.database, { scope, idempotency: createRequest() }, answer);
  expect(await runOnce(testDatabase.database, { scope, idempotency: createRequest() }, answer)).toEqual({
    status: 204,
    body: null,
    replayed: true,
  });
});

test('without a key each request is a new operation', async () => {
  const scope = createTestScope();
  await runOnce(testDatabase.database, { scope, idempotency: null }, make);
  expect(await runOnce(testDatabase.database, { scope, idempotency: null }, make)).toMatchObject({
    body: { number: 2 },
  });
});

test.each<[string, Partial<Idempotency>]>([
  ['another key', { key: 'k-2' }],
  ['another path', { path: '/payment-intents/pi_1/captures' }],
  ['another method', { method: 'DELETE' }],
])('%s is another operation', async (_, more) => {
  const scope = createTestScope();
  await runOnce(testDatabase.database, { scope, idempotency: createRequest() }, make);
  expect(await runOnce(testDatabase.database, { scope, idempotency: createRequest(more) }, make)).toMatchObject({
    body: { number: 2 },
    replayed: false,
  });
});

test('the same key of another account or environment is another operation', async () => {
  const scope = createTestScope();
  await runOnce(testDatabase.database, { scope, idempotency: createRequest() }, make);
  const other = { accountId: scope.accountId, environment: 'production' } as const;
  for (const elsewhere of [createTestScope(), other]) {
    expect(
      await runOnce(testDatabase.database, { scope: elsewhere, idempotency: createRequest() }, make),
    ).toMatchObject({
      replayed: false,
    });
  }
});

test('the same key with another body is refused and does nothing', async () => {
  const scope = createTestScope();
  await runOnce(testDatabase.database, { scope, idempotency: createRequest() }, make);
  const other = createRequest({ fingerprintInput: '{"amount":1251}' });
  await expect(runOnce(testDatabase.database, { scope, idempotency: other }, make)).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
  expect(await runOnce(testDatabase.database, { scope, idempotency: null }, make)).toMatchObject({
    body: { number: 2 },
  });
});

test('a refused request leaves the key free for a corrected one', async () => {
  const scope = createTestScope();
  const refuse = (): Promise<never> => Promise.reject(new Refusal('validation_failed', 'no amount'));
  await expect(runOnce(testDatabase.database, { scope, idempotency: createRequest() }, refuse)).rejects.toMatchObject({
    code: 'validation_failed',
  });
  const corrected = createRequest({ fingerprintInput: '{"amount":1}' });
  expect(await runOnce(testDatabase.database, { scope, idempotency: corrected }, make)).toMatchObject({
    replayed: false,
  });
});

test('of fifty requests at once under one key one does the work, the others get its answer', async () => {
  const scope = createTestScope();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => runOnce(testDatabase.database, { scope, idempotency: createRequest() }, make)),
  );
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
});

test('while the first request runs, a repeat is refused with the time to wait', async () => {
  const scope = createTestScope();
  const impatientDatabase = await testDatabase.open({ lockTimeoutMs: 80 });
  await runOnce(testDatabase.database, { scope, idempotency: createRequest() }, async (tx) => {
    const repeat = hurriedOnce();
    await expect(repeat).rejects.toMatchObject({ code: 'idempotency_in_progress', data: { retryAfterSeconds: 1 } });
    return make(tx);
  });
  expect(await hurriedOnce()).toMatchObject({ body: { number: 1 }, replayed: true });

  function hurriedOnce() {
    return runOnce(impatientDatabase, { scope, idempotency: createRequest() }, make);
  }
});

test('an answer is deleted after its retention', async () => {
  const scope = createTestScope();
  await runOnce(testDatabase.database, { scope, idempotency: createRequest({ retentionMs: -1 }) }, make);
  expect(
    await runOnce(testDatabase.database, { scope, idempotency: createRequest({ fingerprintInput: 'other' }) }, make),
  ).toMatchObject({
    body: { number: 2 },
    replayed: false,
  });
});

test('neither key, path, body nor answer can be read in the database', async () => {
  const scope = createTestScope();
  const secret = 'sk_sandbox_never-in-clear';
  const idempotency = createRequest({ path: `/payment-intents/${secret}`, key: secret, fingerprintInput: secret });
  await runOnce(testDatabase.database, { scope, idempotency }, () =>
    Promise.resolve({ status: 200, body: { secret } }),
  );
  const rows = await queryAsOwner<{ row: string }>(
    `select encode(convert_to(row_to_json(k)::text, 'utf8'), 'escape') as row from idempotency_keys k where account_id = $1`,
    [scope.accountId],
  );
  expect(rows).toHaveLength(1);
  const unkeyed = ['sha256', 'sha1', 'md5'].flatMap((algorithm) => {
    const hash = createHash(algorithm).update(secret);
    const bytes = hash.digest();
    return [bytes.toString('hex'), bytes.toString('base64url')];
  });
  for (const text of [secret, Buffer.from(secret).toString('hex'), ...unkeyed])
    expect(rows[0]!.row).not.toContain(text);
});

test('the same key is kept as another text for each account and each path', async () => {
  const scopes = [createTestScope(), createTestScope()];
  for (const scope of scopes) {
    for (const path of ['/one', '/two'])
      await runOnce(testDatabase.database, { scope, idempotency: createRequest({ path }) }, make);
  }
  const rows = await queryAsOwner<{ key: string; path: string }>(
    'select key, path from idempotency_keys where account_id = any ($1::text[])',
    [scopes.map(({ accountId }) => accountId)],
  );
  expect([new Set(rows.map(({ key }) => key)).size, new Set(rows.map(({ path }) => path)).size]).toEqual([4, 4]);
});

/** What the owner of the database sees and does. */
async function queryAsOwner<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[]): Promise<Row[]> {
  const owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  try {
    return (await owner.query<Row>(sql, [...values])).rows;
  } finally {
    await owner.end();
  }
}
