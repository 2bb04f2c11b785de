import { DAY_MS } from '@pos/core/time';
import type { Database, Tx } from '@pos/store/database';
import {
  deleteOldPortalMails,
  deleteOldSignInAttempts,
  deletePortalSessions,
  lockUnusedPortalUsers,
  updatePortalUserStatus,
} from '@pos/store/portal';
import type { ClaimedTimer, TimerQueue } from '@pos/store/queues';
import { recordChange } from '@pos/payments/audit';

const USERS_MAX = 100;
const UPKEEP_INTERVAL_MS = DAY_MS / 24;
const ATTEMPTS_KEPT_MS = 30 * DAY_MS;
const WORKER = 'webhook-worker';

/**
 * Disables the users who have not signed in for so many days, and deletes old counts and mails of users. It runs once an
 * hour in the scope of the service; 0 days disables nobody.
 */
export async function runPortalUsersUpkeep(
  {
    database,
    queue,
    unusedUserDays,
  }: { readonly database: Database; readonly queue: TimerQueue; readonly unusedUserDays: number },
  claimed: ClaimedTimer,
): Promise<void> {
  await database.transact(claimed.scope, async (tx) => {
    const isMore = unusedUserDays > 0 && (await disableUnusedUsers(tx, unusedUserDays));
    await deleteOldSignInAttempts(tx, ATTEMPTS_KEPT_MS);
    await deleteOldPortalMails(tx);
    await queue.complete(tx, claimed, { inMs: isMore ? 0 : UPKEEP_INTERVAL_MS });
  });
}

/** True: there may be more. */
async function disableUnusedUsers(tx: Tx, unusedUserDays: number): Promise<boolean> {
  const since = new Date(tx.databaseNow.getTime() - unusedUserDays * DAY_MS);
  const users = await lockUnusedPortalUsers(tx, since, USERS_MAX);
  const change = { actor: WORKER, reason: `no sign-in for ${unusedUserDays} days` };
  for (const { id, lastSignInAt } of users) {
    await updatePortalUserStatus(tx, id, 'Disabled');
    await deletePortalSessions(tx, id);
    const before = { status: 'Active', lastSignInAt: lastSignInAt?.toISOString() ?? null };
    await recordChange(tx, change, {
      ...{ action: 'DisablePortalUser', subject: id, before, after: { status: 'Disabled' } },
    });
  }
  return users.length === USERS_MAX;
}
