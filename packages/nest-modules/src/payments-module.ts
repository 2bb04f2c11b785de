import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { AcquirerCapabilities } from '@pos/core/acquirer/acquirer-capabilities';
import { AccountCache } from '@pos/payments/accounts/account-cache';
import type { AcquirerName } from '@pos/payments/accounts/acquirer-directory';
import type { PaymentSettings } from '@pos/payments/accounts/payment-settings';
import { CapabilityRefresher } from '@pos/payments/acquirer/capability-refresher';
import { AmountChanges } from '@pos/payments/captures-refunds/amount-changes';
import { Captures } from '@pos/payments/captures-refunds/captures';
import { GiveBack } from '@pos/payments/captures-refunds/give-back';
import { Holds } from '@pos/payments/captures-refunds/holds';
import { Refunds } from '@pos/payments/captures-refunds/refunds';
import { Reversals } from '@pos/payments/captures-refunds/reversals';
import { Customers } from '@pos/payments/customers/customers';
import { AbandonedChallenges } from '@pos/payments/settlement/abandoned-challenges';
import { OnlinePayments } from '@pos/payments/online/online-payments';
import { CardSetups } from '@pos/payments/online/setups-with-card';
import { OperatorService } from '@pos/payments/operators/operator-service';
import { OrderCapture } from '@pos/payments/orders/order-capture';
import { OrderPlacements } from '@pos/payments/orders/order-placements';
import { PaymentIntents } from '@pos/payments/payment-intents/payment-intents';
import { Receipts } from '@pos/payments/receipts/receipts';
import { ReconciliationService } from '@pos/payments/reconciliation/reconciliation-service';
import { AcquirerCalls } from '@pos/payments/settlement/acquirer-calls';
import { MachineApprovals } from '@pos/payments/settlement/machine-approvals';
import { SetupIntents } from '@pos/payments/setup-intents/setup-intents';
import { Journeys } from '@pos/payments/tables/journeys';
import { Leases } from '@pos/payments/tables/leases';
import { AcquirerProof } from '@pos/payments/tables/acquirer-proof';
import { TablePayments } from '@pos/payments/tables/table-payments';
import { TerminalSessions } from '@pos/payments/terminals/terminal-sessions';
import { Database } from '@pos/store/database/database';
import { TimerQueue } from '@pos/store/queues/timers';
import { AcquirerClients } from './acquirer-clients.js';
import { ACTIVITIES } from './database-module.js';
import { defineToken, listTokens, provide } from '@pos/service-kit/nest/provide';
import { CONFIG, LOG } from '@pos/service-kit/nest/settings-module';
import type { AcquirerSettings } from '@pos/service-kit/config/acquirer-settings';
import { PollingLoop } from '@pos/service-kit/lifecycle/polling-loop';
import type { Log } from '@pos/service-kit/telemetry/log';

/** The settings of the use cases. */
export const PAYMENT_SETTINGS = defineToken<PaymentSettings>('PAYMENT_SETTINGS');

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
