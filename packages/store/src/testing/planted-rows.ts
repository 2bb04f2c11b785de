import type { Scope } from '@pos/core/identity';
import type pg from 'pg';

/** A row to plant: what searches compare, and nothing else of meaning. */
export interface PlantedRow {
  readonly id: string;
  readonly status: string;
  readonly createdAt: Date;
  readonly customerId?: string | null;
}

type Columns = Readonly<Record<string, string>>;

/** What an intent needs besides what is planted, as SQL over `planted`. */
const INTENT: Columns = {
  ...{ version: '1', capture_mode: `'Auto'`, currency: `'GBP'`, amount: '100', authorized: '0', captured: '0' },
  ...{
    pending_capture: '0',
    pending_refund: '0',
    refunded: '0',
    reference: `'a'`,
    metadata: `'{}'`,
    details: `case
    when planted.customer is null then '{}'::jsonb
    else jsonb_build_object('customer', jsonb_build_object('customerId', planted.customer)) end`,
  },
  ...{ card_holder_not_present: 'true', payment_methods: `'{}'`, payment_source: `'Online'` },
  ...{ expire_at: 'planted.at', chain_head: `''`, chain_length: '0', updated_at: 'planted.at' },
};

const TRANSACTION: Columns = {
  ...{
    // Unique in the account, also for rows of several open transactions.
    legacy_id: `('x' || substr(md5(planted.id), 1, 12))::bit(48)::bigint + 1`,
    acquirer_reference: 'planted.id',
    type: `'Sale'`,
    currency: `'GBP'`,
    amount: '100',
  },
  ...{ tips_amount: '0', cashback_amount: '0', auth_code: `''`, is_charge: 'false', updated_at: 'planted.at' },
};

/** Inserts the intents with one statement. */
export function plantIntents(owner: pg.Client, scope: Scope, rows: readonly PlantedRow[]): Promise<void> {
  return plant(owner, scope, { relation: 'payment_intents', columns: INTENT, rows });
}

/** Inserts the transactions with one statement. */
export function plantTransactions(owner: pg.Client, scope: Scope, rows: readonly PlantedRow[]): Promise<void> {
  return plant(owner, scope, { relation: 'transactions', columns: TRANSACTION, rows });
}

async function plant(
  owner: pg.Client,
  { accountId, environment }: Scope,
  { relation, columns, rows }: { relation: string; columns: Columns; rows: readonly PlantedRow[] },
): Promise<void> {
  await owner.query(
    `insert into ${relation} (account_id, environment, id, status, created_at, ${Object.keys(columns).join(', ')})
     select $1, $2, planted.id, planted.status, planted.at, ${Object.values(columns).join(', ')}
     from unnest($3::text[], $4::text[], $5::timestamptz[], $6::text[]) with ordinality
       as planted(id, status, at, customer, number)`,
    [
      ...[accountId, environment, rows.map(({ id }) => id), rows.map(({ status }) => status)],
      ...[rows.map(({ createdAt }) => createdAt), rows.map(({ customerId = null }) => customerId)],
    ],
  );
}

export interface PlantedDeliveries {
  readonly subscriptionId: string;
  readonly rows: readonly PlantedRow[];
  /** The number of deliveries before these: their events are about other subjects. */
  readonly after?: number;
}

/** Inserts deliveries to one subscription, each of an event of its own in its own lane; ten events are about one subject. */
export async function plantDeliveries(
  owner: pg.Client,
  { accountId, environment }: Scope,
  { subscriptionId, rows, after = 0 }: PlantedDeliveries,
): Promise<void> {
  const [ids, states] = [rows.map(({ id }) => id), rows.map(({ status }) => status)];
  const times = rows.map(({ createdAt }) => createdAt);
  await owner.query(
    `insert into events (account_id, environment, id, kind, subject_id, number, body, created_at, recorded_at)
     select $1, $2, 'evt_' || substr(id, 5), 'payment_intent.created', 'subject_' || (number + $5) / 10, number, '', at, at
     from unnest($3::text[], $4::timestamptz[]) with ordinality planted(id, at, number)`,
    [accountId, environment, ids, times, after],
  );
  await owner.query(
    `insert into deliveries (account_id, environment, lane_key, number, id, event_id, subscription_id, state, attempts,
       created_at, updated_at)
     select $1, $2, 'lane_' || id, 1, id, 'evt_' || substr(id, 5), $6, state, 1, at, at
     from unnest($3::text[], $4::text[], $5::timestamptz[]) with ordinality planted(id, state, at, number)`,
    [accountId, environment, ids, states, times, subscriptionId],
  );
}
