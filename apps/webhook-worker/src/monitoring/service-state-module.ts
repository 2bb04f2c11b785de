import { Inject, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ENVIRONMENTS } from '@pos/core/identity';
import { addCollector, defineGauge, type Gauge } from '@pos/service-kit/metrics';
import { CONFIG } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import { readServiceState, type ServiceState, type StateSubject } from '@pos/store/monitoring';
import type { Config } from '../config/config.js';

/** A subject as gauges: how many there are, how long the oldest one waits, and how much money waits. */
interface SubjectGauges {
  readonly label: string;
  readonly count: Gauge<string>;
  readonly age: Gauge<string> | null;
  readonly money: Gauge<string> | null;
  /** The labels that are always scraped, also with zero; others appear with the first row. */
  readonly always: readonly string[];
}

const COUNTED = 'Over all accounts; at most 10000 are counted.';
const TRAFFIC = ['webhooks', 'replays', 'epos'] as const;

const GAUGES: Readonly<Record<StateSubject, SubjectGauges>> = {
  'lane.ready': defineSubject('pos_lanes_ready', {
    ...{ label: 'traffic', always: TRAFFIC },
    help: `Lanes of deliveries that are due and that no worker has claimed, by traffic. ${COUNTED}`,
    ageName: 'pos_lanes_oldest_ready_age_seconds',
    ageHelp: 'How long the longest waiting of these lanes is due.',
  }),
  'lane.blocked': defineSubject('pos_lanes_blocked', {
    ...{ label: 'traffic', always: TRAFFIC },
    help: `Lanes whose next delivery waits after a failed attempt, by traffic. ${COUNTED}`,
  }),
  'timer.due': defineSubject('pos_timers_due', {
    ...{ label: 'kind', always: [] },
    help: `Timers that are due and that no process has claimed, by kind. ${COUNTED}`,
    ageName: 'pos_timers_oldest_due_age_seconds',
    ageHelp: 'How long the longest waiting timer of a kind is due.',
  }),
  'acquirer-call.open': defineSubject('pos_acquirer_open_outcomes', {
    ...{ label: 'kind', always: [] },
    help: `Calls to an acquirer whose outcome is unknown after their deadline, by kind. ${COUNTED}`,
    ageName: 'pos_acquirer_open_outcome_oldest_age_seconds',
    ageHelp: 'How long the oldest unknown outcome of a kind is past its deadline.',
    moneyName: 'pos_acquirer_open_outcome_minor_units',
    moneyHelp: 'The money of the counted unknown outcomes, in minor units of its currency.',
  }),
  'payment.pending': defineSubject('pos_pending_payments', {
    ...{ label: 'state', always: [] },
    help: `Payments at tables that are approved and neither recorded nor returned, by state. ${COUNTED}`,
    ageName: 'pos_pending_payments_oldest_age_seconds',
    ageHelp: 'How long the oldest pending payment of a state is approved.',
    moneyName: 'pos_pending_payments_minor_units',
    moneyHelp: 'The money of the counted pending payments, in minor units of its currency.',
  }),
  'placement.pending': defineSubject('pos_pending_orders', {
    ...{ label: 'state', always: [] },
    help: `Orders paid in advance that are neither completed nor returned, by state. ${COUNTED}`,
    ageName: 'pos_pending_orders_oldest_age_seconds',
    ageHelp: 'How long the oldest pending order of a state is pending.',
    moneyName: 'pos_pending_orders_minor_units',
    moneyHelp: 'The money of the counted pending orders, in minor units of its currency.',
  }),
  'alarm.unanswered': defineSubject('pos_alarms_unanswered', {
    ...{ label: 'kind', always: [] },
    help: `Alarms that no operator has answered, by kind. ${COUNTED}`,
  }),
  'difference.open': defineSubject('pos_reconciliation_differences_open', {
    ...{ label: 'kind', always: [] },
    help: `Differences between the books that no operator has answered, by kind. ${COUNTED}`,
    ageName: 'pos_reconciliation_difference_oldest_age_seconds',
    ageHelp: 'How long the oldest open difference of a kind is known.',
  }),
  'settlement.awaited': defineSubject('pos_settlement_awaited_days', {
    ...{ label: 'acquirer', always: [] },
    help: `Days of accounts whose calls wait for settlement files, by acquirer. ${COUNTED}`,
    ageName: 'pos_settlement_awaited_oldest_age_seconds',
    ageHelp: 'How long the longest waiting of these days is compared without its files.',
  }),
  'books.unread': defineSubject('pos_reconciliation_unread_days', {
    ...{ label: 'acquirer', always: [] },
    help: `Days of accounts that are not compared because the books of the acquirer could not be read. ${COUNTED}`,
    ageName: 'pos_reconciliation_unread_oldest_age_seconds',
    ageHelp: 'How long the books of an acquirer could not be read.',
  }),
  'lease.open': defineSubject('pos_session_leases', {
    ...{ label: 'state', always: [] },
    help: `Leases of table sessions that are held, or lost and not yet released, by state. ${COUNTED}`,
  }),
};

