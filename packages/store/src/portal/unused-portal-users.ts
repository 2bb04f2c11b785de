import { EVENTS_KEPT_MS } from '@pos/core/webhooks';
import { SYSTEM_SCOPE } from '@pos/core/administration';
import { parseKnownId, type PortalUserId } from '@pos/core/identity';
import { defineChange, defineStatement, sql } from '@pos/postgres/statements';
import { TIMER_ROWS } from '../relations/queue-relations.js';
import type { Tx } from '../database/transaction.js';

/** The daily upkeep of the users of the portal: one deadline of the whole service. */
const PORTAL_USERS_TIMER = { kind: 'portal-users', subject: 'service' } as const;

const BEGIN = defineChange(
  'schedule_portal_users_upkeep',
  sql.insertInto(TIMER_ROWS)`(account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat)
   values (${1}, ${2}, ${3}, ${4}, ${5}, ${6}, 0, 0, false)
   on conflict (account_id, environment, kind, subject) do nothing returning subject`,
);
const LOCK_UNUSED = defineStatement(
  'lock_unused_portal_users',
  `select id, email, last_sign_in_at from portal_users
   where status = 'Active' and greatest(created_at, last_sign_in_at, enabled_at) <= $1
   order by id limit $2 for no key update`,
);
const DELETE_MAILS = defineStatement(
  'delete_old_portal_mails',
  'delete from mails where account_id = $1 and environment = $2 and created_at <= $3',
);

/** Begins the upkeep with the first user, in the scope of the service. */
export function schedulePortalUsersUpkeep(tx: Tx): void {
  const { accountId, environment } = SYSTEM_SCOPE;
  const { kind, subject } = PORTAL_USERS_TIMER;
  tx.enqueue(BEGIN, [accountId, environment, kind, subject, tx.databaseNow, tx.databaseNow.getTime()]);
}

/** A user who has not signed in for long. */
export interface UnusedPortalUser {
  readonly id: PortalUserId;
  readonly email: string;
  readonly lastSignInAt: Date | null;
}

/** Active users without a sign-in since then; creation and enabling count as one. They are locked. */
export async function lockUnusedPortalUsers(tx: Tx, since: Date, limit: number): Promise<UnusedPortalUser[]> {
  const rows = await tx.query<{ id: string; email: string; last_sign_in_at: Date | null }>(LOCK_UNUSED, [since, limit]);
  return rows.map(({ id, email, last_sign_in_at: lastSignInAt }) => ({
    ...{ id: parseKnownId('portalUser', id), email, lastSignInAt },
  }));
}

/** Deletes the mails to users after the time of all mails, sent or not: an old notice helps nobody. */
export async function deleteOldPortalMails(tx: Tx): Promise<void> {
  const { accountId, environment } = SYSTEM_SCOPE;
  await tx.query(DELETE_MAILS, [accountId, environment, new Date(tx.databaseNow.getTime() - EVENTS_KEPT_MS)]);
}
