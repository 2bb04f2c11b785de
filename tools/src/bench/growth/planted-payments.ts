import type { Scope } from '@pos/core/identity';
import type { PlainClient } from '../load/plain-pool.js';

/** How much is planted: intents of one account, and the rows of all histories, webhooks and activities together. */
export interface GrowthSize {
  readonly intents: number;
  readonly events: number;
}

/** The rows that the API wrote and that are copied, and what the copies have in common. */
export interface GrowthTemplates {
  readonly intentId: string;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly terminalId: string;
}

/** Where the numbers of the copies of a relation are, and how a copy differs from its template. */
interface Copies {
  readonly relation: string;
  readonly count: number;
  /** SQL that holds for the template. Null: there is none, and `columns` has all required columns. */
  readonly template: string | null;
  /** SQL by column, over `n` (from 0) and the template `t`. */
  readonly columns: Readonly<Record<string, string>>;
}

/** A search of transactions reaches seven days back. All rows are within one. */
const PLANTED_MS = 6.5 * 24 * 60 * 60 * 1000;

/** A status is rare if five payments have it, however many there are. */
const RARE = 5;
const BATCH = 200_000;
const EVENTS_PER_INTENT = 3;
const ACTIVITIES_PER_INTENT = 2;
/** One of so many intents names a customer, always the same one. */
const INTENTS_PER_CUSTOMER = 1_000;
const INTENTS_PER_SESSION = 5;

/** Reads the relations in numbered rows. The same size and start give the same rows. */
export class PlantedPayments {
  readonly #stepMs: number;
  readonly #startMs: number;

  constructor(
    readonly size: GrowthSize,
    private readonly templates: GrowthTemplates,
    endAt: Date,
  ) {
    this.#stepMs = PLANTED_MS / size.intents;
    this.#startMs = endAt.getTime() - PLANTED_MS;
  }

  /** The time of an intent with this number, and of its rows. */
  timeOf(number: number): Date {
    return new Date(this.#startMs + Math.floor(number * this.#stepMs));
  }

  /** The customer that intents name. */
  customerId = '';

  /** Inserts everything and gathers the statistics. Returns the number of rows. */
  async plant(owner: PlainClient, scope: Scope, log: (line: string) => void): Promise<number> {
    const { rows: customers } = await owner.query<{ id: string }>(`select ${this.#customerIdSql()} as id`);
    this.customerId = customers[0]?.id ?? '';
    let rows = 0;
    for (const copies of this.#listCopies()) {
      await plantCopies(owner, scope, copies);
      // The next relation may refer to it: without statistics, each check of a reference reads the whole relation.
      await owner.query(`analyze ${copies.relation}`);
      rows += copies.count;
      log(`${copies.count} rows of ${copies.relation}`);
    }
    await owner.query('vacuum (analyze)');
    await owner.query('checkpoint');
    return rows;
  }

  #listCopies(): Copies[] {
    const { intents, events } = this.size;
    const webhooks = Math.max(1, Math.round(events / intents) - EVENTS_PER_INTENT - ACTIVITIES_PER_INTENT);
    return [
      this.#describeCustomers(Math.ceil(intents / INTENTS_PER_SESSION)),
      this.#describeIntents(intents),
      this.#describeTransactions(intents),
      this.#describeSessions(Math.ceil(intents / INTENTS_PER_SESSION)),
      this.#describePlacements(Math.ceil(intents / INTENTS_PER_SESSION)),
      this.#describeHistories(intents * EVENTS_PER_INTENT),
      this.#describeEvents(intents, webhooks),
      this.#describeDeliveries(intents),
      this.#describeActivities(intents * ACTIVITIES_PER_INTENT),
    ];
  }

