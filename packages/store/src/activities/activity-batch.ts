import type { ActivityDetails, NewActivity } from '@pos/core/activities';
import { requireValue } from '@pos/core/refusals';
import { ENVIRONMENTS, type Scope } from '@pos/core/identity';
import type { Database, Tx } from '../database/database.js';
import { defineStatement } from '@pos/postgres/statements';
import { insertRows } from '../relations/relation.js';
import type { DatabaseTime } from './database-time.js';
import { activities, type ActivityRow, prepareActivity, type PreparedActivity } from './activity-relation.js';

/** An activity that waits for its batch. */
export interface WaitingActivity {
  readonly scope: Scope;
  readonly row: PreparedActivity;
  /** On the monotonic clock of the process. */
  readonly startedAtMs: number;
}

/** The clocks of these accounts, and the time: one row without a clock. */
const CLOCKS = defineStatement(
  'read_sample',
  `select date_trunc('milliseconds', clock_timestamp()) as database_now, clock.account_id, clock.offset_ms::float8,
     clock.standing_at
   from (select) one left join (
     select c.account_id, c.offset_ms, c.standing_at from unnest($1::text[]) as held (account_id)
     join sandbox_clocks c on c.account_id = held.account_id and c.environment = $2
   ) clock on true`,
);

const INSERT = defineStatement(
  'insert_activity_batch',
  `insert into activities (account_id, environment, trace_id, id, kind, name, subject_id, outcome, status, reason, key_id,
     took_ms, details, created_at)
   select account_id, environment, trace_id, id, kind, name, subject_id, outcome, status, reason, key_id, took_ms,
     details::jsonb, created_at
   from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
     $9::integer[], $10::text[], $11::text[], $12::integer[], $13::text[], $14::timestamptz[])
     as each (account_id, environment, trace_id, id, kind, name, subject_id, outcome, status, reason, key_id, took_ms,
     details, created_at)
   on conflict (account_id, environment, trace_id, id) do nothing`,
);

interface ClockRow {
  readonly database_now: Date;
  readonly account_id: string | null;
  readonly offset_ms: number | null;
  readonly standing_at: Date | null;
}

/**
 * Stores activities of any accounts with one statement. They are dated by the clock of their account, however long they
 * have waited. A repeated batch stores nothing twice.
 */
export async function insertActivityBatch(
  database: Pick<Database, 'readSystem' | 'executeBatch'>,
  batch: readonly WaitingActivity[],
  time: DatabaseTime,
): Promise<void> {
  const clocks = await readClocks(database, batch, time);
  const column = (name: keyof PreparedActivity): unknown[] => batch.map(({ row }) => row[name]);
  await database.executeBatch(INSERT, [
    batch.map(({ scope }) => scope.accountId),
    batch.map(({ scope }) => scope.environment),
    ...BATCH_COLUMNS.map(column),
    batch.map(({ scope, startedAtMs }) => clocks.toTime(scope, startedAtMs)),
  ]);
}

/** In the order of the parameters. */
const BATCH_COLUMNS = [
  ...(['trace_id', 'id', 'kind', 'name', 'subject_id', 'outcome', 'status', 'reason', 'key_id', 'took_ms'] as const),
  'details',
] as const satisfies (keyof PreparedActivity)[];

const [SANDBOX] = ENVIRONMENTS;

async function readClocks(
  database: Pick<Database, 'readSystem'>,
  batch: readonly WaitingActivity[],
  time: DatabaseTime,
) {
  const sandboxes = batch.filter(({ scope }) => scope.environment === SANDBOX).map(({ scope }) => scope.accountId);
  let rows = await readSample(database, sandboxes, time);
  while (!time.isExact()) rows = await readSample(database, sandboxes, time);
  const byAccount = new Map(rows.map((row) => [row.account_id, row]));
  return {
    toTime: ({ accountId, environment }: Scope, atMs: number): Date => {
      const clock = environment === SANDBOX ? byAccount.get(accountId) : undefined;
      return clock?.standing_at ?? new Date(time.toDatabaseMs(atMs) + (clock?.offset_ms ?? 0));
    },
  };
}

async function readSample(
  database: Pick<Database, 'readSystem'>,
  sandboxes: readonly string[],
  time: DatabaseTime,
): Promise<readonly ClockRow[]> {
  return database.readSystem(async (reader) => {
    const requestedAtMs = performance.now();
    const rows = await reader.query<ClockRow>(CLOCKS, [[...new Set(sandboxes)], SANDBOX]);
    const databaseMs = requireValue(rows[0], 'the time').database_now.getTime();
    time.addSample({ databaseMs, requestedAtMs, receivedAtMs: performance.now() });
    return rows;
  });
}

/** Stores activities in the transaction that they led to. */
export function insertActivities(tx: Tx, ended: readonly NewActivity[]): void {
  const rows = ended.map((activity): ActivityRow => {
    const { details, ...row } = prepareActivity(activity);
    const agoMs = Math.max(0, performance.now() - activity.startedAtMs);
    const createdAt = tx.isClockFrozen ? tx.now : new Date(tx.now.getTime() - agoMs);
    return { ...row, details: JSON.parse(details) as ActivityDetails, created_at: createdAt };
  });
  insertRows(tx, activities, rows);
}
