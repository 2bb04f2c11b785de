import { createHash } from 'node:crypto';
import { type Environment, parseKnownId, type PortalUserId, type Scope } from '@pos/core/identity';
import type { SystemReader } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';
import { type PortalUser, type PortalUserView, toPortalUser } from './portal-users.js';

/** A session that has not ended, with its user, who is active. */
export interface PortalSession {
  readonly idHash: Buffer;
  readonly user: PortalUser;
  /** The account and environment that the user works in; null before a choice. */
  readonly chosen: Scope | null;
  readonly expiresAt: Date;
  /** Milliseconds since the user last entered the password. */
  readonly authenticatedMsAgo: number;
  /** Whether the user gave a second factor in this session, or the identity provider did in its place. */
  readonly hasSecondFactor: boolean;
  /** Milliseconds since the session was last used, to the minute. */
  readonly usedMsAgo: number;
  readonly password: {
    /** False for a session by an identity provider, until its user enters the password. */
    readonly wasEntered: boolean;
    /** Somebody else has set it. */
    readonly isTemporary: boolean;
    readonly ageMs: number;
  };
}

/** A session as its user sees it in a list. */
export interface ListedPortalSession {
  readonly idHash: Buffer;
  readonly createdAt: Date;
  /** To the minute. */
  readonly usedAt: Date;
  /** The header `user-agent` of the sign-in; null where it is not known. */
  readonly browser: string | null;
  readonly networkAddress: string | null;
}

const LISTED_ID_BYTES = 16;
const LISTED_MAX = 100;

