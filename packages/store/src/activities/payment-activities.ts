import type { ActivityDetails, ActivityOutcome, PaymentActivityKind } from '@pos/core/activities';
import type { PaymentIntentId } from '@pos/core/identity';
import type { Reader } from '../database/transaction.js';
import { buildPage, type Cursor, type Direction, DIRECTIONS, type Page, startValues } from '../database/page.js';
import { defineStatement } from '@pos/postgres/statements';

/** One step of a payment: from the activity log, or from the row that says it. */
export interface PaymentActivity {
  /** Orders the steps of one millisecond, and names the step in a cursor. */
  readonly id: string;
  readonly kind: PaymentActivityKind;
  readonly name: string;
  readonly subjectId: string;
  readonly traceId: string | null;
  readonly outcome: ActivityOutcome | null;
  readonly status: number | null;
  readonly reason: string | null;
  readonly tookMs: number | null;
  readonly details: ActivityDetails;
  readonly createdAt: Date;
}

/** The form of the ids of steps. */
export function isPaymentActivityId(id: string): boolean {
  return /^[1-6]\.[\w.-]{1,120}$/.test(id);
}

/** Reports of a machine change these statuses; the others are decided by us. */
const REPORTED_STATUSES = [
  'Initiated',
  'SignatureVerificationRequired',
  'Authorized',
  'Captured',
  'Declined',
  'Canceled',
];
const REPORTED = REPORTED_STATUSES.map((status) => `'${status}'`).join(', ');

/**
 * A session that is Declined by an approval, which was over another amount or which the acquirer denies: what the machine
 * has approved is in the call that it made.
 */
const DENIED_APPROVAL = `case when e.name = 'Declined' and c.result ->> 'kind' = 'approved'
           then jsonb_build_object('answer', jsonb_build_object('outcome', 'approved', 'amount', c.result -> 'approval' -> 'amount'))
           else '{}'::jsonb end`;

/** An EPOS is called before its bill is paid and after its last payment: for the bill, the lock and its release. */
const TABLE_MARGIN = `interval '30 seconds'`;

/** Steps of one millisecond are in the order in which one leads to the next. */
const RANKS = `case kind when 'ApiRequest' then '1.' when 'EposCall' then '2.' when 'AcquirerCall' then '3.' else '6.' end`;

const STATEMENTS = { older: defineListing('older'), newer: defineListing('newer') };

/**
 * A page of everything that happened to a payment, newest first: from the activity log, the histories of the intent and
 * of its sessions on machines, and the calls to the acquirer that the log has lost.
 */
export async function listPaymentActivities(
  reader: Reader,
  intentId: PaymentIntentId,
  page: { readonly limit: number; readonly cursor: Cursor | null; readonly direction: Direction; readonly now: Date },
): Promise<Page<PaymentActivity>> {
  const { limit, cursor, direction, now } = page;
  const rows = await reader.query<PaymentActivity>(STATEMENTS[direction], [
    ...[reader.scope.accountId, reader.scope.environment, intentId],
    ...startValues(page),
    limit + 1,
    now,
  ]);
  return buildPage(rows, { limit, direction, cursor });
}

/**
 * Rows of tables and of calls to the acquirer have the database's time, all others the account's. The difference is that
 * of now; for a table payment it is that of its creation, which created its intent.
 */
