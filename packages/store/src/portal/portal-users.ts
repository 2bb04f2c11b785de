import {
  type Environment,
  type MemberRole,
  parseKnownId,
  type PortalMembership,
  type PortalUserId,
  type PortalUserStatus,
} from '@pos/core/identity';
import type { SystemReader } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';
import type { PortalUserRow } from './portal-relations.js';

/** A user of the portal. */
export interface PortalUser {
  readonly id: PortalUserId;
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  readonly status: PortalUserStatus;
  readonly createdAt: Date;
  /** Null: none that is recorded. */
  readonly lastSignInAt: Date | null;
  /** The memberships of a user; an operator works in all accounts without any. */
  readonly memberships: readonly PortalMembership[];
}

/** A user with the hash of the password, for the check of one. */
export interface PortalCredential {
  readonly user: PortalUser;
  readonly passwordHash: string;
}

const COLUMNS = `u.id, u.email, u.name, u.password_hash, u.is_operator, u.status, u.created_at, u.password_changed_at,
  u.password_is_temporary, u.last_sign_in_at,
  coalesce((select jsonb_agg(jsonb_build_object('account', m.member_account, 'environment', m.environment, 'role', m.role)
    order by m.member_account, m.environment) from portal_memberships m where m.user_id = u.id), '[]') as memberships`;
const BY_EMAIL = defineStatement('find_portal_credential', `select ${COLUMNS} from portal_users u where u.email = $1`);
const BY_ID = defineStatement('find_portal_credential_by_id', `select ${COLUMNS} from portal_users u where u.id = $1`);
const LIST = defineStatement('list_portal_users', `select ${COLUMNS} from portal_users u order by u.email limit $1`);
const COUNT_OPERATORS = defineStatement(
  'count_active_operators',
  `select count(*)::int as count from portal_users where is_operator and status = 'Active'`,
);
const LOCK = defineStatement(
  'lock_portal_user',
  `select ${COLUMNS} from portal_users u where u.email = $1 for no key update of u`,
);
const HOLD = defineStatement(
  'hold_portal_credential',
  `select u.id from portal_users u where u.id = $1 and u.status = 'Active' and u.password_hash = $2 for no key update of u`,
);
const INSERT = defineStatement(
  'insert_portal_user',
  `insert into portal_users
     (id, email, name, password_hash, is_operator, status, created_at, password_changed_at, password_is_temporary)
   values ($1, $2, $3, $4, $5, 'Active', $6, $6, $7) on conflict (email) do nothing returning id`,
);
const SET_STATUS = defineStatement(
  'update_portal_user_status',
  `update portal_users set status = $2, enabled_at = case when $2 = 'Active' then $3 else enabled_at end
   where id = $1 returning id`,
);
const RECORD_SIGN_IN = defineStatement(
  'record_last_sign_in',
  'update portal_users set last_sign_in_at = $2 where id = $1 returning id',
);
const GRANT = defineStatement(
  'upsert_portal_membership',
  `insert into portal_memberships (user_id, member_account, environment, role, granted_at) values ($1, $2, $3, $4, $5)
   on conflict (user_id, member_account, environment)
   do update set role = excluded.role, granted_at = excluded.granted_at`,
);
const REVOKE = defineStatement(
  'delete_portal_membership',
  'delete from portal_memberships where user_id = $1 and member_account = $2 and environment = $3 returning user_id',
);

/** The row of a user with the memberships. */
export interface PortalUserView extends PortalUserRow {
  readonly memberships: readonly { account: string; environment: Environment; role: MemberRole }[];
}

/** The user with this address, in lower case; null for none. */
export async function findPortalCredential(reader: SystemReader, email: string): Promise<PortalCredential | null> {
  const [row] = await reader.query<PortalUserView>(BY_EMAIL, [email]);
  return row === undefined ? null : { user: toPortalUser(row), passwordHash: row.password_hash };
}

export async function findPortalCredentialById(
  reader: SystemReader,
  id: PortalUserId,
): Promise<PortalCredential | null> {
  const [row] = await reader.query<PortalUserView>(BY_ID, [id]);
  return row === undefined ? null : { user: toPortalUser(row), passwordHash: row.password_hash };
}

/** Users by their addresses. */
export async function listPortalUsers(reader: SystemReader, limit: number): Promise<PortalUser[]> {
  return (await reader.query<PortalUserView>(LIST, [limit])).map(toPortalUser);
}

/** How many operators of the service are active. */
export async function countActiveOperators(reader: SystemReader): Promise<number> {
  const [row] = await reader.query<{ count: number }>(COUNT_OPERATORS, []);
  return row?.count ?? 0;
}

/**
 * Whether the user is active and still has this password, which then stays until the transaction ends: a change of both
 * waits for it, and ends the session that is created in between.
 */
export async function holdPortalCredential(
  tx: Tx,
  { id, passwordHash }: { readonly id: PortalUserId; readonly passwordHash: string },
): Promise<boolean> {
  return (await tx.query(HOLD, [id, passwordHash])).length === 1;
}

/** The user, locked until the transaction ends; null for none. */
export async function lockPortalUser(tx: Tx, email: string): Promise<PortalUser | null> {
  const [row] = await tx.query<PortalUserView>(LOCK, [email]);
  return row === undefined ? null : toPortalUser(row);
}

/** False: another user has the address. */
export async function insertPortalUser(
  tx: Tx,
  user: Pick<PortalUser, 'id' | 'email' | 'name' | 'isOperator'> & {
    readonly passwordHash: string;
    readonly isPasswordTemporary: boolean;
  },
): Promise<boolean> {
  const { id, email, name, passwordHash, isOperator, isPasswordTemporary } = user;
  const rows = await tx.query(INSERT, [
    ...[id, email, name, passwordHash, isOperator],
    ...[tx.databaseNow, isPasswordTemporary],
  ]);
  return rows.length === 1;
}

export async function updatePortalUserStatus(tx: Tx, id: PortalUserId, status: PortalUserStatus): Promise<void> {
  await tx.query(SET_STATUS, [id, status, tx.databaseNow]);
}

/** Stores that the user has signed in now. */
export async function recordLastSignIn(tx: Tx, id: PortalUserId): Promise<void> {
  await tx.query(RECORD_SIGN_IN, [id, tx.databaseNow]);
}

/** Gives a user a role; it replaces the previous one. */
export async function upsertPortalMembership(
  tx: Tx,
  id: PortalUserId,
  { accountId, environment, role }: PortalMembership,
): Promise<void> {
  await tx.query(GRANT, [id, accountId, environment, role, tx.databaseNow]);
}

/** False: the user has no role there. */
export async function deletePortalMembership(
  tx: Tx,
  id: PortalUserId,
  { accountId, environment }: Omit<PortalMembership, 'role'>,
): Promise<boolean> {
  return (await tx.query(REVOKE, [id, accountId, environment])).length === 1;
}

export function toPortalUser(row: PortalUserView): PortalUser {
  return {
    id: parseKnownId('portalUser', row.id),
    ...{ email: row.email, name: row.name, isOperator: row.is_operator, status: row.status },
    ...{ createdAt: row.created_at, lastSignInAt: row.last_sign_in_at },
    memberships: row.memberships.map(({ account, environment, role }) => ({
      accountId: parseKnownId('account', account),
      environment,
      role,
    })),
  };
}
