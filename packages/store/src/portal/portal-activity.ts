import { toZonedDay } from '@pos/core/time';
import type { Reader } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';

/** What was taken on one day, by the calendar of the zone, in one currency. */
export interface DayVolume {
  readonly day: string;
  readonly currencyCode: string;
  /** Minor units, with tips. */
  readonly amount: number;
  readonly payments: number;
}

/** The numbers of the overview of one scope. */
export interface PortalOverview {
  readonly days: readonly DayVolume[];
  /** Attempts to take or hold money. */
  readonly attempts: { readonly approved: number; readonly declined: number };
  /** Deliveries of webhooks of the last day. */
  readonly deliveries: {
    readonly delivered: number;
    readonly waiting: number;
    readonly deadLettered: number;
    /** Null without a delivery. */
    readonly medianMs: number | null;
  };
  /** Whether there are more rows than are counted. */
  readonly isLimited: boolean;
}

/** The rows that an overview reads at most. */
const ROWS_MAX = 20_000;

const VOLUME = defineStatement(
  'read_portal_volume',
  `with recent as (
     select created_at, currency, amount + tips_amount as taken, type, status from transactions
     where account_id = $1 and environment = $2 and created_at >= $3
     order by created_at desc, id desc limit $4)
   select date_bin('15 minutes', created_at, timestamptz '2000-01-01 00:00:00Z') as at, currency,
     sum(taken) filter (where type in ('Sale', 'Collection') and status = 'Authorized')::float8 as amount,
     count(*) filter (where type in ('Sale', 'Collection') and status = 'Authorized')::integer as payments,
     count(*) filter (where type in ('Sale', 'PreAuth') and status <> 'Declined')::integer as approved,
     count(*) filter (where type in ('Sale', 'PreAuth') and status = 'Declined')::integer as declined,
     count(*)::integer as rows_read
   from recent group by 1, 2 order by 1, 2`,
);
const DELIVERIES = defineStatement(
  'count_portal_deliveries',
  `with recent as (
     select d.state, d.updated_at - d.created_at as took from events e
     join deliveries d on d.account_id = e.account_id and d.environment = e.environment and d.event_id = e.id
     where e.account_id = $1 and e.environment = $2 and e.created_at >= $3 and d.subscription_id is not null
     order by e.created_at desc limit $4)
   select count(*) filter (where state = 'Delivered')::integer as delivered,
     count(*) filter (where state in ('Pending', 'Held'))::integer as waiting,
     count(*) filter (where state = 'DeadLettered')::integer as dead_lettered,
     (extract(epoch from percentile_disc(0.5) within group (order by took) filter (where state = 'Delivered')) * 1000)::float8
       as median_ms
   from recent`,
);

/** Counts what happened since a time, over a limited number of rows. */
export async function readPortalOverview(
  reader: Reader,
  span: { readonly volumeSince: Date; readonly deliveriesSince: Date; readonly timeZone: string },
): Promise<PortalOverview> {
  const { accountId, environment } = reader.scope;
  const [volume, deliveries] = await Promise.all([
    reader.query<VolumeRow>(VOLUME, [accountId, environment, span.volumeSince, ROWS_MAX]),
    reader.query<DeliveriesRow>(DELIVERIES, [accountId, environment, span.deliveriesSince, ROWS_MAX]),
  ]);
  const sum = (count: (row: VolumeRow) => number): number => volume.reduce((total, row) => total + count(row), 0);
  const [counted] = deliveries;
  return {
    days: sumDays(volume, span.timeZone),
    attempts: { approved: sum(({ approved }) => approved), declined: sum(({ declined }) => declined) },
    deliveries: {
      delivered: counted?.delivered ?? 0,
      waiting: counted?.waiting ?? 0,
      deadLettered: counted?.dead_lettered ?? 0,
      medianMs: counted?.median_ms ?? null,
    },
    isLimited: sum(({ rows_read: rows }) => rows) === ROWS_MAX,
  };
}

/** The runtime knows the zones, not the database; no zone begins its day within a quarter of an hour. */
function sumDays(rows: readonly VolumeRow[], timeZone: string): DayVolume[] {
  const days = new Map<string, DayVolume>();
  for (const { at, currency: currencyCode, amount, payments } of rows) {
    if (payments === 0) continue;
    const day = toZonedDay(at, timeZone);
    const before = days.get(`${day} ${currencyCode}`) ?? { day, currencyCode, amount: 0, payments: 0 };
    const sums = { amount: before.amount + (amount ?? 0), payments: before.payments + payments };
    days.set(`${day} ${currencyCode}`, { ...before, ...sums });
  }
  return [...days].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, volume]) => volume);
}

interface VolumeRow {
  readonly at: Date;
  readonly currency: string;
  readonly amount: number | null;
  readonly payments: number;
  readonly approved: number;
  readonly declined: number;
  readonly rows_read: number;
}

interface DeliveriesRow {
  readonly delivered: number;
  readonly waiting: number;
  readonly dead_lettered: number;
  readonly median_ms: number | null;
}

/** An event of the outbox without its content. */
export interface OutboxNotice {
  readonly id: string;
  readonly kind: string;
  readonly subjectId: string;
  readonly createdAt: Date;
}

const NOTICES = defineStatement(
  'list_outbox_notices',
  `select id, kind, subject_id, created_at from events
   where account_id = $1 and environment = $2 and created_at > $3 and id <> all($4::text[])
   order by created_at, id limit $5`,
);

/** The events of the scope that were written after a time, without those with the given ids, oldest first. */
export async function listOutboxNotices(
  reader: Reader,
  { after, except, limit }: { readonly after: Date; readonly except: readonly string[]; readonly limit: number },
): Promise<OutboxNotice[]> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<{ id: string; kind: string; subject_id: string; created_at: Date }>(NOTICES, [
    ...[accountId, environment, after, except, limit],
  ]);
  return rows.map((row) => ({ id: row.id, kind: row.kind, subjectId: row.subject_id, createdAt: row.created_at }));
}
