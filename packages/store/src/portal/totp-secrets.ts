import type { PortalUserId } from '@pos/core/identity';
import type { SealContext } from '../crypto/sealing.js';
import type { Reader, Tx } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';
import { findRow } from '../relations/relation.js';
import { portalTotpSecrets } from './factor-relations.js';

type TotpState = 'Pending' | 'Active';

/** A secret of one-time codes, opened. */
export interface TotpSecret {
  /** Base32. */
  readonly secret: string;
  /** The step of time of the last accepted code. */
  readonly lastStep: number;
  readonly createdAt: Date;
}

const UPSERT = defineStatement(
  'put_totp_secret',
  `insert into portal_totp_secrets (account_id, environment, user_id, state, secret_ciphertext, last_step, created_at)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (account_id, environment, user_id, state) do update
   set secret_ciphertext = excluded.secret_ciphertext, last_step = excluded.last_step, created_at = excluded.created_at`,
);
const USE = defineStatement(
  'use_totp_step',
  `update portal_totp_secrets set last_step = $4
   where account_id = $1 and environment = $2 and user_id = $3 and state = 'Active' and last_step < $4
   returning user_id`,
);
const DELETE = defineStatement(
  'delete_totp_secret',
  `delete from portal_totp_secrets where account_id = $1 and environment = $2 and user_id = $3 and state = $4
   returning user_id`,
);

export async function findTotpSecret(
  reader: Reader,
  userId: PortalUserId,
  state: TotpState,
): Promise<TotpSecret | null> {
  const row = await findRow(reader, portalTotpSecrets, { where: { user_id: userId, state } });
  if (row === null) return null;
  const secret = reader.open(locateSecret(userId, state), row.secret_ciphertext);
  return { secret, lastStep: row.last_step, createdAt: row.created_at };
}

/** Stores a secret; it replaces the previous one of the same state. */
export async function putTotpSecret(
  tx: Tx,
  stored: {
    readonly userId: PortalUserId;
    readonly state: TotpState;
    readonly secret: string;
    readonly lastStep: number;
  },
): Promise<void> {
  const { userId, state, secret, lastStep } = stored;
  const { accountId, environment } = tx.scope;
  const sealed = tx.seal(locateSecret(userId, state), secret);
  await tx.query(UPSERT, [accountId, environment, userId, state, sealed, lastStep, tx.databaseNow]);
}

/** Stores the step of an accepted code. False: a code of this step or a later one was accepted before. */
export async function useTotpStep(tx: Tx, userId: PortalUserId, step: number): Promise<boolean> {
  return (await tx.query(USE, [tx.scope.accountId, tx.scope.environment, userId, step])).length === 1;
}

/** False: there was none. */
export async function deleteTotpSecret(tx: Tx, userId: PortalUserId, state: TotpState): Promise<boolean> {
  return (await tx.query(DELETE, [tx.scope.accountId, tx.scope.environment, userId, state])).length === 1;
}

function locateSecret(userId: PortalUserId, state: TotpState): SealContext {
  return { relation: 'portal_totp_secrets', column: 'secret_ciphertext', row: `${userId}/${state}` };
}
