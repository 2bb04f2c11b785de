import type { PortalUserId } from '@pos/core/identity';
import type { Tx } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';

const LIST = defineStatement(
  'list_remembered_passwords',
  `select password_hash from (
     select password_hash, password_changed_at as set_at from portal_users where id = $1
     union all
     select password_hash, set_at from portal_password_history where user_id = $1
   ) remembered order by set_at desc limit $2`,
);
const KEEP = defineStatement(
  'keep_previous_portal_password',
  `insert into portal_password_history (user_id, set_at, password_hash)
   select id, password_changed_at, password_hash from portal_users where id = $1
   on conflict (user_id, set_at) do update set password_hash = excluded.password_hash returning user_id`,
);
const SET = defineStatement(
  'update_portal_password',
  `update portal_users set password_hash = $2, password_changed_at = $3, password_is_temporary = $4
   where id = $1 returning id`,
);
const REPLACE_HASH = defineStatement(
  'replace_password_hash',
  'update portal_users set password_hash = $3 where id = $1 and password_hash = $2 returning id',
);
const DELETE_OLD = defineStatement(
  'delete_old_portal_passwords',
  `delete from portal_password_history where user_id = $1 and set_at not in (
     select set_at from portal_password_history where user_id = $1 order by set_at desc limit $2)`,
);

/** The hashes of the latest passwords of a user, the present one first. */
export async function listRememberedPasswords(tx: Tx, id: PortalUserId, limit: number): Promise<string[]> {
  const rows = await tx.query<{ password_hash: string }>(LIST, [id, limit]);
  return rows.map(({ password_hash: passwordHash }) => passwordHash);
}

/** Sets the password of a user, and keeps the hash of the previous one beside the latest `kept`. */
export async function updatePortalPassword(
  tx: Tx,
  id: PortalUserId,
  password: { readonly hash: string; readonly isTemporary: boolean; readonly kept: number },
): Promise<void> {
  await tx.query(KEEP, [id]);
  await tx.query(SET, [id, password.hash, tx.databaseNow, password.isTemporary]);
  await tx.query(DELETE_OLD, [id, password.kept]);
}

/** Stores another hash of the same password. False: the stored hash is not the expected one any more. */
export async function replacePasswordHash(
  tx: Tx,
  id: PortalUserId,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  return (await tx.query(REPLACE_HASH, [id, from, to])).length === 1;
}
