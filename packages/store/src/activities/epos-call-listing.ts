import type { ActivityDetails, ActivityOutcome } from '@pos/core/activities';
import type { Reader } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';
import { SCANNED_MAX } from './request-listing.js';

/** A call to the EPOS of an account that has ended. */
export interface EposCallActivity {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly outcome: ActivityOutcome;
  readonly status: number | null;
  readonly reason: string | null;
  readonly subjectId: string | null;
  readonly traceId: string;
  readonly tookMs: number;
  readonly details: ActivityDetails;
}

const NEWEST = defineStatement(
  'list_newest_epos_calls',
  `with scanned as (
     select trace_id, id, kind, created_at from activities where account_id = $1 and environment = $2
     order by created_at desc, id desc limit ${SCANNED_MAX}
   ), calls as (
     select trace_id, id from scanned where kind = 'EposCall' order by created_at desc, id desc limit $3
   )
   select a.id, a.name, a.created_at as "createdAt", a.outcome, a.status, a.reason, a.subject_id as "subjectId",
     a.trace_id as "traceId", a.took_ms as "tookMs", a.details
   from calls join activities a
     on a.account_id = $1 and a.environment = $2 and a.trace_id = calls.trace_id and a.id = calls.id
   order by a.created_at desc, a.id desc`,
);

/** The newest calls to the EPOS among the newest 10,000 entries of the log, newest first. */
export function listNewestEposCalls(reader: Reader, limit: number): Promise<EposCallActivity[]> {
  return reader.query<EposCallActivity>(NEWEST, [reader.scope.accountId, reader.scope.environment, limit]);
}