const DATABASE_BYTES = defineGauge({
  name: 'pos_database_size_bytes',
  help: 'Size of the database with its indexes, without the write-ahead log.',
  labels: [],
});
const DATABASE_LIMIT_BYTES = defineGauge({
  name: 'pos_database_size_limit_bytes',
  help: 'The setting `DATABASE_SIZE_MAX_BYTES`: how large the database may become.',
  labels: [],
});
const READ_AT = defineGauge({
  name: 'pos_service_state_timestamp_seconds',
  help: 'When the counts over all accounts were read last, in seconds since 1970.',
  labels: [],
});

/** Several scrapes within this time share one statement. */
const STATE_AGE_MS_MAX = 2_000;

/**
 * Reads the counts over all accounts when they are scraped, with one statement at most every few seconds. While the
 * database does not answer, there are none: an old count would hide the outage.
 */
@Module({})
export class ServiceStateModule implements OnApplicationBootstrap, OnApplicationShutdown {
  #removeCollector: (() => void) | null = null;
  #readAtMs = -Infinity;
  #reading: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'DATABASE_SIZE_MAX_BYTES'>,
  ) {}

  onApplicationBootstrap(): void {
    this.#removeCollector = addCollector(() => this.#refresh());
  }

  onApplicationShutdown(): void {
    this.#removeCollector?.();
  }

  #refresh(): Promise<void> {
    if (performance.now() - this.#readAtMs < STATE_AGE_MS_MAX) return Promise.resolve();
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    let state: ServiceState;
    try {
      state = await readServiceState(this.database);
    } catch (error) {
      clearGauges();
      throw error;
    }
    this.#readAtMs = performance.now();
    publishState(state);
    const { DATABASE_SIZE_MAX_BYTES: limit } = this.config;
    if (limit !== undefined) DATABASE_LIMIT_BYTES.set({}, limit);
    READ_AT.set({}, (performance.timeOrigin + this.#readAtMs) / 1_000);
  }
}

function publishState({ counts, databaseBytes }: ServiceState): void {
  clearGauges();
  for (const { label, count, age, always } of Object.values(GAUGES)) {
    for (const environment of ENVIRONMENTS) {
      for (const value of always) {
        count.set({ environment, [label]: value }, 0);
        age?.set({ environment, [label]: value }, 0);
      }
    }
  }
  for (const { subject, environment, label: value, count, oldestAgeSeconds, amounts } of counts) {
    const gauges = GAUGES[subject];
    const labels = { environment, [gauges.label]: value };
    gauges.count.set(labels, count);
    gauges.age?.set(labels, Math.max(0, oldestAgeSeconds ?? 0));
    for (const [currency, amount] of Object.entries(amounts)) gauges.money?.set({ ...labels, currency }, amount);
  }
  DATABASE_BYTES.set({}, databaseBytes);
}

function clearGauges(): void {
  for (const { count, age, money } of Object.values(GAUGES)) {
    count.clear();
    age?.clear();
    money?.clear();
  }
  DATABASE_BYTES.clear();
}

/** The names and texts of the gauges of a subject. */
interface SubjectDefinition {
  readonly label: string;
  readonly always: readonly string[];
  readonly help: string;
  readonly ageName?: string;
  readonly ageHelp?: string;
  readonly moneyName?: string;
  readonly moneyHelp?: string;
}

function defineSubject(name: string, definition: SubjectDefinition): SubjectGauges {
  const { label, always, help, ageName, ageHelp = '', moneyName, moneyHelp = '' } = definition;
  const labels = ['environment', label];
  return {
    ...{ label, always },
    count: defineGauge<string>({ name, help, labels }),
    age: ageName === undefined ? null : defineGauge<string>({ name: ageName, help: ageHelp, labels }),
    money:
      moneyName === undefined
        ? null
        : defineGauge<string>({ name: moneyName, help: moneyHelp, labels: [...labels, 'currency'] }),
  };
}
