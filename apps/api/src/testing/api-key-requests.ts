import { PERMISSIONS, ROLES } from '@pos/core/identity';
import { type AcceptedRequest, createRequest, type RefusalCase } from './money-requests.js';
import { type ApiTestEnvironment, parseJson } from './api-test-environment.js';
import { changeTestSettings } from '@pos/payments/testing';

type EnvironmentGetter = () => ApiTestEnvironment;

const API_KEY_BODY = { label: 'till 3', role: 'read-only' };

/** An accepted request for each operation on keys. */
export function createKeyRequests(
  testEnvironment: EnvironmentGetter,
): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  return {
    createApiKey: async () => ({
      path: '/api-keys',
      key: (await testEnvironment().createAccount()).key,
      body: API_KEY_BODY,
      invalid: { body: { label: '', permissions: ['everything'] } },
    }),
    listApiKeys: () => Promise.resolve({ path: '/api-keys' }),
    changeApiKey: async () => {
      const { key } = await testEnvironment().createAccount();
      const path = `/api-keys/${await createKey(testEnvironment(), key)}`;
      return { path, key, body: { strict: false }, invalid: { body: { strict: 'no' } } };
    },
    deleteApiKey: async () => {
      const { key } = await testEnvironment().createAccount();
      return { path: `/api-keys/${await createKey(testEnvironment(), key)}`, key };
    },
  };
}

/** The refusals that each operation on keys declares for itself. */
export function createKeyRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  return [
    ...listCreationRefusals(testEnvironment),
    ...listChangeRefusals(testEnvironment),
    ...listPermissionRefusals(testEnvironment),
  ];
}

function listCreationRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const invalid = (members: string[], body: unknown): RefusalCase => [
    'createApiKey',
    'validation_failed',
    members,
    () => createRequest('/api-keys', body),
  ];
  return [
    invalid(['permissions'], { label: 'x' }),
    invalid(['permissions'], { label: 'x', permissions: ['webhooks.read'], role: 'full' }),
    invalid(['permissions'], { label: 'x', permissions: [] }),
    invalid(['permissions[0]'], { label: 'x', permissions: ['keys.manage'] }),
    invalid(['role'], { label: 'x', role: 'root' }),
    invalid(['label'], { label: 'x'.repeat(101), role: 'full' }),
    [
      'createApiKey',
      'permission_missing',
      ['permissions'],
      async () => {
        const { scope } = await testEnvironment().createAccount();
        return createRequest(
          '/api-keys',
          { label: 'x', role: 'pci' },
          await testEnvironment().addKey(scope, undefined, ROLES.full),
        );
      },
    ],
    [
      'createApiKey',
      'attestation_missing',
      ['permissions'],
      async () =>
        createRequest(
          '/api-keys',
          { label: 'x', permissions: ['setup.card'] },
          (await testEnvironment().createAccount()).key,
        ),
    ],
    [
      'createApiKey',
      'attestation_missing',
      ['permissions'],
      async () => {
        const { scope, key } = await testEnvironment().createAccount();
        const { database } = testEnvironment().testDatabase;
        await changeTestSettings(database, scope, { cardAttestationUntil: await database.now() });
        return createRequest('/api-keys', { label: 'x', role: 'pci' }, key);
      },
    ],
    [
      'createApiKey',
      'api_keys_exhausted',
      [],
      async () => {
        const { scope, key } = await testEnvironment().createAccount();
        for (let count = 1; count < 100; count += 1) await testEnvironment().addKey(scope);
        return createRequest('/api-keys', API_KEY_BODY, key);
      },
    ],
  ];
}

function listChangeRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  return [
    [
      'changeApiKey',
      'api_key_not_found',
      [],
      async () => {
        const { key } = await testEnvironment().createAccount();
        const path = `/api-keys/${await createKey(testEnvironment(), key)}`;
        return createRequest(path, { strict: false }, testEnvironment().keys.foreign);
      },
    ],
    [
      'changeApiKey',
      'api_key_not_found',
      [],
      async () => {
        const id = await createKey(testEnvironment(), testEnvironment().keys.full);
        await testEnvironment().sendRequest('DELETE', `/api-keys/${id}`);
        return createRequest(`/api-keys/${id}`, { strict: true });
      },
    ],
    ['changeApiKey', 'validation_failed', ['strict'], () => createRequest(`/api-keys/key_${'A'.repeat(22)}`, {})],
  ];
}

function listPermissionRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  return [
    ...ROLES.full.map((missing): RefusalCase => [
      'listApiKeys',
      'permission_missing',
      [],
      async () => {
        const permissions = PERMISSIONS.filter((permission) => permission !== missing);
        return createRequest(
          '/api-keys',
          undefined,
          await testEnvironment().addKey(testEnvironment().sandbox, undefined, permissions),
        );
      },
    ]),
    ['changeApiKey', 'api_key_not_found', [], () => createRequest(`/api-keys/key_${'A'.repeat(22)}`, { strict: true })],
    ['deleteApiKey', 'api_key_not_found', [], () => createRequest(`/api-keys/key_${'A'.repeat(22)}`)],
    ['deleteApiKey', 'api_key_not_found', [], () => createRequest(`/api-keys/${encodeURIComponent("' or 1=1 --")}`)],
    [
      'deleteApiKey',
      'api_key_not_found',
      [],
      async () => {
        const { key } = await testEnvironment().createAccount();
        return createRequest(
          `/api-keys/${await createKey(testEnvironment(), key)}`,
          undefined,
          testEnvironment().keys.foreign,
        );
      },
    ],
    [
      'deleteApiKey',
      'api_key_not_found',
      [],
      async () =>
        createRequest(
          `/api-keys/${await createKey(testEnvironment(), testEnvironment().keys.full)}`,
          undefined,
          testEnvironment().keys.production,
        ),
    ],
    [
      'deleteApiKey',
      'api_key_not_found',
      [],
      async () => {
        const id = await createKey(testEnvironment(), testEnvironment().keys.full);
        await testEnvironment().sendRequest('DELETE', `/api-keys/${id}`);
        return createRequest(`/api-keys/${id}`);
      },
    ],
  ];
}

async function createKey(testEnvironment: ApiTestEnvironment, key: string): Promise<string> {
  return String(parseJson(await testEnvironment.sendRequest('POST', '/api-keys', { key, body: API_KEY_BODY }))['id']);
}
