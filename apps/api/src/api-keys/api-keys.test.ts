import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PERMISSIONS, ROLE_NAMES, ROLES, type Permission } from '@pos/core/identity';
import { ApiKey, CreatedApiKey } from '@pos/rest-contracts/accounts';
import { changeTestSettings } from '@pos/payments/testing';
import { ApiTestEnvironment, parseJson } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const createKey = async (key: string, body: unknown, headers = {}) => {
  const answer = await testEnvironment.sendRequest('POST', '/api-keys', { key, body, headers });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return CreatedApiKey.parse(parseJson(answer));
};
const listKeys = async (key: string) =>
  (parseJson(await testEnvironment.sendRequest('GET', '/api-keys', { key })) as unknown as unknown[]).map((each) =>
    ApiKey.parse(each),
  );

test.each(['sandbox', 'production'] as const)(
  'a %s key creates keys of its own environment, which work at once',
  async (environment) => {
    const key = environment === 'sandbox' ? testEnvironment.keys.full : testEnvironment.keys.production;
    const created = await createKey(key, { label: 'till 3', permissions: ['webhooks.read', 'Webhooks.Read'] });
    expect(created).toMatchObject({
      ...{ accountId: testEnvironment.sandbox.accountId, environment, label: 'till 3', permissions: ['webhooks.read'] },
      prefix: environment === 'sandbox' ? 'sk_sandbox_' : 'sk_prod_',
    });
    expect(created.key).toMatch(new RegExp(`^${created.prefix}[A-Za-z0-9_-]{43}$`));
    expect(created.last4).toBe(created.key?.slice(-4));
    const statuses = await Promise.all([
      testEnvironment.sendRequest('GET', '/webhooks', { key: created.key ?? '' }),
      testEnvironment.sendRequest('GET', '/terminals', { key: created.key ?? '' }),
      testEnvironment.sendRequest('GET', '/api-keys', { key: created.key ?? '' }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 403, 403]);
  },
);

test.each(ROLE_NAMES.filter((role) => role !== 'pci'))('role %s is the list that it is today', async (role) => {
  const { permissions } = await createKey(testEnvironment.keys.full, { label: role, role });
  expect(permissions).toEqual(
    PERMISSIONS.filter((permission) => (ROLES[role] as readonly Permission[]).includes(permission)),
  );
});

test('an attested account grants the permission for card numbers, and only its holders pass it on', async () => {
  const { scope, key } = await testEnvironment.createAccount();
  const { database } = testEnvironment.testDatabase;
  const cardAttestationUntil = new Date((await database.now()).getTime() + 86_400_000);
  await changeTestSettings(database, scope, { cardAttestationUntil });
  const pci = await createKey(key, { label: 'vault', role: 'pci' });
  expect(pci.permissions).toContain('setup.card');
  const full = await createKey(key, { label: 'office', role: 'full' });
  const refused = await testEnvironment.sendRequest('POST', '/api-keys', {
    key: full.key ?? '',
    body: { label: 'x', role: 'pci' },
  });
  expect([refused.status, await testEnvironment.findRefusal(refused)]).toEqual([403, 'permission_missing']);
});

test('the text of a key is shown once: no list, repeated answer, relation or log line contains it', async () => {
  const { scope, key } = await testEnvironment.createAccount();
  const headers = { idempotencyKey: 'once' };
  const body = { label: 'shown once', role: 'read-only' };
  const first = await createKey(key, body, headers);
  const repeated = await testEnvironment.sendRequest('POST', '/api-keys', { key, body, headers });
  expect(repeated.headers['idempotent-replayed']).toBe('true');
  const { key: text, ...visible } = first;
  expect(parseJson(repeated)).toEqual(visible);
  expect((await listKeys(key)).filter(({ label }) => label === 'shown once')).toEqual([visible]);
  const secret = text?.slice(visible.prefix.length) ?? '';
  const rows = await testEnvironment.queryRows<{ row: string }>(
    'select api_keys::text as row from api_keys where account_id = $1',
    [scope.accountId],
  );
  expect(rows.length).toBe(2);
  expect([...rows.map(({ row }) => row), ...testEnvironment.logLines].filter((line) => line.includes(secret))).toEqual(
    [],
  );
});

test('the last use of a key is listed', async () => {
  const { key } = await testEnvironment.createAccount();
  const created = await createKey(key, { label: 'used', role: 'webhooks-only' });
  expect(created.lastUsedAt).toBeUndefined();
  await testEnvironment.sendRequest('GET', '/webhooks', { key: created.key ?? '' });
  const usedAt = async () => (await listKeys(key)).find(({ id }) => id === created.id)?.lastUsedAt;
  while ((await usedAt()) === undefined) await pause(5);
  expect(Date.parse((await usedAt()) ?? '')).not.toBeNaN();
});

test('every process refuses a deleted key after one second, also where it was just used', async () => {
  const { key } = await testEnvironment.createAccount();
  const created = await createKey(key, { label: 'lost', role: 'full' });
  const other = await testEnvironment.startAnother();
  const headers = { authorization: `Basic ${created.key ?? ''}`, version: '2026-02-27' };
  const statuses = async () => [
    (await testEnvironment.sendRequest('GET', '/webhooks', { key: created.key ?? '' })).status,
    (await fetch(`${other.url}/webhooks`, { headers })).status,
  ];
  expect(await statuses()).toEqual([200, 200]);
  expect((await testEnvironment.sendRequest('DELETE', `/api-keys/${created.id}`, { key })).status).toBe(204);
  await pause(1_000);
  for (let twice = 0; twice < 2; twice += 1) expect(await statuses()).toEqual([401, 401]);
  expect((await listKeys(key)).map(({ id }) => id)).not.toContain(created.id);
  await other.close();
});

test('an account lists only its own keys, and only those of the environment of the calling key', async () => {
  const [one, two] = [await testEnvironment.createAccount(), await testEnvironment.createAccount()];
  const created = await createKey(one.key, { label: 'mine', role: 'full' });
  expect((await listKeys(two.key)).map(({ id }) => id)).not.toContain(created.id);
  expect(
    (await listKeys(testEnvironment.keys.production)).every(({ environment }) => environment === 'production'),
  ).toBe(true);
});
