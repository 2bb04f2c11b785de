import { ACQUIRER_CALL_KINDS } from '@pos/core/acquirer-calls';
import { ENVIRONMENTS, type Environment } from '@pos/core/identity';
import { DIFFERENCE_KINDS } from '@pos/core/ledger';
import { PLACEMENT_STATES } from '@pos/core/orders';
import { TABLE_PAYMENT_STATES } from '@pos/core/tables';
import type { Database } from '../database/database.js';
import { defineStatement } from '@pos/postgres/statements';

/** What is counted over all accounts of an environment. */
export type StateSubject =
  | 'lane.ready'
  | 'lane.blocked'
  | 'timer.due'
  | 'acquirer-call.open'
  | 'payment.pending'
  | 'placement.pending'
  | 'alarm.unanswered'
  | 'difference.open'
  | 'settlement.awaited'
  | 'books.unread'
  | 'lease.open';

/**
 * A count over all accounts, at most `STATE_COUNT_MAX`. Where money waits, these are the oldest rows of the label, so
 * the age is exact however many there are.
 */
export interface StateCount {
  readonly subject: StateSubject;
  readonly environment: Environment;
  /** The kind or state that is counted. */
  readonly label: string;
  readonly count: number;
  /** How long the oldest one waits; null where nothing waits for a time. */
  readonly oldestAgeSeconds: number | null;
  /** The money of the counted rows in minor units, by currency. Empty where the rows have no amount. */
  readonly amounts: Readonly<Record<string, number>>;
}

/** The state of the whole service. */
export interface ServiceState {
  readonly counts: readonly StateCount[];
  readonly databaseBytes: number;
}

/** More rows than this are not counted, so that a scrape stays cheap while a queue grows. */
export const STATE_COUNT_MAX = 10_000;

/** Lanes by who receives their deliveries, as they are claimed. Each has an index of its own. */
const TRAFFIC = [
  { label: 'webhooks', condition: 'not is_replay and not is_epos' },
  { label: 'replays', condition: 'is_replay' },
  { label: 'epos', condition: 'is_epos' },
] as const;

/** Rows of one relation, read along a partial index and bounded. */
interface CountedRows {
  readonly subject: StateSubject;
  /** Gives `environment`, `label` and `since`, and with an amount also `currency` and `amount`. */
  readonly rows: string;
  readonly hasAmount?: boolean;
}

const ROWS: readonly CountedRows[] = [
  ...TRAFFIC.flatMap(({ label, condition }) => [
    {
      subject: 'lane.ready' as const,
      rows: `select environment, '${label}' as label, ready_at as since from lanes
       where ready_at is not null and ${condition} and ready_at <= now() order by ready_at`,
    },
    {
      subject: 'lane.blocked' as const,
      // Only a failed attempt, or a receiver that is not there, makes a lane due later than now.
      rows: `select environment, '${label}' as label, null::timestamptz as since from lanes
       where ready_at is not null and ${condition} and ready_at > now()
         and (leased_until is null or leased_until <= now()) order by ready_at`,
    },
  ]),
  {
    subject: 'timer.due',
    rows: `select environment, kind as label, ready_at as since from timers where ready_at <= now() order by ready_at`,
  },
  ...listByAge('acquirer-call.open', ACQUIRER_CALL_KINDS, {
    since: 'deadline_at',
    from: `acquirer_calls where state in ('Prepared', 'Sent', 'Unknown') and reverse_reference is null
      and deadline_at < now() and kind`,
    amount: 'amount',
  }),
  ...listByAge('payment.pending', without(TABLE_PAYMENT_STATES, ['Started', 'Recorded', 'GivenBack', 'Ended']), {
    since: 'since',
    from: `table_payments where state not in ('Started', 'Recorded', 'GivenBack', 'Ended') and state`,
    amount: 'base_amount + gratuity_amount + cashback_amount',
  }),
  ...listByAge('placement.pending', without(PLACEMENT_STATES, ['Waiting', 'Completed', 'GivenBack', 'Ended']), {
    since: 'since',
    from: `order_placements where state not in ('Waiting', 'Completed', 'GivenBack', 'Ended') and state`,
    amount: 'total_amount + gratuity_amount',
  }),
  {
    subject: 'alarm.unanswered',
    rows: `select environment, kind as label, null::timestamptz as since from alarms
       where answered_at is null order by account_id, environment`,
  },
  ...listByAge('difference.open', DIFFERENCE_KINDS, {
    since: 'first_seen_at',
    from: `reconciliation_differences where state = 'Open' and kind`,
    amount: null,
  }),
  {
    subject: 'settlement.awaited',
    rows: `select environment, acquirer as label, since from uncompared_days
       where reason = 'WaitingForSettlement' order by since`,
  },
  {
    subject: 'books.unread',
    rows: `select environment, acquirer as label, since from uncompared_days
       where reason = 'BooksUnread' order by since`,
  },
  {
    subject: 'lease.open',
    // A lease is held as long as its payer sits: no age of it is too old.
    rows: `select environment, state as label, null::timestamptz as since from session_leases
       where state in ('Held', 'Lost') order by account_id, environment`,
  },
];

