import { PERMISSIONS, ROLES } from '@pos/core/permissions';
import { type Accepted, at, type Own } from '../payment-intents/testing.js';
import { type ApiWorld, jsonOf } from '../testing.js';

type World = () => ApiWorld;

const BODY = { label: 'till 3', role: 'read-only' };

/** A request of each operation on keys, which it accepts. */
export function keyRequests(world: World): Readonly<Record<string, () => Promise<Accepted>>> {
  return {
    createApiKey: async () => ({
      path: '/api-keys',
      key: (await world().newcomer()).key,
      body: BODY,
      wrong: { body: { label: '', permissions: ['everything'] } },
    }),
    listApiKeys: () => Promise.resolve({ path: '/api-keys' }),
    deleteApiKey: async () => {
      const { key } = await world().newcomer();
      return { path: `/api-keys/${await made(world(), key)}`, key };
    },
  };
}

/** How each operation on keys refuses by its own rules. */
export function keyRefusals(world: World): readonly Own[] {
  return [...refusedToMake(world), ...refusedOfOthers(world)];
}

function refusedToMake(world: World): readonly Own[] {
  const wrong = (members: string[], body: unknown): Own => [
    'createApiKey',
    'validation_failed',
    members,
    () => at('/api-keys', body),
  ];
  return [
    wrong(['permissions'], { label: 'x' }),
    wrong(['permissions'], { label: 'x', permissions: ['webhooks.read'], role: 'full' }),
    wrong(['permissions'], { label: 'x', permissions: [] }),
    wrong(['permissions[0]'], { label: 'x', permissions: ['keys.manage'] }),
    wrong(['role'], { label: 'x', role: 'root' }),
    wrong(['label'], { label: 'x'.repeat(101), role: 'full' }),
    [
      'createApiKey',
      'permission_missing',
      ['permissions'],
      async () => {
        const { scope } = await world().newcomer();
        return at('/api-keys', { label: 'x', role: 'pci' }, await world().addKey(scope, undefined, ROLES.full));
      },
    ],
    [
      'createApiKey',
      'attestation_missing',
      ['permissions'],
      async () => at('/api-keys', { label: 'x', permissions: ['setup.card'] }, (await world().newcomer()).key),
    ],
    [
      'createApiKey',
      'attestation_missing',
      ['permissions'],
      async () => {
        const { scope, key } = await world().newcomer();
        await world().look('update accounts set saq_d_valid_until = now() where account_id = $1', [scope.accountId]);
        return at('/api-keys', { label: 'x', role: 'pci' }, key);
      },
    ],
    [
      'createApiKey',
      'api_keys_exhausted',
      [],
      async () => {
        const { scope, key } = await world().newcomer();
        for (let count = 1; count < 100; count += 1) await world().addKey(scope);
        return at('/api-keys', BODY, key);
      },
    ],
  ];
}

function refusedOfOthers(world: World): readonly Own[] {
  return [
    ...PERMISSIONS.filter((permission) => permission !== 'setup.card').map((missing): Own => [
      'listApiKeys',
      'permission_missing',
      [],
      async () => {
        const permissions = PERMISSIONS.filter((permission) => permission !== missing);
        return at('/api-keys', undefined, await world().addKey(world().sandbox, undefined, permissions));
      },
    ]),
    ['deleteApiKey', 'api_key_not_found', [], () => at(`/api-keys/key_${'A'.repeat(22)}`)],
    ['deleteApiKey', 'api_key_not_found', [], () => at(`/api-keys/${encodeURIComponent("' or 1=1 --")}`)],
    [
      'deleteApiKey',
      'api_key_not_found',
      [],
      async () => {
        const { key } = await world().newcomer();
        return at(`/api-keys/${await made(world(), key)}`, undefined, world().keys.foreign);
      },
    ],
    [
      'deleteApiKey',
      'api_key_not_found',
      [],
      async () => at(`/api-keys/${await made(world(), world().keys.full)}`, undefined, world().keys.production),
    ],
    [
      'deleteApiKey',
      'api_key_not_found',
      [],
      async () => {
        const id = await made(world(), world().keys.full);
        await world().send('DELETE', `/api-keys/${id}`);
        return at(`/api-keys/${id}`);
      },
    ],
  ];
}

async function made(world: ApiWorld, key: string): Promise<string> {
  return String(jsonOf(await world.send('POST', '/api-keys', { key, body: BODY }))['id']);
}