function defineListing(direction: Direction) {
  const { sign, order } = DIRECTIONS[direction];
  const isAfter = (at: string, id: string): string =>
    `(${at}, ${id} collate "C") ${sign} ($4::timestamptz, $5::text collate "C")`;
  const stepId = `${RANKS} || a.trace_id || '.' || a.id`;
  return defineStatement(
    `list_payment_activities_${direction}`,
    `with intent as (
       select id, created_at from payment_intents where account_id = $1 and environment = $2 and id = $3
     ), machine as (
       select id, created_at from terminal_sessions where account_id = $1 and environment = $2 and intent_id = $3
     ), acquirer as (
       select reference, kind, amount, currency, outcome, state, result, terminal_session_id, created_at
       from acquirer_calls where account_id = $1 and environment = $2 and intent_id = $3
     ), at_table as (
       select p.session_id, p.order_id,
         least(j.created_at, p.created_at) + (intent.created_at - p.created_at) - ${TABLE_MARGIN} as from_at,
         coalesce(j.finished_at + (intent.created_at - p.created_at) + ${TABLE_MARGIN}, 'infinity') as to_at
       from table_payments p join intent on intent.id = p.intent_id
       left join journeys j on j.account_id = p.account_id and j.environment = p.environment and j.id = p.journey_id
       where p.account_id = $1 and p.environment = $2 and p.intent_id = $3
     ), subject as (
       select id, '-infinity'::timestamptz as from_at, 'infinity'::timestamptz as to_at from intent
       union all select id, '-infinity', 'infinity' from machine
       union all select reference, '-infinity', 'infinity' from acquirer
       union all select session_id, from_at, to_at from at_table
       union all select order_id, from_at, to_at from at_table where order_id is not null
     ), step as (
       select logged.* from subject cross join lateral (
         select ${stepId} as id, a.kind, a.name, a.subject_id, a.trace_id, a.outcome, a.status, a.reason, a.took_ms,
           a.details, a.created_at
         from activities a
         where a.account_id = $1 and a.environment = $2 and a.subject_id = subject.id
           and a.created_at >= subject.from_at and a.created_at < subject.to_at
           and ${isAfter('a.created_at', `(${stepId})`)}
         order by a.created_at ${order}, (${stepId}) collate "C" ${order} limit $6
       ) logged
       union all
       select '5.' || lpad(e.number::text, 10, '0'), 'StateChange', e.event_type, e.intent_id, e.trace_id, null, null, null,
         null, jsonb_build_object('answer', jsonb_build_object('amount', e.details -> 'amount')), e.occurred_at
       from payment_events e where e.account_id = $1 and e.environment = $2 and e.intent_id = $3
       union all
       select '4.' || e.session_id || '.' || lpad(e.number::text, 10, '0'),
         case when e.kind = 'notification' or e.name in (${REPORTED}) then 'MachineReport' else 'StateChange' end,
         e.name, e.session_id, e.trace_id, null, null, null, null, ${DENIED_APPROVAL}, e.created_at
       from machine join terminal_session_events e
         on e.account_id = $1 and e.environment = $2 and e.session_id = machine.id
       left join acquirer c on c.terminal_session_id = machine.id and c.kind in ('Authorise', 'Refund')
       union all
       select '3.' || c.reference, 'AcquirerCall', c.kind, c.reference, null,
         case when c.outcome = 'Approved' then 'Succeeded' when c.outcome is null then 'Failed' else 'Refused' end, null,
         case when c.outcome is distinct from 'Approved' then coalesce(c.outcome, c.state) end, null,
         jsonb_build_object('request', jsonb_build_object('amount',
           jsonb_build_object('value', c.amount, 'currencyCode', c.currency)))
           || case when c.terminal_session_id is null then '{}'::jsonb else '{"transport": "machine"}'::jsonb end,
         coalesce(machine.created_at, c.created_at + ($7::timestamptz - date_trunc('milliseconds', clock_timestamp())))
       from acquirer c left join machine on machine.id = c.terminal_session_id
       where (c.terminal_session_id is not null and c.kind in ('Authorise', 'Refund')) or not exists (select from activities a
         where a.account_id = $1 and a.environment = $2 and a.subject_id = c.reference and a.kind = 'AcquirerCall')
     )
     select id, kind, name, subject_id as "subjectId", trace_id as "traceId", outcome, status, reason,
       took_ms as "tookMs", details, created_at as "createdAt"
     from step where ${isAfter('created_at', 'id')}
     order by created_at ${order}, id collate "C" ${order} limit $6`,
  );
}
