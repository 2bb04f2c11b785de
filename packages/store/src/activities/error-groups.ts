import type { Reader } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';

/** Unsuccessful requests with one operation, status and reason. */
export interface ErrorGroup {
  readonly name: string;
  readonly status: number | null;
  readonly reason: string | null;
  readonly count: number;
  readonly lastAt: Date;
  readonly lastTraceId: string;
}

/** The groups of a period, most frequent first, and the number of errors that were counted. */
export interface ErrorGroups {
  readonly groups: readonly ErrorGroup[];
  /** False: there were more errors, or more groups. The newest errors are counted. */
  readonly isComplete: boolean;
}

const ERRORS_COUNTED_MAX = 50_000;
const ERROR_GROUPS_MAX = 100;

const GROUPS = defineStatement(
  'group_errors',
  `with failed as materialized (
     select name, status, reason, trace_id, created_at, id from activities
     where account_id = $1 and environment = $2 and outcome <> 'Succeeded' and kind = 'ApiRequest'
       and created_at >= $3 and created_at < $4
     order by created_at desc, id desc limit $5
   )
   select name, status, reason, count(*)::int as count, max(created_at) as "lastAt",
     (array_agg(trace_id order by created_at desc, id desc))[1] as "lastTraceId",
     (select count(*)::int from failed) as counted
   from failed group by name, status, reason
   order by count(*) desc, max(created_at) desc, name, status, reason limit ${ERROR_GROUPS_MAX + 1}`,
);

/** Groups the unsuccessful requests of a period by operation, status and reason. */
export async function groupErrors(
  reader: Reader,
  {
    from,
    to,
    countedMax = ERRORS_COUNTED_MAX,
  }: { readonly from: Date; readonly to: Date; readonly countedMax?: number },
): Promise<ErrorGroups> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<ErrorGroup & { readonly counted: number }>(GROUPS, [
    ...[accountId, environment, from, to],
    countedMax + 1,
  ]);
  const counted = rows[0]?.counted ?? 0;
  return {
    groups: rows.slice(0, ERROR_GROUPS_MAX).map(({ counted: _counted, ...group }) => group),
    isComplete: counted <= countedMax && rows.length <= ERROR_GROUPS_MAX,
  };
}
