import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { AcquirerCapabilities } from '@pos/core/acquirer';
import { AccountCache, type AcquirerName, type PaymentSettings } from '@pos/payments/accounts';
import { CapabilityRefresher } from '@pos/payments/acquirer';
import { AmountChanges, Captures, GiveBack, Refunds, Reversals } from '@pos/payments/captures-refunds';
import { Holds } from '@pos/payments/holds';
import { Customers } from '@pos/payments/customers';
import { AbandonedChallenges, AcquirerCalls, MachineApprovals } from '@pos/payments/acquirer-calls';
import { CardSetups, OnlinePayments } from '@pos/payments/online';
import { OperatorService } from '@pos/payments/operators';
import { OrderCapture, OrderPlacements } from '@pos/payments/orders';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { Receipts } from '@pos/payments/receipts';
import { ReconciliationService } from '@pos/payments/reconciliation';
import { SetupIntents } from '@pos/payments/setup-intents';
import { AcquirerProof, Journeys, Leases, TablePayments } from '@pos/payments/tables';
import { TerminalSessions } from '@pos/payments/terminals';
import { Database } from '@pos/store/database';
import { TimerQueue } from '@pos/store/queues';
import { AcquirerClients } from './acquirer-clients.js';
import { ACTIVITIES } from './database-module.js';
import { CONFIG, defineToken, listTokens, LOG, provide, type ValueToken } from '@pos/service-kit/nest';
import type { AcquirerSettings } from '@pos/service-kit/config';
import { PollingLoop } from '@pos/service-kit/lifecycle';
import type { Log } from '@pos/service-kit/telemetry';

/** The settings of the use cases. */
export const PAYMENT_SETTINGS: ValueToken<PaymentSettings> = defineToken('PAYMENT_SETTINGS');

/** What an app decides about the use cases, by its settings. */
export interface PaymentsModuleOptions {
  readonly settings: Omit<PaymentSettings, 'acquirers'>;
  /** How long an acquirer that does not answer is left alone; each call tries it when left out. */
  readonly circuitPauseMs?: number;
  /** How sessions are leased; the standard lease when left out. */
  readonly leases?: Leases;
}

const OPTIONS = defineToken<PaymentsModuleOptions>('PAYMENTS_MODULE_OPTIONS');

const accounts = AccountCache;
const database = Database;
const calls = AcquirerCalls;
const intents = PaymentIntents;
const sessions = TerminalSessions;
const leases = Leases;
const queue = TimerQueue;
const settings = PAYMENT_SETTINGS;

const FOUNDATION = [
  provide(PAYMENT_SETTINGS, { options: OPTIONS, clients: AcquirerClients }, ({ options, clients }) => ({
    ...options.settings,
    acquirers: clients.directory,
  })),
  provide(Leases, { options: OPTIONS }, ({ options }) => options.leases ?? new Leases()),
  provide(
    AcquirerClients,
    { config: CONFIG, log: LOG, options: OPTIONS },
    ({ config, log, options }) => new AcquirerClients(config, log, options.circuitPauseMs ?? null),
  ),
  provide(AccountCache, {}, () => new AccountCache()),
];

const INTENTS = [
  provide(PaymentIntents, { accounts, settings }, (parts) => new PaymentIntents(parts.accounts, parts.settings)),
  provide(SetupIntents, { accounts, settings }, (parts) => new SetupIntents(parts.accounts, parts.settings)),
  provide(Customers, {}, () => new Customers()),
  provide(Receipts, { accounts }, (parts) => new Receipts(parts.accounts)),
  provide(TerminalSessions, { accounts, settings }, (parts) => new TerminalSessions(parts.accounts, parts.settings)),
  provide(OnlinePayments, { database, accounts, settings }, (parts) => new OnlinePayments(parts)),
  provide(CardSetups, { database, accounts, setups: SetupIntents, settings }, (parts) => new CardSetups(parts)),
];

const MONEY_OPERATIONS = [
  provide(
    AcquirerCalls,
    { database, acquirers: AcquirerClients, accounts, settings, activities: ACTIVITIES },
    (parts) => new AcquirerCalls(parts),
  ),
  provide(
    MachineApprovals,
    { database, acquirers: AcquirerClients, settings, activities: ACTIVITIES },
    (parts) => new MachineApprovals(parts),
  ),
  provide(Captures, { calls, settings }, (parts) => new Captures(parts.calls, parts.settings)),
  provide(Refunds, { calls, settings }, (parts) => new Refunds(parts.calls, parts.settings)),
  provide(
    Reversals,
    { calls, accounts, settings },
    (parts) => new Reversals(parts.calls, parts.accounts, parts.settings),
  ),
  provide(
    AmountChanges,
    { calls, intents, settings },
    (parts) => new AmountChanges(parts.calls, parts.intents, parts.settings),
  ),
  provide(AbandonedChallenges, { database, calls }, (parts) => new AbandonedChallenges(parts)),
  provide(GiveBack, { database, calls, accounts, settings }, (parts) => new GiveBack(parts)),
  provide(Holds, { settings }, (parts) => new Holds(parts.settings)),
];

