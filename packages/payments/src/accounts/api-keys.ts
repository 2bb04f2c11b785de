import type { Caller } from '@pos/core/accounts';
import { isId, type Permission } from '@pos/core/identity';
import { createApiKeyText } from '@pos/core/ids';
import { createViolation, Refusal, requireValue } from '@pos/core/refusals';
import {
  type ApiKey,
  deleteApiKey,
  getAccount,
  insertApiKey,
  listApiKeys,
  lockApiKeys,
  updateApiKey,
} from '@pos/store/repositories';
import type { Tx } from '@pos/store/database';

/** The name and the permissions of a new key. */
export interface ApiKeyRequest {
  readonly label: string;
  readonly permissions: readonly Permission[];
  /** Whether unknown members of requests that move money are refused; true when left out. */
  readonly isStrict?: boolean;
  /** For reproducible worlds; random when left out. */
  readonly text?: string;
}

/** A key at its creation: only then its text exists. */
export interface NewApiKey {
  readonly key: ApiKey;
  readonly text: string;
}

/** The most valid keys of one account and environment. */
const KEYS_MAX = 100;
const KEY_BYTES = 32;

/**
 * Creates a key of the caller's account and environment. A caller cannot grant a permission that it does not have,
 * and the permission for card numbers needs an attestation that is valid today, by the database's clock.
 */
export async function createApiKey(
  tx: Tx,
  { permissions }: Pick<Caller, 'permissions'>,
  request: ApiKeyRequest,
): Promise<NewApiKey> {
  const missing = request.permissions.filter((permission) => !permissions.has(permission));
  if (missing.length > 0) {
    throw createViolation('permission_missing', 'permissions', `this key may not give ${missing.join(', ')}`);
  }
  await requireAttestation(tx, request.permissions);
  await lockApiKeys(tx);
  if ((await listApiKeys(tx)).length >= KEYS_MAX) {
    throw new Refusal('api_keys_exhausted', `there are ${KEYS_MAX} keys: delete one first`);
  }
  const { label, permissions: granted, isStrict = true } = request;
  const text = request.text ?? createApiKeyText(tx.scope.environment, await tx.randomBytes('apiKeyText', KEY_BYTES));
  const key = await insertApiKey(tx, { id: await tx.newId('apiKey'), text, label, permissions: granted, isStrict });
  return { key, text };
}

/**
 * Decides whether requests of a key that move money are refused for an unknown member; every process applies it within
 * a second. Refuses a key that is unknown, foreign, malformed or deleted.
 */
export async function changeApiKey(tx: Tx, id: string, change: Pick<ApiKey, 'isStrict'>): Promise<ApiKey> {
  if (!isId('apiKey', id) || !(await updateApiKey(tx, id, change))) {
    throw new Refusal('api_key_not_found', 'there is no such key');
  }
  return requireValue(
    (await listApiKeys(tx)).find((key) => key.id === id),
    `key ${id}`,
  );
}

/**
 * Deletes a key; it is refused in every process within a second. Refuses one that is unknown, foreign, malformed or
 * deleted.
 */
export async function revokeApiKey(tx: Tx, id: string): Promise<void> {
  if (!isId('apiKey', id) || !(await deleteApiKey(tx, id))) {
    throw new Refusal('api_key_not_found', 'there is no such key');
  }
}

async function requireAttestation(tx: Tx, permissions: readonly Permission[]): Promise<void> {
  if (!permissions.includes('setup.card')) return;
  const { cardAttestationUntil: until } = await getAccount(tx);
  if (until === null || until <= tx.databaseNow) {
    throw createViolation(
      'attestation_missing',
      'permissions',
      'setup.card needs a valid SAQ-D attestation of the account',
    );
  }
}
