import type { AuditedChange } from '@pos/core/administration/audit-entry';
import { type NamedPermission, PERMISSIONS, type Role, ROLES } from '@pos/core/identity/permissions';
import { createViolation, Refusal } from '@pos/core/refusals/refusal';
import type { Reader, Tx } from '@pos/store/database/database';
import { type ApiKey, listApiKeys } from '@pos/store/repositories/api-keys';
import { createApiKey, type NewApiKey, revokeApiKey } from '../accounts/api-keys.js';
import { recordChange, requireAccount, requireActiveAccount, requireLine } from './audited-change.js';

/** The name and the role of a new key. */
export interface RoleKeyRequest {
  readonly label: string;
  readonly role: Role;
  /** Permissions beside those of the role. */
  readonly grants?: readonly NamedPermission[];
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
  { label, role, grants = [], text }: RoleKeyRequest,
): Promise<NewApiKey> {
  await requireActiveAccount(tx);
  requireLine('label', label, LABEL_LENGTH_MAX);
  const permissions = [...ROLES[role], ...grants];
  const created = await createApiKey(tx, OPERATOR, { label, permissions, ...(text !== undefined && { text }) });
  const { id, prefix, last4 } = created.key;
  await recordChange(tx, change, {
    ...{ action: 'CreateApiKey', subject: id },
    after: { label, role, permissions, prefix, last4 },
  });
  return created;
}

/** Revokes a key; every process refuses it within a second. Refuses an unknown one. */
export async function revokeKey(tx: Tx, change: AuditedChange, keyId: string): Promise<void> {
  const key = (await listKeys(tx)).find(({ id }) => id === keyId);
  if (key === undefined) throw createViolation('validation_failed', 'key', 'is not a key of the account');
  await revokeApiKey(tx, keyId).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'api_key_not_found') throw error;
    throw createViolation('validation_failed', 'key', 'was revoked at the same time');
  });
  const { label, permissions, prefix, last4 } = key;
  await recordChange(tx, change, {
    ...{ action: 'RevokeApiKey', subject: keyId },
    before: { label, permissions, prefix, last4 },
  });
}

/** The valid keys of the scope, newest first. Refuses an unknown account. */
export async function listKeys(reader: Reader): Promise<ApiKey[]> {
  await requireAccount(reader);
  return listApiKeys(reader);
}
