import type { SystemReader } from '../database/database.js';
import { defineStatement } from '@pos/postgres/statements';

/** Work that is due, over all accounts. Ages are in seconds. */
export interface ServiceBacklog {
  /** Deadlines that no worker has claimed for longer than a minute. */
  readonly overdueTimers: number;
  readonly oldestTimerSeconds: number | null;
  /** Lanes whose next delivery is due for longer than a minute. */
  readonly overdueLanes: number;
  readonly oldestLaneSeconds: number | null;
  /** Lanes whose receiver has refused several attempts in a row. */
  readonly blockedLanes: number;
  readonly unansweredAlarms: number;
}

const BACKLOG = defineStatement(
  'read_service_backlog',
  `select
     (select count(*)::int from timers where ready_at < $1) as "overdueTimers",
     (select extract(epoch from $2::timestamptz - min(ready_at))::float8 from timers where ready_at < $1)
       as "oldestTimerSeconds",
     (select count(*)::int from lanes where ready_at < $1) as "overdueLanes",
     (select extract(epoch from $2::timestamptz - min(ready_at))::float8 from lanes where ready_at < $1)
       as "oldestLaneSeconds",
     (select count(*)::int from lanes where ready_at is not null and failures >= $3) as "blockedLanes",
     (select count(*)::int from alarms where answered_at is null) as "unansweredAlarms"`,
);

const OVERDUE_MS = 60_000;
/** After so many attempts in a row without success a receiver counts as down. */
const FAILURES_MIN = 3;

/** Reads the backlog of the whole service at a time of the database. */
export async function readServiceBacklog(reader: SystemReader, databaseNow: Date): Promise<ServiceBacklog> {
  const before = new Date(databaseNow.getTime() - OVERDUE_MS);
  const [row] = await reader.query<ServiceBacklog>(BACKLOG, [before, databaseNow, FAILURES_MIN]);
  if (row === undefined) throw new Error('the database returned no backlog');
  return row;
}
