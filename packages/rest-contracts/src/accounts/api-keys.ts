import { ENVIRONMENTS, PERMISSIONS, ROLE_NAMES, ROLES } from '@pos/core/identity';
import { z } from 'zod';
import { freeText } from '../shapes/free-text.js';
import type { Operation } from '../operation/operation.js';
import { Moment, WORDS_MAX } from '../shapes/shapes.js';

const KEY = {
  id: z.string().describe('Id of the record (`key_…`), not the key itself.'),
  accountId: z.string().describe('Account that the key belongs to (`acc_…`).'),
  environment: z.enum(ENVIRONMENTS).describe('Environment that every request with the key reaches.'),
  label: z.string().describe('The name that people gave it.'),
  permissions: z
    .array(z.enum(PERMISSIONS))
    .describe('What the key may do. A role is stored as the list it had when the key was created.'),
  strict: z
    .boolean()
    .describe(
      'True: requests that move money are refused with 400 if they have a member that the service does not know. False: the header `warnings` of the answer names it. Keys of before this setting have false.',
    ),
  prefix: z.string().describe('The first characters of its text, which name the environment.'),
  last4: z.string().meta({ description: 'The last four characters of its text, to distinguish keys.' }),
  createdAt: Moment.describe('When the key was created.'),
  lastUsedAt: Moment.optional().meta({ description: 'To the minute.' }),
};
const KEY_EXAMPLE = {
  id: 'key_AaH8KwlxavakGwZZljrhYw',
  accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
  environment: 'sandbox',
  label: 'till 3',
  permissions: ['webhooks.read', 'webhooks.write'],
  strict: true,
  prefix: 'sk_sandbox_',
  last4: 'sMwI',
  createdAt: '2026-03-01T12:00:00.000Z',
} as const;

export const ApiKey = z.object(KEY).meta({ id: 'ApiKey', examples: [KEY_EXAMPLE] });
export type ApiKey = z.output<typeof ApiKey>;

export const CreatedApiKey = z
  .object({
    ...KEY,
    key: z.string().optional().meta({
      description: 'The text of the key. Only this answer contains it: a repeated request does not return it again.',
    }),
  })
  .meta({
    id: 'MadeApiKey',
    examples: [{ ...KEY_EXAMPLE, key: 'sk_sandbox_mVx8nq2Yb0hQ4kS1tR7uW5zA3cE6gJ9lPdFiKoNsMwI' }],
  });
export type CreatedApiKey = z.output<typeof CreatedApiKey>;

const NewApiKey = z
  .object({
    label: freeText({ min: 1, max: 100 }).describe(
      'A name by which people recognise the key, such as the machine that uses it.',
    ),
    permissions: z
      .array(z.enum(PERMISSIONS))
      .min(1)
      .max(WORDS_MAX)
      .optional()
      .describe('What the key may do. Exactly one of `permissions` and `role` must be sent.'),
    strict: z
      .boolean()
      .default(true)
      .describe(
        'Whether requests that move money are refused if they have an unknown member, such as a misspelt `captureMode`. True when not sent.',
      ),
    role: z.enum(ROLE_NAMES).optional().meta({ description: 'Instead of `permissions`: the list the role has today.' }),
  })
  .refine(({ permissions, role }) => (permissions === undefined) !== (role === undefined), {
    error: 'Exactly one of permissions and role must be sent.',
    path: ['permissions'],
  })
  .transform(({ label, permissions, role, strict }) => {
    const wanted: readonly string[] = role === undefined ? (permissions ?? []) : ROLES[role];
    return {
      ...{ label, isStrict: strict },
      permissions: PERMISSIONS.filter((permission) => wanted.includes(permission)),
    };
  })
  .meta({ id: 'NewApiKey', examples: [{ label: 'till 3', role: 'webhooks-only' }] });

const ApiKeyChange = z
  .object({
    strict: z
      .boolean()
      .describe(
        'Whether requests of the key that move money are refused if they have an unknown member. False: the header `warnings` of the answer names it.',
      ),
  })
  .transform(({ strict }) => ({ isStrict: strict }))
  .meta({ id: 'ApiKeyChange', examples: [{ strict: true }] });

const shared = {
  tag: 'API keys',
  version: 'required',
  permission: 'full',
} as const;

export const createApiKey = {
  ...shared,
  id: 'createApiKey',
  method: 'POST',
  path: '/api-keys',
  summary: 'Create an API key of the same account and environment',
  description:
    'A key can only get permissions that the calling key has. No role has `branding.write`. `setup.card` also needs a ' +
    'valid SAQ-D attestation of the account. The key is valid at once.',
  idempotency: 'optional',
  body: NewApiKey,
  returns: CreatedApiKey,
  refusals: ['attestation_missing', 'api_keys_exhausted'],
} as const satisfies Operation;

export const listApiKeys = {
  ...shared,
  id: 'listApiKeys',
  method: 'GET',
  path: '/api-keys',
  summary: 'List the API keys that work, newest first',
  idempotency: 'none',
  returns: z.array(ApiKey),
  refusals: [],
} as const satisfies Operation;

export const changeApiKey = {
  ...shared,
  id: 'changeApiKey',
  method: 'PATCH',
  path: '/api-keys/{keyId}',
  summary: 'Make an API key strict, or lenient',
  description:
    'It applies to the requests of the key within a second, wherever it is used. A key may change itself, as it may ' +
    'create another one. Its permissions never change: create a key with others and delete this one.',
  idempotency: 'optional',
  params: z.object({ keyId: z.string().describe('Id of the key’s record (`key_…`).') }),
  body: ApiKeyChange,
  returns: ApiKey,
  refusals: ['api_key_not_found'],
} as const satisfies Operation;

export const deleteApiKey = {
  ...shared,
  id: 'deleteApiKey',
  method: 'DELETE',
  path: '/api-keys/{keyId}',
  summary: 'Delete an API key for good',
  description: 'It opens nothing any more within a second, wherever it was used; it cannot be restored.',
  idempotency: 'optional',
  params: z.object({ keyId: z.string().describe('Id of the key’s record (`key_…`).') }),
  returns: null,
  refusals: ['api_key_not_found'],
} as const satisfies Operation;

export const API_KEY_OPERATIONS = [createApiKey, listApiKeys, changeApiKey, deleteApiKey] as const;
