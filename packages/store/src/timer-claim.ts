import { statement } from './statement.js';
import type { ClaimedTimer, TimerName } from './timers.js';
import type { Tx } from './transaction.js';

const CLAIM_NOW = statement(
  'timer_claim_now',
  `update timers set leased_until = $6, fence = timers.fence + 1, attempts = timers.attempts + 1
   where account_id = $1 and environment = $2 and kind = $3 and subject = $4
     and (leased_until is null or leased_until <= $5)
   returning fence, revision, attempts, due_at`,
);

/** Takes one timer that is known by name, due or not; it stays due when it was. Null: somebody has it or it is gone. */
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
