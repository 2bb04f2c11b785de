import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PERMISSIONS, ROLE_NAMES, ROLES, type Permission } from '@pos/core/permissions';
import { ApiKey, MadeApiKey } from '@pos/rest-contracts/api-keys';
import { ApiWorld, jsonOf } from '../testing.js';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const make = async (key: string, body: unknown, headers = {}) => {
  const answer = await world.send('POST', '/api-keys', { key, body, headers });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return MadeApiKey.parse(jsonOf(answer));
};
const list = async (key: string) =>
  (jsonOf(await world.send('GET', '/api-keys', { key })) as unknown as unknown[]).map((each) => ApiKey.parse(each));

test.each(['sandbox', 'production'] as const)(
  'a %s key makes keys of its own world, which work at once',
  async (environment) => {
    const key = environment === 'sandbox' ? world.keys.full : world.keys.production;
    const made = await make(key, { label: 'till 3', permissions: ['webhooks.read', 'Webhooks.Read'] });
    expect(made).toMatchObject({
      ...{ accountId: world.sandbox.accountId, environment, label: 'till 3', permissions: ['webhooks.read'] },
      prefix: environment === 'sandbox' ? 'sk_sandbox_' : 'sk_prod_',
    });
    expect(made.key).toMatch(new RegExp(`^${made.prefix}[A-Za-z0-9_-]{43}$`));
    expect(made.last4).toBe(made.key?.slice(-4));
    const statuses = await Promise.all([
      world.send('GET', '/webhooks', { key: made.key ?? '' }),
      world.send('GET', '/terminals', { key: made.key ?? '' }),
      world.send('GET', '/api-keys', { key: made.key ?? '' }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 403, 403]);
  },
);

test.each(ROLE_NAMES.filter((role) => role !== 'pci'))('role %s is the list that it is today', async (role) => {
  const { permissions } = await make(world.keys.full, { label: role, role });
  expect(permissions).toEqual(
    PERMISSIONS.filter((permission) => (ROLES[role] as readonly Permission[]).includes(permission)),
  );
});

test('an attested account gives the permission for card numbers, and only who has it gives it on', async () => {
  const { scope, key } = await world.newcomer();
  await world.look(`update accounts set saq_d_valid_until = now() + interval '1 day' where account_id = $1`, [
    scope.accountId,
  ]);
  const pci = await make(key, { label: 'vault', role: 'pci' });
  expect(pci.permissions).toContain('setup.card');
  const full = await make(key, { label: 'office', role: 'full' });
  const refused = await world.send('POST', '/api-keys', { key: full.key ?? '', body: { label: 'x', role: 'pci' } });
  expect([refused.status, await world.refusalOf(refused)]).toEqual([403, 'permission_missing']);
});

test('the text of a key is shown once and is nowhere: not in a list, a repeated answer, a table or a line of the log', async () => {
  const { scope, key } = await world.newcomer();
  const headers = { idempotencyKey: 'once' };
  const body = { label: 'shown once', role: 'read-only' };
  const first = await make(key, body, headers);
  const again = await world.send('POST', '/api-keys', { key, body, headers });
  expect(again.headers['idempotent-replayed']).toBe('true');
  const { key: text, ...shown } = first;
  expect(jsonOf(again)).toEqual(shown);
  expect((await list(key)).filter(({ label }) => label === 'shown once')).toEqual([shown]);
  const secret = text?.slice(shown.prefix.length) ?? '';
  const rows = await world.look<{ row: string }>('select api_keys::text as row from api_keys where account_id = $1', [
    scope.accountId,
  ]);
  expect(rows.length).toBe(2);
  expect([...rows.map(({ row }) => row), ...world.lines].filter((line) => line.includes(secret))).toEqual([]);
});

test('the last use of a key is listed', async () => {
  const { key } = await world.newcomer();
  const made = await make(key, { label: 'used', role: 'webhooks-only' });
  expect(made.lastUsedAt).toBeUndefined();
  await world.send('GET', '/webhooks', { key: made.key ?? '' });
  const usedAt = async () => (await list(key)).find(({ id }) => id === made.id)?.lastUsedAt;
  while ((await usedAt()) === undefined) await pause(5);
  expect(Date.parse((await usedAt()) ?? '')).not.toBeNaN();
});

test('a deleted key opens nothing a second later, in whichever process it was just used, and stays deleted', async () => {
  const { key } = await world.newcomer();
  const made = await make(key, { label: 'lost', role: 'full' });
  const other = await world.another();
  const headers = { authorization: `Basic ${made.key ?? ''}`, version: '2026-02-27' };
  const statuses = async () => [
    (await world.send('GET', '/webhooks', { key: made.key ?? '' })).status,
    (await fetch(`${other.url}/webhooks`, { headers })).status,
  ];
  expect(await statuses()).toEqual([200, 200]);
  expect((await world.send('DELETE', `/api-keys/${made.id}`, { key })).status).toBe(204);
  await pause(1_000);
  for (let twice = 0; twice < 2; twice += 1) expect(await statuses()).toEqual([401, 401]);
  expect((await list(key)).map(({ id }) => id)).not.toContain(made.id);
  await other.close();
});

test('keys are an account’s own: nobody lists those of another or of the other world', async () => {
  const [one, two] = [await world.newcomer(), await world.newcomer()];
  const made = await make(one.key, { label: 'mine', role: 'full' });
  expect((await list(two.key)).map(({ id }) => id)).not.toContain(made.id);
  expect((await list(world.keys.production)).every(({ environment }) => environment === 'production')).toBe(true);
});
