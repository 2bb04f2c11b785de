import type { Environment } from '@pos/core/identity';
import { defineChange, defineStatement, sql } from '@pos/postgres/statements';
import { column, defineRelation, enumColumn, nullable } from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

/**
 * Why a comparison with an acquirer is incomplete. `WaitingForSettlement`: its settlement files have not arrived.
 * `BooksUnread`: it did not return its list, or is not configured.
 */
export type UncomparedReason = 'WaitingForSettlement' | 'BooksUnread';

export const uncomparedDays = defineRelation('uncompared_days', {
  acquirer: column.key,
  day: column.dayKey,
  reason: enumColumn<UncomparedReason>(),
  problem: nullable(column.text),
  since: column.timestamp,
});

/** A day of our calls whose comparison with an acquirer is incomplete. */
export interface UncomparedDay {
  readonly acquirer: string;
  /** `yyyy-mm-dd`, by the calendar of the account. */
  readonly day: string;
  readonly reason: UncomparedReason;
  /** Why the books could not be read; null where files are awaited. */
  readonly problem: string | null;
}

/** The same with the time of its first incomplete comparison, database time. */
export interface StoredUncomparedDay extends UncomparedDay {
  readonly since: Date;
}

const DAYS_MAX = 1_000;

const SAVE = defineChange(
  'save_uncompared_day',
  sql.insertInto('uncompared_days')`(account_id, environment, acquirer, day, reason, problem, since)
   values (${1}, ${2}, ${3}, ${4}, ${5}, ${6}, ${7})
   on conflict (account_id, environment, acquirer, day) do update
     set reason = excluded.reason, problem = excluded.problem,
       since = case when uncompared_days.reason = excluded.reason then uncompared_days.since else excluded.since end`,
);
const REMOVE = defineChange(
  'delete_uncompared_days',
  sql.deleteFrom('uncompared_days')`
   where account_id = ${1} and environment = ${2} and day = ${3} and acquirer = any (${4}::text[])`,
);
const LIST = defineStatement(
  'list_uncompared_days',
  `select acquirer, day, reason, problem, since from uncompared_days
   where account_id = $1 and environment = $2 and day between $3::date and $4::date
   order by day, acquirer limit ${DAYS_MAX}`,
);

/** The days to list, `yyyy-mm-dd`; both are inclusive. */
export interface UncomparedDayQuery {
  readonly from?: string;
  readonly to?: string;
}

/** Stores that the comparison of the day is incomplete. */
export function saveUncomparedDay(tx: Tx, { acquirer, day, reason, problem }: UncomparedDay): void {
  tx.enqueue(SAVE, [...scopeValues(tx), acquirer, day, reason, problem, tx.databaseNow]);
}

/** Removes the rows of a day for these acquirers: their comparison is complete. */
export function deleteUncomparedDays(tx: Tx, day: string, acquirers: readonly string[]): void {
  tx.enqueue(REMOVE, [...scopeValues(tx), day, [...acquirers]]);
}

/** The days of the account whose comparison is incomplete, oldest first; at most a thousand. */
export function listUncomparedDays(
  reader: Reader,
  { from = '-infinity', to = 'infinity' }: UncomparedDayQuery = {},
): Promise<StoredUncomparedDay[]> {
  return reader.query(LIST, [...scopeValues(reader), from, to]);
}

function scopeValues({ scope }: Reader): [string, Environment] {
  return [scope.accountId, scope.environment];
}
