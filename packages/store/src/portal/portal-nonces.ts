import type { Tx } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';

const DELETE_EXPIRED = defineStatement(
  'delete_expired_portal_nonces',
  'delete from portal_request_nonces where account_id = $1 and environment = $2 and expires_at < $3',
);
const INSERT = defineStatement(
  'insert_portal_nonce',
  `insert into portal_request_nonces (account_id, environment, nonce, expires_at) values ($1, $2, $3, $4)
   on conflict (account_id, environment, nonce) do nothing returning nonce`,
);

/** Stores that a token was used. False: it was used before. Tokens that have expired are forgotten. */
export async function claimPortalNonce(tx: Tx, nonce: string, keptMs: number): Promise<boolean> {
  const { accountId, environment } = tx.scope;
  const now = tx.databaseNow;
  await tx.query(DELETE_EXPIRED, [accountId, environment, now]);
  const rows = await tx.query(INSERT, [accountId, environment, nonce, new Date(now.getTime() + keptMs)]);
  return rows.length === 1;
}
