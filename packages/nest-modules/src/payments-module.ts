import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { AccountCache } from '@pos/payments/accounts/account-cache';
import type { PaymentSettings } from '@pos/payments/accounts/payment-settings';
import { AmountChanges } from '@pos/payments/captures-refunds/amount-changes';
import { Captures } from '@pos/payments/captures-refunds/captures';
import { GiveBack } from '@pos/payments/captures-refunds/give-back';
import { Holds } from '@pos/payments/captures-refunds/holds';
import { Refunds } from '@pos/payments/captures-refunds/refunds';
import { Reversals } from '@pos/payments/captures-refunds/reversals';
import { Customers } from '@pos/payments/customers/customers';
import { OnlinePayments } from '@pos/payments/online/online-payments';
import { CardSetups } from '@pos/payments/online/setups-with-card';
import { OperatorService } from '@pos/payments/operators/operator-service';
import { OrderCapture } from '@pos/payments/orders/order-capture';
import { OrderPlacements } from '@pos/payments/orders/order-placements';
import { PaymentIntents } from '@pos/payments/payment-intents/payment-intents';
import { Receipts } from '@pos/payments/receipts/receipts';
import { ReconciliationService } from '@pos/payments/reconciliation/reconciliation-service';
import { AcquirerCalls } from '@pos/payments/settlement/acquirer-calls';
import { SetupIntents } from '@pos/payments/setup-intents/setup-intents';
import { Journeys } from '@pos/payments/tables/journeys';
import { Leases } from '@pos/payments/tables/leases';
import { TablePayments } from '@pos/payments/tables/table-payments';
import { TerminalSessions } from '@pos/payments/terminals/terminal-sessions';
import { Database } from '@pos/store/database/database';
import { TimerQueue } from '@pos/store/queues/timers';
import { AcquirerClients } from './acquirer-clients.js';
import { defineToken, listTokens, provide } from '@pos/service-kit/nest/provide';
import { CONFIG, LOG } from '@pos/service-kit/nest/settings-module';

/** The settings of the use cases. */
export const PAYMENT_SETTINGS = defineToken<PaymentSettings>('PAYMENT_SETTINGS');

/** What an app decides about the use cases, by its settings. */
export interface PaymentsModuleOptions {
  readonly settings: PaymentSettings;
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
  provide(PAYMENT_SETTINGS, { options: OPTIONS }, ({ options }) => options.settings),
  provide(Leases, { options: OPTIONS }, ({ options }) => options.leases ?? new Leases()),
  provide(
    AcquirerClients,
    { config: CONFIG, log: LOG, options: OPTIONS },
    ({ config, log, options }) => new AcquirerClients(config, log, options.circuitPauseMs ?? null),
  ),
  provide(AccountCache, {}, () => new AccountCache()),
];

const INTENTS = [
  provide(PaymentIntents, { accounts }, (parts) => new PaymentIntents(parts.accounts)),
  provide(SetupIntents, { accounts }, (parts) => new SetupIntents(parts.accounts)),
  provide(Customers, {}, () => new Customers()),
  provide(Receipts, { accounts }, (parts) => new Receipts(parts.accounts)),
  provide(TerminalSessions, { accounts, settings }, (parts) => new TerminalSessions(parts.accounts, parts.settings)),
  provide(OnlinePayments, { database, accounts, settings }, (parts) => new OnlinePayments(parts)),
  provide(CardSetups, { database, accounts, setups: SetupIntents, settings }, (parts) => new CardSetups(parts)),
];

const MONEY_OPERATIONS = [
  provide(
    AcquirerCalls,
    { database, acquirers: AcquirerClients, accounts, settings },
    ({ acquirers: { sandbox, production }, ...parts }) =>
      new AcquirerCalls({ ...parts, acquirer: sandbox, productionAcquirer: production }),
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
  provide(GiveBack, { database, calls, accounts, settings }, (parts) => new GiveBack(parts)),
  provide(Holds, { settings }, (parts) => new Holds(parts.settings)),
];

const TABLES_AND_ORDERS = [
  provide(TablePayments, { accounts, intents, sessions, leases, queue }, (parts) => new TablePayments(parts)),
  provide(Journeys, { leases, tablePayments: TablePayments, sessions, intents }, (parts) => new Journeys(parts)),
  provide(OrderPlacements, { queue }, (parts) => new OrderPlacements(parts)),
  provide(OrderCapture, { database, calls, settings }, (parts) => new OrderCapture(parts)),
];

const OPERATIONS = [
  provide(
    OperatorService,
    { leases, tablePayments: TablePayments, placements: OrderPlacements, calls, settings },
    (parts) => new OperatorService(parts),
  ),
  provide(ReconciliationService, { settings }, (parts) => new ReconciliationService(parts.settings)),
];

const PROVIDERS = [...FOUNDATION, ...INTENTS, ...MONEY_OPERATIONS, ...TABLES_AND_ORDERS, ...OPERATIONS];

/** The use cases of payments, and the acquirers that they ask. */
@Global()
@Module({})
export class PaymentsModule implements OnApplicationShutdown {
  constructor(private readonly acquirers: AcquirerClients) {}

  static forRoot(readOptions: (config: never) => PaymentsModuleOptions): DynamicModule {
    const options = provide(OPTIONS, { config: CONFIG }, ({ config }) => readOptions(config));
    return { module: PaymentsModule, providers: [options, ...PROVIDERS], exports: listTokens(PROVIDERS) };
  }

  onApplicationShutdown(): void {
    this.acquirers.close();
  }
}
