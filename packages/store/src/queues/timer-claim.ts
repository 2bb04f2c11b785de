import { defineChange, defineSingleRowChange, defineStatement, sql } from '@pos/postgres/statements';
import { TIMER_ROWS } from '../relations/queue-relations.js';
import type { ClaimedTimer, TimerKind, TimerName } from './timers.js';
import type { Reader, Tx } from '../database/transaction.js';

const CLAIM_NOW = defineStatement(
  'claim_timer',
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
 * Claims one timer by name, due or not, and returns when it was due. From now on it is due: a worker that takes over
 * from a lost one only has to wait for the lease. Null: another worker holds it, or it does not exist.
 */
export async function claimTimer(tx: Tx, timer: TimerName, leaseMs: number): Promise<ClaimedTimer | null> {
  const { scope, databaseNow } = tx;
  const { kind, subject } = timer;
  const until = new Date(databaseNow.getTime() + leaseMs);
  const timerValues = [scope.accountId, scope.environment, kind, subject];
  const [row] = await tx.query<{ fence: number; revision: number; attempts: number; due_at: Date }>(CLAIM_NOW, [
    ...timerValues,
    databaseNow,
    until,
  ]);
  if (row === undefined) return null;
  const { due_at: dueAt, ...claim } = row;
  return { scope, kind, subject, dueAt, ...claim };
}

const IS_FREE = sql`(timers.leased_until is null or timers.leased_until <= ${5})`;

const SCHEDULE_CLAIMED = defineChange(
  'schedule_and_claim',
  sql.insertInto(TIMER_ROWS)`
   (account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat, leased_until)
   values (${1}, ${2}, ${3}, ${4}, ${5}, ${6}, 0, 1, true, ${7})
   on conflict (account_id, environment, kind, subject) do update
     set due_at = excluded.due_at, revision = timers.revision + 1, is_repeat = true, account_due_at = null,
       fence = case when ${IS_FREE} then timers.fence + 1 else timers.fence end,
       attempts = case when ${IS_FREE} then 1 else 0 end,
       leased_until = case when ${IS_FREE} then excluded.leased_until else timers.leased_until end
   returning fence, revision, attempts`,
);

/**
 * Sets a retry that is due now, or makes the existing one due, and claims it in the same statement. The returned
 * function gives the claim after the commit. Null: another worker holds it, and it is due again when that worker is
 * done.
 */
export function scheduleAndClaim(tx: Tx, timer: TimerName, leaseMs: number): () => ClaimedTimer | null {
  const { scope, databaseNow: dueAt } = tx;
  const { kind, subject } = timer;
  const until = new Date(dueAt.getTime() + leaseMs);
  const values = [scope.accountId, scope.environment, kind, subject, dueAt, computeFirstFence(dueAt), until];
  let claimed: ClaimedTimer | null = null;
  tx.enqueue(SCHEDULE_CLAIMED, values, (rows) => {
    const [row] = rows as readonly Pick<ClaimedTimer, 'fence' | 'revision' | 'attempts'>[];
    if (row !== undefined && row.attempts > 0) claimed = { scope, kind, subject, dueAt, ...row };
    else tx.hint('timers');
  });
  return () => claimed;
}

const INSERT_CLAIMED = defineChange(
  'insert_claimed_timer',
  sql.insertInto(TIMER_ROWS)`
   (account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat, leased_until)
   values (${1}, ${2}, ${3}, ${4}, ${5}, ${6}, 0, 1, true, ${7})`,
);

/** Sets a retry of a new subject, which no other worker can find yet, and claims it; written with the next query. */
export function insertClaimedTimer(tx: Tx, timer: TimerName, leaseMs: number): ClaimedTimer {
  const { scope, databaseNow: dueAt } = tx;
  const { kind, subject } = timer;
  const fence = computeFirstFence(dueAt);
  const until = new Date(dueAt.getTime() + leaseMs);
  tx.enqueue(INSERT_CLAIMED, [scope.accountId, scope.environment, kind, subject, dueAt, fence, until]);
  return { scope, kind, subject, dueAt, fence, revision: 0, attempts: 1 };
}

/** The fence as if the timer were scheduled at this time, and claimed then. */
function computeFirstFence(at: Date): number {
  return at.getTime() + 1;
}

const HELD = defineStatement(
  'has_claimed_timer',
  `select subject from timers
   where account_id = $1 and environment = $2 and kind = $3 and subject = any ($4::text[])
     and leased_until > clock_timestamp() + $5 * interval '1 millisecond' limit 1`,
);

/** Whether a worker has claimed one of these right now, and has more than `marginMs` of the claim left. */
export async function hasClaimedTimer(
  reader: Reader,
  { kind, subjects, marginMs = 0 }: { kind: TimerKind; subjects: readonly string[]; marginMs?: number },
): Promise<boolean> {
  const { accountId, environment } = reader.scope;
  return (await reader.query(HELD, [accountId, environment, kind, [...subjects], marginMs])).length > 0;
}

const SET = defineStatement(
  'has_timer',
  `select subject from timers where account_id = $1 and environment = $2 and kind = $3 and subject = $4`,
);

/** Whether a timer exists, due or not, claimed or not. */
export async function hasTimer(reader: Reader, { kind, subject }: TimerName): Promise<boolean> {
  const { accountId, environment } = reader.scope;
  return (await reader.query(SET, [accountId, environment, kind, subject])).length > 0;
}

const CLAIM_COMPLETION = sql.deleteFrom(TIMER_ROWS)`
   where account_id = ${1} and environment = ${2} and kind = ${3} and subject = ${4} and fence = ${5} and revision = ${6}
     and leased_until > statement_timestamp()
   returning subject`;

const COMPLETE_CLAIM = defineChange('complete_claim', CLAIM_COMPLETION);

const COMPLETE_CLAIM_OR_FAIL = defineSingleRowChange('complete_claim_or_fail', CLAIM_COMPLETION);

/**
 * Deletes a timer whose lease is valid. If the lease is over, or another time was set, the whole transaction is
 * undone.
 */
export function completeClaimOrFail(tx: Tx, { kind, subject, fence, revision }: ClaimedTimer): void {
  const { accountId, environment } = tx.scope;
  tx.enqueue(COMPLETE_CLAIM_OR_FAIL, [accountId, environment, kind, subject, fence, revision]);
}

/**
 * Deletes a timer whose lease is valid. False, and nothing is done: the lease is over or lost, or another time was
 * set meanwhile.
 */
export async function completeClaim(tx: Tx, { kind, subject, fence, revision }: ClaimedTimer): Promise<boolean> {
  const { accountId, environment } = tx.scope;
  return (await tx.query(COMPLETE_CLAIM, [accountId, environment, kind, subject, fence, revision])).length === 1;
}