/** Where rows wait that have an index by environment, label and time. `from` ends with the column of the label. */
interface WaitingRows {
  readonly since: string;
  readonly from: string;
  readonly amount: string | null;
}

/**
 * The oldest rows of each label. One query for all labels would stop at rows of the frequent ones, and show no age of a
 * rare one.
 */
function listByAge(
  subject: StateSubject,
  labels: readonly string[],
  { since, from, amount }: WaitingRows,
): CountedRows[] {
  const money = amount === null ? '' : `, currency, ${amount} as amount`;
  return ENVIRONMENTS.flatMap((environment) =>
    labels.map((label) => ({
      subject,
      rows: `select environment, '${label}' as label, ${since} as since${money} from ${from} = '${label}'
         and environment = '${environment}' order by ${since}`,
      hasAmount: amount !== null,
    })),
  );
}

function without<Label extends string>(labels: readonly Label[], ended: readonly Label[]): Label[] {
  return labels.filter((label) => !ended.includes(label));
}

/** One statement over all accounts, for monitoring only. No part of it reads more than its index of open rows. */
export const SERVICE_STATE = defineStatement(
  'read_service_state',
  `${ROWS.map(
    ({ subject, rows, hasAmount = false }) =>
      `select '${subject}' as subject, environment, label, count(*)::integer as count,
       extract(epoch from now() - min(since))::float8 as oldest_age_seconds,
       ${hasAmount ? 'currency, sum(amount)::float8 as amount' : 'null as currency, null::float8 as amount'}
     from (${rows} limit ${STATE_COUNT_MAX}) counted group by environment, label${hasAmount ? ', currency' : ''}`,
  ).join('\n   union all\n   ')}
   union all
   select 'database', 'sandbox', '', 0, pg_database_size(current_database())::float8, null, null`,
);

interface StateRow {
  readonly subject: StateSubject | 'database';
  readonly environment: Environment;
  readonly label: string;
  readonly count: number;
  readonly oldest_age_seconds: number | null;
  readonly currency: string | null;
  readonly amount: number | null;
}

/** Reads the state of the service over all accounts and both environments. */
export async function readServiceState(database: Database): Promise<ServiceState> {
  const rows = await database.readSystem((reader) => reader.query<StateRow>(SERVICE_STATE, []));
  return {
    counts: joinCurrencies(rows),
    databaseBytes: rows.find(({ subject }) => subject === 'database')?.oldest_age_seconds ?? 0,
  };
}

/** One count for each subject, environment and label: rows with money arrive by currency. */
function joinCurrencies(rows: readonly StateRow[]): StateCount[] {
  const counts = new Map<string, StateCount>();
  for (const { subject, environment, label, count, oldest_age_seconds: age, currency, amount } of rows) {
    if (subject === 'database') continue;
    const key = [subject, environment, label].join();
    const known = counts.get(key);
    const ages = [known?.oldestAgeSeconds ?? null, age].filter((each) => each !== null);
    counts.set(key, {
      ...{ subject, environment, label },
      count: (known?.count ?? 0) + count,
      oldestAgeSeconds: ages.length === 0 ? null : Math.max(...ages),
      amounts: { ...known?.amounts, ...(currency !== null && { [currency]: amount ?? 0 }) },
    });
  }
  return [...counts.values()];
}