  #describeCustomers(count: number): Copies {
    const at = this.#timeSql(`n * ${INTENTS_PER_SESSION}`);
    return {
      ...{ relation: 'customers', count, template: `t.id = '${this.templates.customerId}'` },
      columns: {
        id: idSql('cust_sandbox_', 'n', at),
        // One in twenty is an Ada, and five are a Zed.
        name: `case when n % ${this.#rareStep(count)} = 7 then 'Zed' else (array['Ada', 'Ben', 'Cat', 'Dan', 'Eve', 'Fay', 'Gil',
          'Hal', 'Ida', 'Jon', 'Kim', 'Lou', 'May', 'Ned', 'Ora', 'Pat', 'Quin', 'Rae', 'Sam', 'Tom'])[n % 20 + 1] end
          || ' Guest ' || n`,
        email_address: `'guest' || n || '@guest.example'`,
        ...timesSql(at),
      },
    };
  }

  #describeIntents(count: number): Copies {
    const at = this.#timeSql('n');
    const taken = `(${this.#statusSql(INTENT_STATUSES)}) in ('Captured', 'Refunded')`;
    return {
      ...{ relation: 'payment_intents', count, template: `t.id = '${this.templates.intentId}'` },
      columns: {
        id: idSql('pi_sandbox_', 'n', at),
        status: this.#statusSql(INTENT_STATUSES),
        reference: `'order ' || n`,
        authorized: `case when ${taken} then t.amount else 0 end`,
        captured: `case when ${taken} then t.amount else 0 end`,
        refunded: `case when (${this.#statusSql(INTENT_STATUSES)}) = 'Refunded' then t.amount else 0 end`,
        captured_at: `case when ${taken} then ${at} end`,
        details: `case when n % ${INTENTS_PER_CUSTOMER} = 0
          then t.details || jsonb_build_object('customer', jsonb_build_object('customerId', ${this.#customerIdSql()}))
          else t.details end`,
        // A sealed secret belongs to the id of its row.
        ...{ secret_hash: 'null', secret_ciphertext: 'null', secret_expire_at: 'null' },
        expire_at: `${at} + interval '1 hour'`,
        ...timesSql(at),
      },
    };
  }

  #describeHistories(count: number): Copies {
    return {
      ...{ relation: 'payment_events', count, template: `t.intent_id = '${this.templates.intentId}'` },
      columns: {
        intent_id: this.#intentIdSql(`n / ${EVENTS_PER_INTENT}`),
        number: `n % ${EVENTS_PER_INTENT} + 1`,
        occurred_at: this.#timeSql(`n / ${EVENTS_PER_INTENT}`),
      },
    };
  }

  #describeEvents(intents: number, perIntent: number): Copies {
    const at = this.#timeSql(`n / ${perIntent}`);
    return {
      ...{ relation: 'events', count: intents * perIntent, template: `t.subject_id = '${this.templates.intentId}'` },
      columns: {
        id: idSql('evt_', 'n', at),
        subject_id: this.#intentIdSql(`n / ${perIntent}`),
        number: `n % ${perIntent} + 1`,
        ...{ created_at: at, recorded_at: at },
      },
    };
  }

  #describeDeliveries(count: number): Copies {
    const { size, templates } = this;
    const perIntent = Math.max(1, Math.round(size.events / size.intents) - EVENTS_PER_INTENT - ACTIVITIES_PER_INTENT);
    const at = this.#timeSql('n');
    return {
      ...{ relation: 'deliveries', count, template: `t.subscription_id = '${templates.subscriptionId}'` },
      columns: {
        id: idSql('dlv_', 'n', at),
        lane_key: `replace(t.lane_key, '${templates.intentId}', ${this.#intentIdSql('n')})`,
        number: 'n + 1',
        event_id: idSql('evt_', `(n * ${perIntent})`, at),
        state: this.#statusSql(DELIVERY_STATES),
        ...{ attempts: '1', last_status: '204', next_attempt_at: 'null' },
        ...timesSql(at),
      },
    };
  }

  #describeActivities(count: number): Copies {
    const at = this.#timeSql(`n / ${ACTIVITIES_PER_INTENT}`);
    return {
      ...{ relation: 'activities', count, template: `t.subject_id = '${this.templates.intentId}'` },
      columns: {
        trace_id: `md5('trace ' || n)`,
        id: `substr(md5('activity ' || n), 1, 16)`,
        subject_id: this.#intentIdSql(`n / ${ACTIVITIES_PER_INTENT}`),
        outcome: `case when n % 50 = 7 then 'Refused' else 'Succeeded' end`,
        status: `case when n % 50 = 7 then 409 else 200 end`,
        created_at: at,
      },
    };
  }

  #describeTransactions(count: number): Copies {
    const at = this.#timeSql('n');
    return {
      ...{ relation: 'transactions', count, template: null },
      columns: {
        id: `regexp_replace(md5('transaction ' || n), '^(.{8})(.{4})(.{4})(.{4})(.{12})$', '\\1-\\2-\\3-\\4-\\5')`,
        ...{ legacy_id: 'n + 1', acquirer_reference: `'ref' || n`, type: `'Sale'`, currency: `'GBP'`, amount: '1250' },
        status: this.#statusSql(TRANSACTION_STATUSES),
        ...{ tips_amount: '0', cashback_amount: '0', auth_code: `'204711'`, is_charge: 'false' },
        ...{ intent_id: this.#intentIdSql('n'), reference: `'order ' || n`, payment_source: `'Online'` },
        ...timesSql(at),
      },
    };
  }

  #describeSessions(count: number): Copies {
    const at = this.#timeSql(`n * ${INTENTS_PER_SESSION}`);
    return {
      ...{ relation: 'terminal_sessions', count, template: null },
      columns: {
        ...{
          id: `'ts_sandbox_' || substr(md5('session ' || n), 1, 24)`,
          version: '3',
          terminal_id: `'${this.templates.terminalId}'`,
        },
        ...{ session_type: `'Sale'`, status: `'Captured'`, intent_id: this.#intentIdSql(`n * ${INTENTS_PER_SESSION}`) },
        ...{ acquirer_reference: `'machine' || n`, currency: `'GBP'`, base_amount: '1250', tips_amount: '0' },
        ...{ cashback_amount: '0', service_charge_amount: '0', capture: 'true', card_holder_not_present: 'false' },
        ...{ last_report: '3', card_presented: 'true', expire_at: at },
        ...timesSql(at),
      },
    };
  }

  #describePlacements(count: number): Copies {
    const at = this.#timeSql(`n * ${INTENTS_PER_SESSION}`);
    return {
      ...{ relation: 'order_placements', count, template: null },
      columns: {
        id: `regexp_replace(md5('placement ' || n), '^(.{8})(.{4}).(.{3}).(.{3})(.{12})$', '\\1-\\2-4\\3-8\\4-\\5')`,
        ...{ intent_id: this.#intentIdSql(`n * ${INTENTS_PER_SESSION}`), placed_order: `'{}'`, state: `'Completed'` },
        ...{ total_amount: '1250', gratuity_amount: '0', currency: `'GBP'`, order_id: `'order-' || n` },
        ...{ place_calls: '1', is_unanswered: 'false', is_hold_ending: 'false', is_money_gone: 'false', tries: '0' },
        ...{ may_order_stand: 'false', since: at, version: '3' },
        ...timesSql(at),
      },
    };
  }

  #intentIdSql(number: string): string {
    return idSql('pi_sandbox_', `(${number})`, this.#timeSql(number));
  }

  #customerIdSql(): string {
    return idSql('cust_sandbox_', '0', this.#timeSql('0'));
  }

  #timeSql(number: string): string {
    return `to_timestamp((${this.#startMs} + floor((${number}) * ${this.#stepMs}::numeric)) / 1000.0)`;
  }

  /** The newest half has the frequent status, which the default of a search leaves out. */
  #statusSql({ common, frequent, rare }: StatusNames): string {
    return `case when n % ${this.#rareStep(this.size.intents)} = 7 then '${rare}'
      when n < ${this.size.intents / 2} then '${common}' else '${frequent}' end`;
  }

  #rareStep(count: number): number {
    return Math.max(RARE * 2, Math.floor(count / RARE));
  }
}

