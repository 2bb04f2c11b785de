import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createId } from '@pos/core/ids';
import { NOON } from '@pos/core/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  deleteApiKey,
  findApiKeyOwners,
  insertApiKey,
  listApiKeys,
  recordApiKeyUse,
} from '../repositories/api-keys.js';
import {
  deleteEposIntegration,
  findEposIntegration,
  listEposIntegrations,
  putEposIntegration,
} from '../repositories/epos-integrations.js';
import {
  countRunningTesterRuns,
  findTesterRun,
  insertTesterRun,
  updateTesterRun,
} from '../repositories/tester-runs.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  await testDatabase.close();
});

test('an API key opens its account until it is deleted, and its text is stored nowhere', async () => {
  const scope = createTestScope();
  const id = createId('apiKey', 'sandbox', randomBytes(16));
  const key = `sk_sandbox__${randomBytes(31).toString('base64url')}`;
  await testDatabase.database.transact(scope, (tx) =>
    insertApiKey(tx, { id, text: key, label: 'epos 1', permissions: ['payments.read', 'tables.use'] }),
  );
  const owner = async (keyText: string) =>
    (await testDatabase.database.readSystem((reader) => findApiKeyOwners(reader, ['sk_sandbox_another', keyText]))).get(
      keyText,
    ) ?? null;
  const permissions = new Set(['payments.read', 'tables.use']);
  expect(await owner(key)).toEqual({
    ...{ id, scope, permissions, ratePerSecond: null, isStrict: true, outdatedHash: null, partnersRevision: 1 },
  });
  expect(await owner(`${key}x`)).toBeNull();
  await testDatabase.database.transact(scope, (tx) => recordApiKeyUse(tx, { id, outdatedHash: null }, key));
  const [stored] = await testDatabase.database.read(scope, listApiKeys);
  expect(stored).toMatchObject({ id, prefix: 'sk_sandbox_', last4: key.slice(-4), label: 'epos 1' });
  expect(stored!.lastUsedAt).not.toBeNull();
  expect(await testDatabase.database.transact(createTestScope(), (tx) => deleteApiKey(tx, id))).toBe(false);
  expect(await testDatabase.database.transact(scope, (tx) => deleteApiKey(tx, id))).toBe(true);
  expect(await testDatabase.database.transact(scope, (tx) => deleteApiKey(tx, id))).toBe(false);
  expect(await owner(key)).toBeNull();
});

test('an EPOS is registered once per kind, and its password can be opened', async () => {
  const scope = createTestScope();
  const request = {
    kind: 'grpc' as const,
    url: 'http://127.0.0.1:1',
    username: 'epos',
    password: 'pässword',
    capabilities: [{ name: 'ListAreas', version: 'v1' as const }],
  };
  await testDatabase.database.transact(scope, (tx) => putEposIntegration(tx, { ...request, username: 'first' }));
  const find = () => testDatabase.database.read(scope, (reader) => findEposIntegration(reader, 'grpc'));
  const createdAt = (await find())?.createdAt;
  await testDatabase.database.transact(scope, (tx) => putEposIntegration(tx, request));
  expect(await find()).toMatchObject({ ...request, createdAt });
  expect(await testDatabase.database.read(scope, listEposIntegrations)).toHaveLength(1);
  expect(await testDatabase.database.transact(scope, (tx) => deleteEposIntegration(tx, 'grpc'))).toBe(true);
  expect(await testDatabase.database.transact(scope, (tx) => deleteEposIntegration(tx, 'grpc'))).toBe(false);
});

test('a tester’s run that has ended is not changed any more', async () => {
  const scope = createTestScope();
  const run = {
    id: randomUUID(),
    flow: 'tables-split',
    status: 'IN_PROGRESS',
    startedAt: NOON,
    finishedAt: null,
    steps: [],
    params: { people: 2 },
  } as const;
  const end = { id: run.id, status: 'SUCCESS', finishedAt: NOON, steps: [{ name: 'lock' }] } as const;
  await testDatabase.database.transact(scope, (tx) => insertTesterRun(tx, run));
  expect(await testDatabase.database.read(scope, countRunningTesterRuns)).toBe(1);
  expect(await testDatabase.database.transact(scope, (tx) => updateTesterRun(tx, end))).toBe(true);
  expect(await testDatabase.database.transact(scope, (tx) => updateTesterRun(tx, { ...end, status: 'FAILURE' }))).toBe(
    false,
  );
  expect(await testDatabase.database.read(scope, (reader) => findTesterRun(reader, run.id))).toEqual({
    ...run,
    ...end,
  });
  expect(await testDatabase.database.read(scope, countRunningTesterRuns)).toBe(0);
});
