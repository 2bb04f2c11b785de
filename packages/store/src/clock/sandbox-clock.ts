import { assert, requireValue } from '@pos/core/refusals';
import { EPOS_LANES } from '@pos/core/webhooks';
import type { Scope } from '@pos/core/identity';
import type { Database } from '../database/database.js';
import { defineStatement } from '@pos/postgres/statements';
import type { Reader, Tx } from '../database/transaction.js';

/** The frozen time of a seeded sandbox until it is advanced; its creator may set another. */
export const SEEDED_START = new Date('2026-03-02T12:00:00.000Z');

/**
 * A moment that is moved by milliseconds. It goes through the time without a zone: the sum of a moment and an interval
 * depends on the zone of the session, so Citus does not evaluate it over a column.
 */
function moveTime(column: string, sign: '+' | '-', milliseconds: string): string {
  return `(${column} at time zone 'UTC' ${sign} ${milliseconds} * interval '1 millisecond') at time zone 'UTC'`;
}

const INSERT = defineStatement(
  'create_sandbox_clock',
  `insert into sandbox_clocks (account_id, environment, offset_ms, standing_at, advance_fence)
   values ($1, $2, 0, $3, 0)`,
);

const LEASE = defineStatement(
  'begin_advance',
  `update sandbox_clocks set advance_leased_until = $3, advance_fence = advance_fence + 1
   where account_id = $1 and environment = $2 and (advance_leased_until is null or advance_leased_until <= $4)
   returning advance_fence`,
);

const RELEASE = defineStatement(
  'end_advance',
  `update sandbox_clocks set advance_leased_until = null
   where account_id = $1 and environment = $2 and advance_fence = $3 returning advance_fence`,
);

const ADVANCE = defineStatement(
  'apply_clock_step',
  `update sandbox_clocks
   set offset_ms = offset_ms + $3, advance_leased_until = $5,
     standing_at = greatest(standing_at, $6::timestamptz, ${moveTime('standing_at', '+', '$7')})
   where account_id = $1 and environment = $2 and advance_fence = $4 returning offset_ms`,
);

const ADVANCE_FROZEN = defineStatement(
  'advance_frozen_clock',
  `update sandbox_clocks set standing_at = $3
   where account_id = $1 and environment = $2 and standing_at < $3 returning standing_at`,
);

/**
 * All sandbox rows that wait for database time: queues, the deadlines that the work of a queue compares with that time
 * again, and the times from which monitoring computes how long something is open. Leases of workers, connections and heartbeats are not included: their holders use real time.
 */
const SHIFTS = [
  ['timers', ['due_at'], ''],
  ['lanes', ['due_at'], ''],
  ['acquirer_calls', ['deadline_at', 'not_found_at'], `state <> 'Settled'`],
  ['session_leases', ['expires_at'], `state in ('Held', 'Lost')`],
  ['order_locks', ['expires_at'], ''],
  [
    'table_payments',
    ['due_at', 'first_unanswered_at', 'doubt_at', 'give_back_since', 'since'],
    `state not in ('Recorded', 'GivenBack', 'Ended')`,
  ],
  [
    'order_placements',
    ['due_at', 'called_at', 'doubt_at', 'give_back_since', 'since'],
    `state not in ('Completed', 'GivenBack', 'Ended')`,
  ],
  ['uncompared_days', ['since'], ''],
] as const;

const SHIFT_STATEMENTS = SHIFTS.map(([name, columns, condition]) =>
  defineStatement(
    `shift_${name}`,
    `update ${name} set ${columns.map((each) => `${each} = ${moveTime(each, '-', '$3')}`).join(', ')}
     where account_id = $1 and environment = $2 ${condition === '' ? '' : `and ${condition}`} returning account_id`,
  ),
);

const NEXT_DUE = defineStatement(
  'find_next_due_in_ms',
  `select date_trunc('milliseconds', clock_timestamp()) as database_now, least(
     (select min(due_at) from timers
      where account_id = $1 and environment = $2 and not is_repeat and due_at > clock_timestamp()),
     (select min(due_at) from lanes
      where account_id = $1 and environment = $2 and pending > 0 and due_at > clock_timestamp()
        and key <> all ($3::text[]))
   ) as due_at`,
);

const COUNT_DUE = defineStatement(
  'count_due_work',
  `select (
     (select count(*) from timers
      where account_id = $1 and environment = $2 and not is_repeat and due_at <= clock_timestamp())
     + (select count(*) from lanes
        where account_id = $1 and environment = $2 and pending > 0 and due_at <= clock_timestamp())
   ) as unworked`,
);

/** The account's time of the scope $1, $2, as a relation of one row with `now` and `is_standing`. */
const ACCOUNT_CLOCK = `select
     coalesce(clock.standing_at, time.now + coalesce(clock.offset_ms, 0) * interval '1 millisecond') as now,
     clock.standing_at is not null as is_standing
   from (select date_trunc('milliseconds', clock_timestamp()) as now) time
   left join sandbox_clocks clock on clock.account_id = $1 and clock.environment = $2`;

