import type { AuditedChange } from '@pos/core/administration';
import { type NamedPermission, PERMISSIONS, type Role, ROLES } from '@pos/core/identity';
import { createViolation, Refusal } from '@pos/core/refusals';
import type { Reader, Tx } from '@pos/store/database';
import { type ApiKey, listApiKeys } from '@pos/store/repositories';
import { changeApiKey, createApiKey, type NewApiKey, revokeApiKey } from '@pos/payments/accounts';
import { requireSecondOperator } from '@pos/payments/four-eyes';
import { recordChange, requireAccount, requireActiveAccount, requireLine } from '@pos/payments/audit';

/** The name and the role of a new key. */
export interface RoleKeyRequest {
  readonly label: string;
  readonly role: Role;
  /** Permissions beside those of the role. */
  readonly grants?: readonly NamedPermission[];
  /** Whether unknown members of requests that move money are refused; true when left out. */
  readonly isStrict?: boolean;
  /** For reproducible worlds: the text of the key; random when left out. */
  readonly text?: string;
}

const LABEL_LENGTH_MAX = 100;
/** The operator may grant everything; an attestation is required all the same. */
const OPERATOR = { permissions: new Set(PERMISSIONS) } as const;

/**
 * Creates a key of the scope, the first one included. Its text is returned here and never again. Refuses an unknown or
 * disabled account, and `setup.card` without an attestation.
 */
export async function createRoleKey(
  tx: Tx,
  change: AuditedChange,
  { label, role, grants = [], isStrict = true, text }: RoleKeyRequest,
): Promise<NewApiKey> {
  await requireActiveAccount(tx);
  requireLine('label', label, LABEL_LENGTH_MAX);
  const permissions = [...ROLES[role], ...grants];
  if (tx.scope.environment === 'production') {
    const target = { account: tx.scope.accountId, label, role, grants, isStrict };
    await requireSecondOperator(tx, change, { operation: 'CreateProductionKey', target });
  }
  const created = await createApiKey(tx, OPERATOR, {
    label,
    permissions,
    isStrict,
    ...(text !== undefined && { text }),
  });
  const { id, prefix, last4 } = created.key;
  await recordChange(tx, change, {
    ...{ action: 'CreateApiKey', subject: id },
    after: { label, role, permissions, strict: isStrict, prefix, last4 },
  });
  return created;
}

/**
 * Decides whether requests of a key that move money are refused for an unknown member. Refuses an unknown key, and a
 * change to what it is already.
 */
export async function changeKey(
  tx: Tx,
  change: AuditedChange,
  { keyId, isStrict }: { readonly keyId: string; readonly isStrict: boolean },
): Promise<ApiKey> {
  const key = await requireKey(tx, keyId);
  if (key.isStrict === isStrict) {
    throw createViolation('validation_failed', 'strict', `is ${isStrict ? 'on' : 'off'} already`);
  }
  if (!isStrict && tx.scope.environment === 'production') {
    const target = { account: tx.scope.accountId, key: keyId, isStrict };
    await requireSecondOperator(tx, change, { operation: 'LoosenProductionKey', target });
  }
  const changed = await changeApiKey(tx, keyId, { isStrict }).catch(explainRevocation);
  await recordChange(tx, change, {
    ...{ action: 'ChangeApiKey', subject: keyId },
    ...{ before: { label: key.label, strict: key.isStrict }, after: { label: key.label, strict: isStrict } },
  });
  return changed;
}

/** Revokes a key; every process refuses it within a second. Refuses an unknown one. */
export async function revokeKey(tx: Tx, change: AuditedChange, keyId: string): Promise<void> {
  const key = await requireKey(tx, keyId);
  await revokeApiKey(tx, keyId).catch(explainRevocation);
  const { label, permissions, prefix, last4 } = key;
  await recordChange(tx, change, {
    ...{ action: 'RevokeApiKey', subject: keyId },
    before: { label, permissions, prefix, last4 },
  });
}

async function requireKey(reader: Reader, keyId: string): Promise<ApiKey> {
  const key = (await listKeys(reader)).find(({ id }) => id === keyId);
  if (key === undefined) throw createViolation('validation_failed', 'key', 'is not a key of the account');
  return key;
}

function explainRevocation(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== 'api_key_not_found') throw error;
  throw createViolation('validation_failed', 'key', 'was revoked at the same time');
}

/** The valid keys of the scope, newest first. Refuses an unknown account. */
export async function listKeys(reader: Reader): Promise<ApiKey[]> {
  await requireAccount(reader);
  return listApiKeys(reader);
}