const FIND = defineStatement(
  'find_portal_session_by_hash',
  `select s.chosen_account, s.chosen_environment, s.expires_at, s.second_factor_at is not null as has_second_factor,
     (extract(epoch from clock_timestamp() - s.authenticated_at) * 1000)::float8 as authenticated_ms_ago,
     (extract(epoch from clock_timestamp() - s.used_at) * 1000)::float8 as used_ms_ago,
     s.has_entered_password, u.password_is_temporary,
     (extract(epoch from clock_timestamp() - u.password_changed_at) * 1000)::float8 as password_age_ms,
     u.id, u.email, u.name, u.is_operator, u.status, u.created_at, u.last_sign_in_at,
     coalesce((select jsonb_agg(jsonb_build_object('account', m.member_account, 'environment', m.environment, 'role', m.role)
       order by m.member_account, m.environment) from portal_memberships m where m.user_id = u.id), '[]') as memberships
   from portal_sessions s join portal_users u on u.id = s.user_id
   where s.id_hash = $1 and u.status = 'Active' and s.expires_at > clock_timestamp()
     and s.used_at > clock_timestamp() - make_interval(secs => $2::float8 / 1000)`,
);
const INSERT = defineStatement(
  'insert_portal_session',
  `insert into portal_sessions
     (id_hash, user_id, created_at, used_at, expires_at, chosen_account, chosen_environment, authenticated_at,
      has_entered_password, browser, network_address, second_factor_at)
   values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);
const DELETE_EXPIRED = defineStatement(
  'delete_expired_portal_sessions',
  'delete from portal_sessions where user_id = $1 and expires_at <= $2',
);
const TOUCH = defineStatement(
  'touch_portal_session',
  'update portal_sessions set used_at = $2 where id_hash = $1 returning user_id',
);
const AUTHENTICATE = defineStatement(
  'record_reauthentication',
  `update portal_sessions set authenticated_at = $2, has_entered_password = has_entered_password or $3
   where id_hash = $1 returning user_id`,
);
const PROVE = defineStatement(
  'record_second_factor',
  'update portal_sessions set second_factor_at = $2, authenticated_at = $2 where id_hash = $1 returning user_id',
);
const HOLD = defineStatement(
  'hold_portal_session',
  'select user_id from portal_sessions where id_hash = $1 and expires_at > clock_timestamp() for no key update',
);
const CHOOSE = defineStatement(
  'update_chosen_account',
  'update portal_sessions set chosen_account = $2, chosen_environment = $3 where id_hash = $1 returning user_id',
);
const DELETE = defineStatement('delete_portal_session', 'delete from portal_sessions where id_hash = $1');
const LIST = defineStatement(
  'list_portal_sessions',
  `select id_hash, created_at, used_at, browser, network_address from portal_sessions
   where user_id = $1 and expires_at > clock_timestamp()
     and used_at > clock_timestamp() - make_interval(secs => $2::float8 / 1000)
   order by used_at desc, created_at desc limit $3`,
);
const DELETE_OTHERS = defineStatement(
  'delete_other_portal_sessions',
  'delete from portal_sessions where user_id = $1 and id_hash <> $2',
);
const DELETE_LISTED = defineStatement(
  'delete_listed_session',
  `delete from portal_sessions
   where user_id = $1 and substring(id_hash from 1 for ${LISTED_ID_BYTES}) = $2 returning user_id`,
);
const DELETE_ALL = defineStatement('delete_portal_sessions', 'delete from portal_sessions where user_id = $1');

/** What is stored of the id of a session: nobody who reads the rows can use one. */
function hashSessionId(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}

/** The session with this id; null when it has ended, was not used for `idleMs`, or its user is disabled. */
export async function findPortalSession(
  reader: SystemReader,
  { id, idleMs }: { readonly id: string; readonly idleMs: number },
): Promise<PortalSession | null> {
  return findPortalSessionByHash(reader, { idHash: hashSessionId(id), idleMs });
}

/** The same, by what is stored of the id. */
export async function findPortalSessionByHash(
  reader: SystemReader,
  { idHash, idleMs }: { readonly idHash: Buffer; readonly idleMs: number },
): Promise<PortalSession | null> {
  const [row] = await reader.query<SessionRow>(FIND, [idHash, idleMs]);
  if (row === undefined) return null;
  const { chosen_account: account, chosen_environment: environment } = row;
  return {
    idHash,
    user: toPortalUser(row),
    chosen:
      account === null || environment === null ? null : { accountId: parseKnownId('account', account), environment },
    expiresAt: row.expires_at,
    authenticatedMsAgo: row.authenticated_ms_ago,
    usedMsAgo: row.used_ms_ago,
    hasSecondFactor: row.has_second_factor,
    password: {
      wasEntered: row.has_entered_password,
      isTemporary: row.password_is_temporary,
      ageMs: row.password_age_ms,
    },
  };
}

interface SessionRow extends PortalUserView {
  readonly chosen_account: string | null;
  readonly chosen_environment: Environment | null;
  readonly expires_at: Date;
  readonly authenticated_ms_ago: number;
  readonly used_ms_ago: number;
  readonly has_second_factor: boolean;
  readonly has_entered_password: boolean;
  readonly password_age_ms: number;
}

/** Stores a session, and deletes those of the user that have expired. */
export async function insertPortalSession(
  tx: Tx,
  session: {
    readonly id: string;
    readonly userId: PortalUserId;
    readonly ageMs: number;
    readonly chosen: Scope | null;
    /** How long ago the user entered the password. */
    readonly authenticatedMsAgo: number;
    readonly hasSecondFactor: boolean;
    readonly hasEnteredPassword: boolean;
    readonly browser: string | null;
    readonly networkAddress: string;
  },
): Promise<Date> {
  const { id, userId, ageMs, chosen, authenticatedMsAgo, hasSecondFactor, ...came } = session;
  const expiresAt = new Date(tx.databaseNow.getTime() + ageMs);
  await tx.query(DELETE_EXPIRED, [userId, tx.databaseNow]);
  await tx.query(INSERT, [
    ...[hashSessionId(id), userId, tx.databaseNow, expiresAt],
    ...[chosen?.accountId ?? null, chosen?.environment ?? null],
    new Date(tx.databaseNow.getTime() - authenticatedMsAgo),
    ...[came.hasEnteredPassword, came.browser, came.networkAddress],
    hasSecondFactor ? tx.databaseNow : null,
  ]);
  return expiresAt;
}

/** Stores that the session was used now. */
export async function touchPortalSession(tx: Tx, idHash: Buffer): Promise<void> {
  await tx.query(TOUCH, [idHash, tx.databaseNow]);
}

/** Locks a session until the transaction ends. False: it has ended, perhaps since the request began. */
export async function holdPortalSession(tx: Tx, idHash: Buffer): Promise<boolean> {
  return (await tx.query(HOLD, [idHash])).length === 1;
}

/** Stores that the user entered the password now. */
export async function recordReauthentication(
  tx: Tx,
  idHash: Buffer,
  { isByPassword }: { readonly isByPassword: boolean },
): Promise<void> {
  await tx.query(AUTHENTICATE, [idHash, tx.databaseNow, isByPassword]);
}

/** Stores that the user gave a second factor now, which is also an entry of a credential. */
export async function recordSecondFactor(tx: Tx, idHash: Buffer): Promise<void> {
  await tx.query(PROVE, [idHash, tx.databaseNow]);
}

export async function updateChosenAccount(tx: Tx, idHash: Buffer, { accountId, environment }: Scope): Promise<void> {
  await tx.query(CHOOSE, [idHash, accountId, environment]);
}

export async function deletePortalSession(tx: Tx, idHash: Buffer): Promise<void> {
  await tx.query(DELETE, [idHash]);
}

/** Ends all sessions of a user. */
export async function deletePortalSessions(tx: Tx, userId: PortalUserId): Promise<void> {
  await tx.query(DELETE_ALL, [userId]);
}

/** Ends all sessions of a user but one. */
export async function deleteOtherPortalSessions(tx: Tx, userId: PortalUserId, idHash: Buffer): Promise<void> {
  await tx.query(DELETE_OTHERS, [userId, idHash]);
}

/** How a list names a session: a part of the hash of its id, which opens nothing. */
export function formatListedSessionId(idHash: Buffer): string {
  return idHash.subarray(0, LISTED_ID_BYTES).toString('hex');
}

/** The sessions of a user that have not ended, the one used last first. */
export async function listPortalSessions(
  reader: SystemReader,
  { userId, idleMs }: { readonly userId: PortalUserId; readonly idleMs: number },
): Promise<ListedPortalSession[]> {
  const rows = await reader.query<ListedRow>(LIST, [userId, idleMs, LISTED_MAX]);
  return rows.map((row) => ({
    ...{ idHash: row.id_hash, createdAt: row.created_at, usedAt: row.used_at },
    ...{ browser: row.browser, networkAddress: row.network_address },
  }));
}

interface ListedRow {
  readonly id_hash: Buffer;
  readonly created_at: Date;
  readonly used_at: Date;
  readonly browser: string | null;
  readonly network_address: string | null;
}

/** Ends the session of the user that a list names so. False: there is none. */
export async function deleteListedSession(tx: Tx, userId: PortalUserId, listedId: string): Promise<boolean> {
  return (await tx.query(DELETE_LISTED, [userId, Buffer.from(listedId, 'hex')])).length === 1;
}