interface StatusNames {
  readonly common: string;
  readonly frequent: string;
  readonly rare: string;
}
const INTENT_STATUSES = { common: 'Captured', frequent: 'Canceled', rare: 'Reversed' };
const TRANSACTION_STATUSES = { common: 'Authorized', frequent: 'Declined', rare: 'Expired' };
const DELIVERY_STATES = { common: 'Delivered', frequent: 'DeadLettered', rare: 'Held' };

const timesSql = (at: string) => ({ created_at: at, updated_at: at });

/** An id as the service draws it: six bytes of the time, then what differs. */
function idSql(prefix: string, number: string, at: string): string {
  const time = `substring(int8send((extract(epoch from ${at}) * 1000)::bigint) from 3)`;
  const rest = `substring(decode(md5('${prefix}' || ${number}), 'hex') from 1 for 10)`;
  return `'${prefix}' || rtrim(translate(encode(${time} || ${rest}, 'base64'), '+/', '-_'), '=')`;
}

/** Inserts numbered rows of one relation, copied from a template where it has one. */
export async function plantCopies(
  owner: PlainClient,
  { accountId, environment }: Scope,
  { relation, count, template, columns }: Copies,
): Promise<void> {
  const scoped: Readonly<Record<string, string>> = {
    account_id: `'${accountId}'`,
    environment: `'${environment}'`,
    ...columns,
  };
  const names = template === null ? Object.keys(scoped) : await listColumns(owner, relation);
  const values = names.map((name) => scoped[name] ?? `t.${name}`);
  const from = template === null ? '' : `cross join (select * from ${relation} t where ${template} limit 1) t`;
  for (let first = 0; first < count; first += BATCH) {
    await owner.query(
      `insert into ${relation} (${names.join(', ')}) select ${values.join(', ')}
       from generate_series($1::bigint, $2::bigint) as n ${from}`,
      [first, Math.min(first + BATCH, count) - 1],
    );
  }
}

/** The columns that a statement may write, without the transaction of the row. */
async function listColumns(owner: PlainClient, relation: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
     and attgenerated = '' and attname <> 'written_in'`,
    [relation],
  );
  return rows.map(({ name }) => name);
}
