import type { PortalUserId } from '@pos/core/identity';
import type { Reader, Tx } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';
import { findRows, insertRows } from '../relations/relation.js';
import { portalRecoveryCodes } from './factor-relations.js';

/** A recovery code as it is stored: the label finds it, and the hash proves it. */
export interface StoredRecoveryCode {
  readonly label: string;
  readonly hash: string;
}

const DELETE = defineStatement(
  'delete_recovery_codes',
  'delete from portal_recovery_codes where account_id = $1 and environment = $2 and user_id = $3',
);
const USE = defineStatement(
  'use_recovery_code',
  `update portal_recovery_codes set used_at = $5
   where account_id = $1 and environment = $2 and user_id = $3 and label = $4 and used_at is null returning label`,
);

/** The codes of a user that are not used. */
export async function listUnusedRecoveryCodes(reader: Reader, userId: PortalUserId): Promise<StoredRecoveryCode[]> {
  const rows = await findRows(reader, portalRecoveryCodes, { where: { user_id: userId, used_at: null } });
  return rows.map(({ label, code_hash: hash }) => ({ label, hash }));
}

/** Stores a new set of codes, which replaces the previous one. */
export async function replaceRecoveryCodes(
  tx: Tx,
  userId: PortalUserId,
  codes: readonly StoredRecoveryCode[],
): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  const rows = codes.map(({ label, hash }) => ({
    ...{ user_id: userId, label, code_hash: hash, created_at: tx.databaseNow, used_at: null },
  }));
  insertRows(tx, portalRecoveryCodes, rows);
}

/** False: the code was used before, or replaced. */
export async function useRecoveryCode(tx: Tx, userId: PortalUserId, label: string): Promise<boolean> {
  const { accountId, environment } = tx.scope;
  return (await tx.query(USE, [accountId, environment, userId, label, tx.databaseNow])).length === 1;
}

export async function deleteRecoveryCodes(tx: Tx, userId: PortalUserId): Promise<void> {
  await tx.query(DELETE, [tx.scope.accountId, tx.scope.environment, userId]);
}
