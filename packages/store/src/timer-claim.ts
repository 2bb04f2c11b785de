import { statement } from './statement.js';
import type { ClaimedTimer, TimerName } from './timers.js';
import type { Tx } from './transaction.js';

const CLAIM_NOW = statement(
  'timer_claim_now',
  `with found as (
     select due_at from timers
     where account_id = $1 and environment = $2 and kind = $3 and subject = $4
       and (leased_until is null or leased_until <= $5)
     for no key update
   )
   update timers set leased_until = $6, fence = timers.fence + 1, attempts = timers.attempts + 1,
     due_at = least(timers.due_at, $5)
   from found
   where timers.account_id = $1 and timers.environment = $2 and timers.kind = $3 and timers.subject = $4
   returning timers.fence, timers.revision, timers.attempts, found.due_at`,
);

/**
 * Takes one timer that is known by name, due or not, and says when it was due. From now on it is: whoever takes over from
 * a lost worker has nothing to wait for but the lease. Null: somebody has it, or it is gone.
 */
export async function claimNow(tx: Tx, timer: TimerName, leaseMs: number): Promise<ClaimedTimer | null> {
  const { scope, databaseNow } = tx;
  const { kind, subject } = timer;
  const until = new Date(databaseNow.getTime() + leaseMs);
  const place = [scope.accountId, scope.environment, kind, subject];
  const [row] = await tx.query<{ fence: number; revision: number; attempts: number; due_at: Date }>(CLAIM_NOW, [
    ...place,
    databaseNow,
    until,
  ]);
  if (row === undefined) return null;
  const { due_at: dueAt, ...claim } = row;
  return { scope, kind, subject, dueAt, ...claim };
}
