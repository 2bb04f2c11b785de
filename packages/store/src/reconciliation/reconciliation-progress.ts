import { toZonedDay, toZonedMoment } from '@pos/core/time';
import { Refusal } from '@pos/core/refusals';
import { defineChange, defineSeparateChange, defineStatement, isLockTimeout, sql } from '@pos/postgres/statements';
import { column, defineRelation, findRow, jsonColumn, nullable, type RowOf } from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

/** How far a verification of an audit log has come: everything up to a number. */
export interface AuditCursor {
  /** The number of the last entry that was read. */
  readonly number: number;
  /** How many entries were read, and the hash of the last one in hexadecimal. */
  readonly length: number;
  readonly head: string;
  readonly problems: readonly string[];
}

export const reconciliations = defineRelation('reconciliations', {
  reconciled_to: nullable(column.timestamp),
  listed_at: nullable(column.timestamp),
  list_error: nullable(column.text),
  requested_from: nullable(column.timestamp),
  requested_to: nullable(column.timestamp),
  chain_cursor: column.text,
  audit_cursor: nullable(jsonColumn<AuditCursor>()),
  chains_checked_at: nullable(column.timestamp),
  next_pass_at: nullable(column.timestamp),
});

/** The two timers that check the books of an account and environment. */
export const RECONCILIATION_SUBJECTS = ['acquirer', 'chains'] as const;

/** The progress of an account's checks. Times are database time. */
export interface ReconciliationProgress {
  /** Every day before it was compared with the books of the acquirers, except the days that `uncompared_days` holds. */
  readonly reconciledTo: Date | null;
  /** When the books of an acquirer were compared last. */
  readonly listedAt: Date | null;
  /** Which acquirers' books could not be read in the last check, and why; null after a success. */
  readonly listError: string | null;
  /** An operator's request that is not done yet. */
  readonly requested: { readonly from: Date; readonly to: Date } | null;
  readonly chainCursor: string;
  /** Where the verification of the audit log continues; null at its start. */
  readonly auditCursor: AuditCursor | null;
  /** When all chains were checked last. */
  readonly chainsCheckedAt: Date | null;
  /** When all days that need it are compared again; null: with the next check. */
  readonly nextPassAt: Date | null;
}

const INITIAL_PROGRESS: ReconciliationProgress = {
  ...{ reconciledTo: null, listedAt: null, listError: null, requested: null, chainCursor: '', chainsCheckedAt: null },
  ...{ auditCursor: null, nextPassAt: null },
};

export async function findReconciliationProgress(reader: Reader): Promise<ReconciliationProgress> {
  const row = await findRow(reader, reconciliations, { where: {} });
  return row === null ? INITIAL_PROGRESS : toProgress(row);
}

const SAVE = defineChange(
  'update_reconciliation_progress',
  sql.insertInto('reconciliations')`(account_id, environment, reconciled_to, listed_at, list_error, requested_from,
     requested_to, chain_cursor, audit_cursor, chains_checked_at, next_pass_at)
   values (${1}, ${2}, ${3}, ${4}, ${5}, ${6}, ${7}, ${8}, ${9}, ${10}, ${11})
   on conflict (account_id, environment) do update set reconciled_to = excluded.reconciled_to,
     listed_at = excluded.listed_at, list_error = excluded.list_error, requested_from = excluded.requested_from,
     requested_to = excluded.requested_to, chain_cursor = excluded.chain_cursor,
     audit_cursor = excluded.audit_cursor, chains_checked_at = excluded.chains_checked_at, next_pass_at = excluded.next_pass_at`,
);

const LOCK = defineStatement(
  'lock_progress',
  `insert into reconciliations (account_id, environment, chain_cursor) values ($1, $2, '')
   on conflict (account_id, environment) do update set chain_cursor = reconciliations.chain_cursor
   returning ${reconciliations.columns.join(', ')}`,
);

/**
 * Another transaction stores what it found, and holds the lock of the account's checks for longer than this one waits. An
 * import of a large settlement file takes minutes.
 */
export class ReconciliationBusy extends Refusal {
  constructor(cause: unknown) {
    super('service_unavailable', 'a settlement file of the account is being imported: try again in some minutes');
    this.cause = cause;
  }
}

/**
 * Locks the checks of the account until the end of the transaction: one of them at a time stores what it found. Refuses
 * with `ReconciliationBusy` after the lock timeout of the database.
 */
export async function lockReconciliation(tx: Tx): Promise<void> {
  await lockProgress(tx);
}

async function lockProgress(tx: Tx): Promise<ReconciliationProgress> {
  const { accountId, environment } = tx.scope;
  try {
    const [row] = await tx.query<RowOf<typeof reconciliations>>(LOCK, [accountId, environment]);
    return row === undefined ? INITIAL_PROGRESS : toProgress(row);
  } catch (error) {
    throw isLockTimeout(error) ? new ReconciliationBusy(error) : error;
  }
}

