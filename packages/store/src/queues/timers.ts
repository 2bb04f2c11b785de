import { assert } from '@pos/core/refusals';
import { formatScope, parseKnownId, type Scope } from '@pos/core/identity';
import { advanceFrozenClock } from '../clock/sandbox-clock.js';
import type { Database } from '../database/database.js';
import { defineChange, defineSingleRowChange, defineStatement, sql } from '@pos/postgres/statements';
import { TIMER_ROWS } from '../relations/queue-relations.js';
import type { Reader, Tx } from '../database/transaction.js';

/** The kinds of deadlines. */
export type TimerKind =
  | 'intent-expiry'
  | 'hold-end'
  | 'setup-expiry'
  | 'setup-card-expiry'
  | 'session-window'
  | 'acquirer-call'
  | 'machine-approval'
  | 'table-payment'
  | 'session-lease'
  | 'order-lock'
  | 'order-placement'
  | 'order-release'
  | 'webhook-subscription'
  | 'webhook-replay'
  | 'mail'
  | 'retention'
  | 'reconciliation'
  | 'card-erasure'
  | 'card-expiry'
  | 'portal-users';

/** One deadline per kind and subject. */
export interface TimerName {
  readonly kind: TimerKind;
  readonly subject: string;
}

/** The due time: at a moment of the account's time, or after a duration of real time. */
export type NewTimer = TimerName & {
  /** A retry is no step of an advancing clock: inquiries, record retries, extensions. */
  readonly isRepeat?: boolean;
} & ({ readonly dueAt: Date } | { readonly dueInMs: number });

/** When a timer that was worked is due again; a retry is from now on no step of an advancing clock. */
interface NextDelay {
  readonly inMs: number;
  readonly isRepeat?: boolean;
}

/** A due timer that this worker has claimed. The fence is the proof: a later claim has a higher one. */
export interface ClaimedTimer extends TimerName {
  readonly scope: Scope;
  readonly fence: number;
  readonly revision: number;
  /** How often it was claimed since it was scheduled, this time included. */
  readonly attempts: number;
  /** Database time. */
  readonly dueAt: Date;
}

/** Another worker has the timer by now: the pending writes of this worker must not be made. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor({ kind, subject, fence }: Pick<ClaimedTimer, 'kind' | 'subject' | 'fence'>) {
    super(`the lease of ${kind} ${subject} with fence ${fence} was lost`);
  }
}

const SCHEDULE = defineChange(
  'schedule_timer',
  sql.insertInto(TIMER_ROWS)`
   (account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat, account_due_at)
   values (${1}, ${2}, ${3}, ${4}, ${5}, ${6}, 0, 0, ${7}, ${8})
   on conflict (account_id, environment, kind, subject) do update
     set due_at = excluded.due_at, revision = timers.revision + 1, attempts = 0, is_repeat = excluded.is_repeat,
       account_due_at = excluded.account_due_at
   returning revision`,
);

const CANCEL = defineChange(
  'cancel_timer',
  sql.deleteFrom(TIMER_ROWS)`
   where account_id = ${1} and environment = ${2} and kind = ${3} and subject = ${4} returning subject`,
);

const READY_ROWS_MAX = 1_000;
const HINT_WITHIN_MS = 1_000;

const READY_ACCOUNTS = defineStatement(
  'list_ready_accounts',
  `select account_id, environment, min(ready_at) as since
   from (
     select account_id, environment, ready_at from timers
     where ready_at <= clock_timestamp() and kind = any ($1::text[])
       and account_id || '/' || environment <> all ($2::text[]) and ($4::text is null or environment = $4)
     order by ready_at limit ${READY_ROWS_MAX}
   ) ready
   group by account_id, environment
   order by since
   limit $3`,
);

const CLAIM = defineStatement(
  'claim_timers',
  `with ready as (
     select kind, subject from timers
     where account_id = $1 and environment = $2 and ready_at <= $3 and kind = any ($4::text[])
     order by ready_at limit $5
     for update skip locked
   )
   update timers set leased_until = $6, fence = timers.fence + 1, attempts = timers.attempts + 1
   from ready
   where timers.account_id = $1 and timers.environment = $2 and timers.kind = ready.kind
     and timers.subject = ready.subject
   returning timers.kind, timers.subject, timers.fence, timers.revision, timers.attempts, timers.due_at,
     timers.account_due_at`,
);

/** Completes a claim beside which nothing was scheduled. The same statement proves that the fence is valid. */
const COMPLETION = sql.deleteFrom(TIMER_ROWS)`
   where account_id = ${1} and environment = ${2} and kind = ${3} and subject = ${4} and fence = ${5} and leased_until is not null
     and revision = ${6}
   returning subject`;