const TABLES_AND_ORDERS = [
  provide(
    AcquirerProof,
    { database, acquirers: AcquirerClients, accounts, settings },
    (parts) => new AcquirerProof(parts),
  ),
  provide(TablePayments, { accounts, intents, sessions, leases, queue }, (parts) => new TablePayments(parts)),
  provide(Journeys, { leases, tablePayments: TablePayments, sessions, intents }, (parts) => new Journeys(parts)),
  provide(OrderPlacements, { accounts, queue }, (parts) => new OrderPlacements(parts)),
  provide(OrderCapture, { database, calls, settings }, (parts) => new OrderCapture(parts)),
];

const OPERATIONS = [
  provide(
    OperatorService,
    {
      ...{ leases, tablePayments: TablePayments, placements: OrderPlacements, calls, settings },
      reconciliation: ReconciliationService,
    },
    (parts) => new OperatorService(parts),
  ),
  provide(ReconciliationService, { settings }, (parts) => new ReconciliationService(parts.settings)),
];

const CAPABILITIES = [
  provide(CapabilityRefresher, { database, clients: AcquirerClients, log: LOG }, ({ clients, log, ...parts }) => {
    const describe = ({ environment, name }: AcquirerName) => ({ environment, acquirer: name });
    return new CapabilityRefresher({
      ...{ ...parts, directory: clients.directory, ports: clients },
      report: {
        onChanged: (acquirer, capabilities) =>
          log.info('acquirer.capabilities_declared', { ...describe(acquirer), ...describeCapabilities(capabilities) }),
        onUnanswered: (acquirer, reason) =>
          log.warn('acquirer.capabilities_unanswered', { ...describe(acquirer), reason }),
      },
    });
  }),
];
const PROVIDERS = [
  ...FOUNDATION,
  ...CAPABILITIES,
  ...INTENTS,
  ...MONEY_OPERATIONS,
  ...TABLES_AND_ORDERS,
  ...OPERATIONS,
];

/** An acquirer that was not up at the start takes payments this soon after it is. */
const UNDECLARED_RETRY_MS = 1_000;

/** The use cases of payments, and the acquirers that they ask. */
@Global()
@Module({})
export class PaymentsModule implements OnModuleInit, OnApplicationShutdown {
  readonly #refreshing: PollingLoop;
  readonly #declaring: PollingLoop;

  constructor(
    private readonly acquirers: AcquirerClients,
    private readonly capabilities: CapabilityRefresher,
    @Inject(CONFIG) { ACQUIRER_CAPABILITIES_INTERVAL_MS: pauseMs }: AcquirerSettings,
    @Inject(LOG) log: Log,
  ) {
    const pass = async (): Promise<boolean> => {
      await capabilities.refresh();
      return false;
    };
    this.#refreshing = new PollingLoop({ name: 'acquirer capabilities', pass, pauseMs, log });
    const declare = async (): Promise<boolean> => {
      await capabilities.load();
      return false;
    };
    const retryMs = Math.min(pauseMs, UNDECLARED_RETRY_MS);
    this.#declaring = new PollingLoop({ name: 'undeclared acquirers', pass: declare, pauseMs: retryMs, log });
  }

  /** Nothing is served before it is known what each acquirer can do, or that it does not answer. */
  async onModuleInit(): Promise<void> {
    await this.capabilities.load();
    this.#refreshing.start();
    this.#declaring.start();
  }

  static forRoot(readOptions: (config: never) => PaymentsModuleOptions): DynamicModule {
    const options = provide(OPTIONS, { config: CONFIG }, ({ config }) => readOptions(config));
    return { module: PaymentsModule, providers: [options, ...PROVIDERS], exports: listTokens(PROVIDERS) };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.#refreshing.stop(), this.#declaring.stop()]);
    this.acquirers.close();
  }
}

/** The declaration as a line of the log: what is missing is what an operator looks for. */
function describeCapabilities({ adapterName, adapterVersion, can, ...limits }: AcquirerCapabilities) {
  const lacks = Object.entries(can).flatMap(([name, isThere]) => (isThere ? [] : [name]));
  return { adapter: `${adapterName} ${adapterVersion}`.trim(), lacks, ...limits };
}