const ACCOUNT_NOW = defineStatement('get_account_clock', ACCOUNT_CLOCK);

/** Expression of a select list: the account's time of the scope $1, $2, for a statement that reads more. */
export const ACCOUNT_NOW_COLUMN = `(select account_clock.now from (${ACCOUNT_CLOCK}) account_clock) as account_now`;

/** Gives a new sandbox its clock: running with the database's, or frozen at a time until it is advanced. */
export async function createSandboxClock(tx: Tx, frozenAt: Date | null): Promise<void> {
  assert(tx.scope.environment === 'sandbox', 'only a sandbox has a clock of its own');
  await tx.query(INSERT, [...scopeValues(tx), frozenAt]);
}

/** The account's time, for a reader; a transaction has it already. */
export async function getAccountTime(reader: Reader): Promise<Date> {
  return (await getAccountClock(reader)).now;
}

/** The account's time, and whether it runs or is frozen until it is advanced. */
export async function getAccountClock(reader: Reader): Promise<{ readonly now: Date; readonly isFrozen: boolean }> {
  const [row] = await reader.query<{ now: Date; is_standing: boolean }>(ACCOUNT_NOW, scopeValues(reader));
  const { now, is_standing: isFrozen } = requireValue(row, 'the time');
  return { now, isFrozen };
}

/**
 * An advance in progress. Its holder renews the lease with each step; if the holder is lost, the next one waits for
 * the lease to end.
 */
export interface ClockAdvance {
  readonly scope: Scope;
  readonly fence: number;
  readonly leaseMs: number;
}

/** Begins an advance, or null: another one runs, or the scope has no clock. */
export async function beginAdvance(database: Database, scope: Scope, leaseMs: number): Promise<ClockAdvance | null> {
  return database.transactExclusively(scope, async (tx) => {
    const until = new Date(tx.databaseNow.getTime() + leaseMs);
    const [row] = await tx.query<{ advance_fence: number }>(LEASE, [...scopeValues(tx), until, tx.databaseNow]);
    return row === undefined ? null : { scope, fence: row.advance_fence, leaseMs };
  });
}

export async function endAdvance(database: Database, { scope, fence }: ClockAdvance): Promise<void> {
  await database.transactExclusively(scope, (tx) => tx.query(RELEASE, [...scopeValues(tx), fence]));
}

/**
 * How long until the sandbox's next deadline or delivery, or null when it waits for nothing. Retries are no steps, nor
 * is a check for an EPOS that is not connected.
 */
export async function findNextDueInMs(reader: Reader): Promise<number | null> {
  const [row] = await reader.query<{ database_now: Date; due_at: Date | null }>(NEXT_DUE, [
    ...scopeValues(reader),
    Object.values(EPOS_LANES),
  ]);
  const { database_now: now, due_at: dueAt } = requireValue(row, 'the next deadline');
  return dueAt === null ? null : Math.max(0, dueAt.getTime() - now.getTime());
}

/** The length of a step, and the time that a frozen clock is set to; the same length if it is absent. */
export interface ClockStep {
  readonly byMs: number;
  readonly frozenAt: Date | null;
}

/**
 * Applies one step: the account's time moves forward and all deadlines come nearer by the same length. False, and
 * nothing moved, if another caller has taken over the advance.
 */
export async function applyClockStep(
  database: Database,
  advance: ClockAdvance,
  step: number | ClockStep,
): Promise<boolean> {
  const { byMs, frozenAt } = typeof step === 'number' ? { byMs: step, frozenAt: null } : step;
  assert(Number.isSafeInteger(byMs) && byMs >= 0, `a clock goes forward by whole milliseconds, not by ${byMs}`);
  return database.transactExclusively(advance.scope, async (tx) => {
    const until = new Date(tx.databaseNow.getTime() + advance.leaseMs);
    const advancedRows = await tx.query(ADVANCE, [
      ...scopeValues(tx),
      ...[byMs, advance.fence, until, frozenAt],
      frozenAt === null ? byMs : null,
    ]);
    if (advancedRows.length === 0) return false;
    await Promise.all(SHIFT_STATEMENTS.map((shift) => tx.query(shift, [...scopeValues(tx), byMs])));
    tx.hint('clock', tx.scope.accountId);
    tx.hint('timers');
    tx.hint('lanes');
    return true;
  });
}

/** Counts due deadlines and lanes that are not finished, including those that a worker has claimed. */
export async function countDueWork(reader: Reader): Promise<number> {
  const [row] = await reader.query<{ unworked: number }>(COUNT_DUE, scopeValues(reader));
  return requireValue(row, 'the count').unworked;
}

/** Moves a frozen clock up to a deadline that real time has reached; never back. */
export async function advanceFrozenClock(database: Database, scope: Scope, to: Date): Promise<void> {
  if (scope.environment !== 'sandbox') return;
  await database.transactExclusively(scope, (tx) => tx.query(ADVANCE_FROZEN, [...scopeValues(tx), to]));
}

function scopeValues({ scope }: Reader): [string, string] {
  return [scope.accountId, scope.environment];
}