const COMPLETE = defineChange('complete_timer', COMPLETION);

/** The same if nothing may have been scheduled beside it; otherwise the whole transaction is undone. */
const COMPLETE_OR_FAIL = defineSingleRowChange('complete_or_fail_timer', COMPLETION);

const RESCHEDULE = defineStatement(
  'reschedule_timer',
  `update timers set leased_until = null, due_at = $7, account_due_at = null, is_repeat = is_repeat or $8
   where account_id = $1 and environment = $2 and kind = $3 and subject = $4 and fence = $5 and leased_until is not null
     and revision = $6
   returning subject`,
);

/** Releases a row whose time was set again meanwhile. */
const RELEASE = defineStatement(
  'release_timer',
  `update timers set leased_until = null
   where account_id = $1 and environment = $2 and kind = $3 and subject = $4 and fence = $5 and leased_until is not null
   returning subject`,
);

const RENEW = defineStatement(
  'renew_timer',
  `update timers set leased_until = $6
   where account_id = $1 and environment = $2 and kind = $3 and subject = $4 and fence = $5 and leased_until > $7
   returning subject`,
);

const CHECK = defineStatement(
  'assert_fence',
  `select subject from timers
   where account_id = $1 and environment = $2 and kind = $3 and subject = $4 and fence = $5
     and leased_until > clock_timestamp() + $6 * interval '1 millisecond'`,
);

/**
 * Sets a deadline in the transaction that creates it, or moves the existing one. A worker that works on it right now
 * keeps its lease; its `complete` leaves the new time unchanged.
 */
export function schedule(tx: Tx, timer: NewTimer): void {
  const { dueAt, accountDueAt } = resolveTimes(tx, timer);
  tx.enqueue(SCHEDULE, [
    ...timerValues(tx, timer),
    dueAt,
    // A fence that starts at the current time never repeats one of a deleted row.
    tx.databaseNow.getTime(),
    timer.isRepeat ?? false,
    accountDueAt,
  ]);
  // A worker that is woken earlier finds nothing before the timer is due, and polls by then.
  if (dueAt.getTime() - tx.databaseNow.getTime() < HINT_WITHIN_MS) tx.hint('timers');
}

/** Deletes a deadline, if there is one. */
export function cancelTimer(tx: Tx, timer: TimerName): void {
  tx.enqueue(CANCEL, timerValues(tx, timer));
}

/** Deadlines and their processing: claimed per account, with a lease and a fence. */
export class TimerQueue {
  constructor(private readonly database: Database) {}

  /** Accounts with due timers of these kinds, longest waiting first. Accounts at the caller's cap are left out. */
  async listReadyAccounts(
    kinds: readonly TimerKind[],
    {
      limit,
      excluded = [],
      environment = null,
    }: { limit: number; excluded?: readonly Scope[]; environment?: Scope['environment'] | null },
  ): Promise<Scope[]> {
    const busy = excluded.map(formatScope);
    const rows = await this.database.readSystem((reader) =>
      reader.query<{ account_id: string; environment: Scope['environment'] }>(READY_ACCOUNTS, [
        kinds,
        busy,
        limit,
        environment,
      ]),
    );
    return rows.map((row) => ({ accountId: parseKnownId('account', row.account_id), environment: row.environment }));
  }