/** Changes the progress under its row lock. Refuses with `ReconciliationBusy` as `lockReconciliation` does. */
export async function updateReconciliationProgress(
  tx: Tx,
  change: (before: ReconciliationProgress) => Partial<ReconciliationProgress>,
): Promise<ReconciliationProgress> {
  const { accountId, environment } = tx.scope;
  const before = await lockProgress(tx);
  const next = { ...before, ...change(before) };
  tx.enqueue(SAVE, [
    ...[accountId, environment, next.reconciledTo, next.listedAt, next.listError],
    ...[next.requested?.from ?? null, next.requested?.to ?? null, next.chainCursor],
    ...[next.auditCursor === null ? null : JSON.stringify(next.auditCursor), next.chainsCheckedAt, next.nextPassAt],
  ]);
  return next;
}

const BEGIN = defineSeparateChange(
  'schedule_reconciliation',
  `insert into timers (account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat, account_due_at)
   select $1, world.environment, 'reconciliation', checked.subject,
     $2::timestamptz + (abs(hashtext($1::text)::bigint) % 86400) * interval '1 second', $3, 0, 0, true, null
   from (values ('sandbox'), ('production')) as world (environment)
   cross join (values ('acquirer'), ('chains')) as checked (subject)
   on conflict (account_id, environment, kind, subject) do nothing`,
);

/** Gives a new account its daily checks; the accounts of a server are spread over the day. */
export function scheduleReconciliation(tx: Tx): void {
  const firstAt = new Date(tx.databaseNow.getTime() + FIRST_CHECK_MS);
  tx.enqueue(BEGIN, [tx.scope.accountId, firstAt, tx.databaseNow.getTime()]);
}

const FIRST_CHECK_MS = 24 * 60 * 60 * 1000;

const BEGIN_SERVICE = defineSeparateChange(
  'schedule_service_reconciliation',
  `insert into timers (account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat, account_due_at)
   values ($1, $2, 'reconciliation', 'chains', $3, $4, 0, 0, true, null)
   on conflict (account_id, environment, kind, subject) do nothing`,
);

/**
 * Begins the daily check of the audit log of the service, in the scope of the service; does nothing when it has begun.
 * No account's creation begins it, and a migration stores no rows that a cluster would have to distribute.
 */
export function scheduleServiceReconciliation(tx: Tx): void {
  const { accountId, environment } = tx.scope;
  const firstAt = new Date(tx.databaseNow.getTime() + FIRST_SERVICE_CHECK_MS);
  tx.enqueue(BEGIN_SERVICE, [accountId, environment, firstAt, tx.databaseNow.getTime()]);
}

const FIRST_SERVICE_CHECK_MS = 60 * 60 * 1000;

const OPEN_DAYS = defineStatement(
  'list_days_with_open_differences',
  `select distinct date_bin('15 minutes', happened_at, timestamptz '2000-01-01 00:00:00Z') as at
   from reconciliation_differences
   where account_id = $1 and environment = $2 and state = 'Open' and kind <> 'BrokenChain'
     and happened_at >= $3 and happened_at < $4
   order by at`,
);

/**
 * The begins of the days in a span that have an open difference, by the calendar of the zone, oldest first. The runtime
 * knows the zones, not the database; no zone begins its day within a quarter of an hour.
 */
export async function listDaysWithOpenDifferences(
  reader: Reader,
  span: { readonly from: Date; readonly to: Date; readonly timeZone: string },
): Promise<Date[]> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<{ at: Date }>(OPEN_DAYS, [accountId, environment, span.from, span.to]);
  const days = new Set(rows.map(({ at }) => toZonedDay(at, span.timeZone)));
  return [...days].map((day) => toZonedMoment(day, span.timeZone));
}

const HAS_CALLS = defineStatement(
  'has_acquirer_calls',
  `select exists (select from acquirer_calls where account_id = $1 and environment = $2) as has_calls`,
);

/** Whether the account has ever called the acquirer in this environment. */
export async function hasAcquirerCalls(reader: Reader): Promise<boolean> {
  const { accountId, environment } = reader.scope;
  const [row] = await reader.query<{ has_calls: boolean }>(HAS_CALLS, [accountId, environment]);
  return row?.has_calls ?? false;
}

function toProgress(row: RowOf<typeof reconciliations>): ReconciliationProgress {
  const { requested_from: from, requested_to: to } = row;
  return {
    reconciledTo: row.reconciled_to,
    listedAt: row.listed_at,
    listError: row.list_error,
    requested: from === null || to === null ? null : { from, to },
    chainCursor: row.chain_cursor,
    auditCursor: row.audit_cursor,
    chainsCheckedAt: row.chains_checked_at,
    nextPassAt: row.next_pass_at,
  };
}
