import type { PortalUserId } from '@pos/core/identity';
import type { SystemReader } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';

/** Who tries a password: a browser that has signed in before, any other browser, or an open session. */
export type AttemptSource = `device_${string}` | 'any' | 'session';

const COUNT = defineStatement(
  'count_sign_in_attempt',
  `insert into portal_sign_in_attempts as counted (user_id, source, attempts, last_attempt_at)
   values ($1, $2, 1, $3)
   on conflict (user_id, source) do update set
     attempts = case
       when counted.locked_until is null then counted.attempts + 1
       when counted.locked_until <= $3 then 1
       else counted.attempts end,
     locked_until = case when counted.locked_until > $3 then counted.locked_until end,
     last_attempt_at = $3
   returning attempts, locked_until`,
);
const LOCK = defineStatement(
  'lock_sign_in_source',
  `update portal_sign_in_attempts set locked_until = $4
   where user_id = $1 and source = $2 and attempts >= $3 and locked_until is null returning user_id`,
);
const DELETE = defineStatement(
  'delete_sign_in_attempts',
  'delete from portal_sign_in_attempts where user_id = $1 and source = $2',
);
const DELETE_ALL = defineStatement(
  'unlock_sign_in',
  'delete from portal_sign_in_attempts where user_id = $1 returning locked_until',
);
const DELETE_OLD = defineStatement(
  'delete_old_sign_in_attempts',
  'delete from portal_sign_in_attempts where last_attempt_at <= $1 and (locked_until is null or locked_until <= $2)',
);
const LIST_LOCKED = defineStatement(
  'list_locked_users',
  `select user_id, max(locked_until) as locked_until from portal_sign_in_attempts
   where locked_until > clock_timestamp() group by user_id limit $1`,
);

/**
 * Counts an attempt before the password is compared, so that attempts at the same time are counted too. False: there
 * were `max` already, or the source is locked.
 */
export async function countSignInAttempt(
  tx: Tx,
  { userId, source, max }: { readonly userId: PortalUserId; readonly source: AttemptSource; readonly max: number },
): Promise<boolean> {
  const [row] = await tx.query<{ attempts: number; locked_until: Date | null }>(COUNT, [
    userId,
    source,
    tx.databaseNow,
  ]);
  return row !== undefined && row.locked_until === null && row.attempts <= max;
}

/** Locks the source once it has made `max` attempts. True: this transaction has locked it. */
export async function lockSignInSource(
  tx: Tx,
  lock: {
    readonly userId: PortalUserId;
    readonly source: AttemptSource;
    readonly max: number;
    readonly lockMs: number;
  },
): Promise<boolean> {
  const until = new Date(tx.databaseNow.getTime() + lock.lockMs);
  return (await tx.query(LOCK, [lock.userId, lock.source, lock.max, until])).length === 1;
}

/** The password was right: the source begins at zero. */
export async function deleteSignInAttempts(tx: Tx, userId: PortalUserId, source: AttemptSource): Promise<void> {
  await tx.query(DELETE, [userId, source]);
}

/** Ends all locks of a user. True: there was one. */
export async function unlockSignIn(tx: Tx, userId: PortalUserId): Promise<boolean> {
  const rows = await tx.query<{ locked_until: Date | null }>(DELETE_ALL, [userId]);
  return rows.some(({ locked_until: until }) => until !== null && until > tx.databaseNow);
}

/** Deletes the counts of attempts that are older than that. */
export async function deleteOldSignInAttempts(tx: Tx, keptMs: number): Promise<void> {
  await tx.query(DELETE_OLD, [new Date(tx.databaseNow.getTime() - keptMs), tx.databaseNow]);
}

/** Until when users are locked; of several sources the longest. */
export async function listLockedUsers(reader: SystemReader, limit: number): Promise<ReadonlyMap<string, Date>> {
  const rows = await reader.query<{ user_id: string; locked_until: Date }>(LIST_LOCKED, [limit]);
  return new Map(rows.map(({ user_id: userId, locked_until: until }) => [userId, until]));
}