  /**
   * Claims due timers of one account that no worker holds, longest due first. While a sandbox's clock is frozen, one
   * at a time: real time has reached that deadline, so the clock is advanced to it before it is worked.
   */
  async claim(
    scope: Scope,
    kinds: readonly TimerKind[],
    { limit, leaseMs }: { limit: number; leaseMs: number },
  ): Promise<ClaimedTimer[]> {
    const { rows, reached } = await this.database.transact(scope, async (tx) => {
      const leasedUntil = new Date(tx.databaseNow.getTime() + leaseMs);
      const rows = await tx.query<ClaimedRow>(CLAIM, [
        scope.accountId,
        scope.environment,
        tx.databaseNow,
        kinds,
        tx.isClockFrozen ? 1 : limit,
        leasedUntil,
      ]);
      return { rows, reached: tx.isClockFrozen ? (rows[0]?.account_due_at ?? null) : null };
    });
    if (reached !== null) await advanceFrozenClock(this.database, scope, reached);
    return rows.map(({ due_at: dueAt, account_due_at: _, ...row }) => ({ scope, ...row, dueAt }));
  }

  /**
   * Ends this claim in the transaction of its effect: the next deadline, or none; one that repeats is no step of an
   * advancing clock from here on. A time that was scheduled meanwhile stays. Throws LeaseLost, which undoes the effect with it, when another worker has taken over.
   */
  async complete(tx: Tx, claimed: ClaimedTimer, next: Date | null | NextDelay): Promise<void> {
    const claimValues = [...timerValues(tx, claimed), claimed.fence];
    const dueAt =
      next === null ? null : resolveTimes(tx, next instanceof Date ? { dueAt: next } : { dueInMs: next.inMs }).dueAt;
    if (!tx.isLocking && dueAt === null) {
      tx.enqueue(COMPLETE_OR_FAIL, [...claimValues, claimed.revision]);
      return;
    }
    const completed =
      dueAt === null
        ? tx.query(COMPLETE, [...claimValues, claimed.revision])
        : tx.query(RESCHEDULE, [...claimValues, claimed.revision, dueAt, isRepeat(next)]);
    if ((await completed).length === 1) return;
    const released = await tx.query(RELEASE, claimValues);
    if (released.length === 0) throw new LeaseLost(claimed);
    tx.hint('timers');
  }

  /** Extends the lease, counted from now. Throws LeaseLost when it has ended. */
  async renew(claimed: ClaimedTimer, leaseMs: number): Promise<void> {
    await this.database.transact(claimed.scope, async (tx) => {
      const until = new Date(tx.databaseNow.getTime() + leaseMs);
      const rows = await tx.query(RENEW, [...timerValues(tx, claimed), claimed.fence, until, tx.databaseNow]);
      if (rows.length === 0) throw new LeaseLost(claimed);
    });
  }
}

/**
 * Throws LeaseLost unless the fence is valid and stays so for `marginMs` more. The sender calls it right before it
 * sends something irrevocable.
 */
export async function assertFence(
  reader: Reader,
  claimed: TimerName & { readonly fence: number },
  marginMs = 0,
): Promise<void> {
  const rows = await reader.query(CHECK, [...timerValues(reader, claimed), claimed.fence, marginMs]);
  if (rows.length === 0) throw new LeaseLost(claimed);
}

interface ClaimedRow {
  readonly kind: TimerKind;
  readonly subject: string;
  readonly fence: number;
  readonly revision: number;
  readonly attempts: number;
  readonly due_at: Date;
  readonly account_due_at: Date | null;
}

function isRepeat(next: Date | null | NextDelay): boolean {
  return next !== null && !(next instanceof Date) && next.isRepeat === true;
}

function timerValues({ scope }: Reader, { kind, subject }: TimerName): [string, string, string, string] {
  return [scope.accountId, scope.environment, kind, subject];
}

/** A moment of the account's time is as far away in database time, until the account's clock is advanced. */
function resolveTimes(
  tx: Tx,
  dueTime: { readonly dueAt: Date } | { readonly dueInMs: number },
): { readonly dueAt: Date; readonly accountDueAt: Date | null } {
  const inMs = 'dueAt' in dueTime ? dueTime.dueAt.getTime() - tx.now.getTime() : dueTime.dueInMs;
  assert(Number.isFinite(inMs), 'a deadline without a time');
  return { dueAt: new Date(tx.databaseNow.getTime() + inMs), accountDueAt: 'dueAt' in dueTime ? dueTime.dueAt : null };
}
