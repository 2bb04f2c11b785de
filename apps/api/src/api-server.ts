import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { AccountCache } from '@pos/payments/accounts/account-cache';
import { AcquirerCalls } from '@pos/payments/settlement/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer/acquirer-client';
import { AmountChanges } from '@pos/payments/captures-refunds/amount-changes';
import { ApiKeyAuthenticator } from '@pos/payments/accounts/api-key-authenticator';
import { Captures } from '@pos/payments/captures-refunds/captures';
import { CardVaultClient } from '@pos/payments/online/card-vault-client';
import { Charges } from '@pos/payments/captures-refunds/charges';
import { Customers } from '@pos/payments/customers/customers';
import { Leases } from '@pos/payments/tables/leases';
import { OperatorService } from '@pos/payments/operators/operator-service';
import { OrderPlacements } from '@pos/payments/orders/order-placements';
import { EposRegistration } from '@pos/payments/accounts/epos-registration';
import { PaymentIntents } from '@pos/payments/payment-intents/payment-intents';
import { ReconciliationService } from '@pos/payments/reconciliation/reconciliation-service';
import { Receipts } from '@pos/payments/receipts/receipts';
import { Refunds } from '@pos/payments/captures-refunds/refunds';
import { Reversals } from '@pos/payments/captures-refunds/reversals';
import {
  DEFAULT_PAYMENT_SETTINGS,
  type PaymentSettings,
  computeSessionWindows,
} from '@pos/payments/accounts/payment-settings';
import { SetupIntents } from '@pos/payments/setup-intents/setup-intents';
import { TablePayments } from '@pos/payments/tables/table-payments';
import { TerminalSessions } from '@pos/payments/terminals/terminal-sessions';
import { createUnreadableCardReporter } from '@pos/payments/acquirer/unreadable-cards';
import { API_OPERATIONS, API_TITLE } from '@pos/rest-contracts/operations';
import { createFaultPoint } from '@pos/service-kit/lifecycle/fault-point';
import { startHttpServer, type HttpServer } from '@pos/service-kit/http/http-server';
import type { Log } from '@pos/service-kit/telemetry/log';
import { type AddressPolicy, RegistrableAddressPolicy } from '@pos/service-kit/egress/registrable-address';
import { awaitDatabase } from '@pos/store/startup/database-startup';
import type { Database, DatabaseOptions } from '@pos/store/database/database';
import { SharedRateLimiter } from '@pos/store/rate-limits/shared-rate-limiter';
import { readStoreSecrets } from '@pos/service-kit/config/store-secrets';
import { TimerQueue } from '@pos/store/queues/timers';
import { ApiKeysController } from './api-keys/api-keys-controller.js';
import { ApiDatabase } from './database/api-database.js';
import { ChargesController } from './charges/charges-controller.js';
import type { Config } from './config.js';
import { CustomersController } from './customers/customers-controller.js';
import { EposController } from './epos/epos-controller.js';
import { SavedCardsController } from './saved-cards/saved-cards-controller.js';
import { ReconciliationController } from './reconciliation/reconciliation-controller.js';
import { RequestRateLimiter } from './request-checks/request-rate-limiter.js';
import { createMemberChecks } from './request-checks/member-checks.js';
import { OrderPlacementsController } from './orders/order-placements-controller.js';
import { AlarmsController } from './alarms/alarms-controller.js';
import { PayAtTableController } from './pay-at-table/pay-at-table-controller.js';
import { AmountsController } from './payment-intents/amounts-controller.js';
import { PaymentIntentsController } from './payment-intents/payment-intents-controller.js';
import { PaymentMoneyController } from './payment-intents/payment-money-controller.js';
import { IntentPresenter } from './payment-intents/intent-presenter.js';
import { PublicIntentsController } from './payment-intents/public-intents-controller.js';
import { ReceiptsController } from './receipts/receipts-controller.js';
import { SandboxController } from './sandbox/sandbox-controller.js';
import { PublicSetupsController } from './setup-intents/public-setups-controller.js';
import { SetupIntentsController } from './setup-intents/setup-intents-controller.js';
import { TerminalSessionsController } from './terminals/terminal-sessions-controller.js';
import { TerminalsController } from './terminals/terminals-controller.js';
import { TransactionsController } from './transactions/transactions-controller.js';
import { WebhookDeliveriesController } from './webhooks/webhook-deliveries-controller.js';
import { WebhooksController } from './webhooks/webhooks-controller.js';

/** A running public API. */
export interface ApiServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Waits for the database and serves the API. Closing lets running requests finish. */
export async function startApi(config: Config, log: Log): Promise<ApiServer> {
  const database = await awaitDatabase(buildDatabaseOptions(config), log);
  const acquirers = createAcquirerClients(config, log);
  const vault = new CardVaultClient(config.CARD_VAULT_ADDRESS, config.CARD_VAULT_KEY?.reveal() ?? null);
  const close = async () => {
    vault.close();
    acquirers.acquirer.close();
    acquirers.productionAcquirer?.close();
    await database.close();
  };
  try {
    const http = await serveApi({ database, acquirers, vault }, config, log);
    return {
      url: http.url,
      close: async () => {
        await http.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function buildDatabaseOptions(config: Config): DatabaseOptions {
  return {
    url: config.DATABASE_URL.reveal(),
    applicationName: 'api',
    poolMax: config.DATABASE_CONNECTIONS,
    secrets: readStoreSecrets(config),
    ...(config.SEED !== undefined && { seed: config.SEED }),
  };
}

interface AcquirerClients {
  readonly acquirer: AcquirerClient;
  readonly productionAcquirer: AcquirerClient | null;
}

/** Whom the API asks. */
interface ExternalClients {
  readonly acquirers: AcquirerClients;
  readonly vault: CardVaultClient;
}

function createAcquirerClients(
  { ACQUIRER_ADDRESS, ACQUIRER_ADDRESS_PRODUCTION: production }: Config,
  log: Log,
): AcquirerClients {
  const reportCard = createUnreadableCardReporter(log);
  return {
    acquirer: new AcquirerClient(ACQUIRER_ADDRESS, { reportCard }),
    productionAcquirer: production === undefined ? null : new AcquirerClient(production, { reportCard }),
  };
}

async function serveApi(
  { database, ...externalClients }: ExternalClients & { readonly database: Database },
  config: Config,
  log: Log,
): Promise<HttpServer> {
  const settings: PaymentSettings = {
    ...DEFAULT_PAYMENT_SETTINGS,
    hasProductionAcquirer: config.ACQUIRER_ADDRESS_PRODUCTION !== undefined,
    acquirerDeadlineMs: config.ACQUIRER_DEADLINE_MS,
    callPendingMs: config.ACQUIRER_CALL_PENDING_MS,
    windows: computeSessionWindows({ timeScale: config.SIMULATOR_TIME_SCALE, signatureMs: config.SIGNATURE_WINDOW_MS }),
    checkoutBaseUrl: config.CHECKOUT_BASE_URL.replace(/\/$/, ''),
    fault: createFaultPoint(config),
  };
  const rateLimiter = await SharedRateLimiter.open(database, log);
  const authenticator = new ApiKeyAuthenticator(database, { limits: rateLimiter });
  const requestLimiter = new RequestRateLimiter(config.RATE_LIMIT_PER_SECOND, rateLimiter);
  const apiDatabase = new ApiDatabase(database);
  const accounts = new AccountCache();
  const addresses = { allow: config.EGRESS_ALLOW, allowsPlaintext: config.ALLOW_PLAINTEXT_EPOS };
  return startHttpServer({
    connections: { perAddress: config.CONNECTIONS_PER_ADDRESS },
    module: createApiModule(apiDatabase, { accounts, settings, addresses, ...externalClients }),
    port: config.HTTP_PORT,
    host: config.HOST,
    operations: API_OPERATIONS,
    authenticate: (text, address) => authenticator.authenticate(text, address),
    countRequest: (request, operation, holder) => requestLimiter.countRequest(request, operation, holder),
    trustedProxies: config.TRUSTED_PROXIES,
    findStoredAnswer: (caller, idempotency) => apiDatabase.findStoredAnswer(caller, idempotency),
    memberChecks: createMemberChecks({
      database: apiDatabase,
      intents: new PaymentIntents(accounts),
      setups: new SetupIntents(accounts),
      sessions: new TerminalSessions(accounts, settings),
      addresses: new RegistrableAddressPolicy(addresses),
      registration: new EposRegistration(addresses),
    }),
    ready: [{ name: 'database', check: () => database.checkReady() }],
    log,
    openapi: API_TITLE,
    checksContract: config.NODE_ENV !== 'production',
  });
}

/** What is decided here is done by the gateways: nothing of this process's own ever claims a deadline. */
function createTablePayments(
  { database }: ApiDatabase,
  { accounts, settings }: { readonly accounts: AccountCache; readonly settings: PaymentSettings },
): TablePayments {
  const intents = new PaymentIntents(accounts);
  const sessions = new TerminalSessions(accounts, settings);
  return new TablePayments({ accounts, intents, sessions, leases: new Leases(), queue: new TimerQueue(database) });
}

/** What the module is made of beside the database. */
interface ModuleDependencies extends ExternalClients {
  readonly accounts: AccountCache;
  readonly settings: PaymentSettings;
  readonly addresses: AddressPolicy;
}

function createApiModule(
  database: ApiDatabase,
  { accounts, settings, addresses, acquirers, vault }: ModuleDependencies,
) {
  const calls = new AcquirerCalls({ database: database.database, ...acquirers, accounts, settings });
  const tablePayments = createTablePayments(database, { accounts, settings });
  const placements = new OrderPlacements({ queue: new TimerQueue(database.database) });
  @Module({
    controllers: [
      PaymentIntentsController,
      PaymentMoneyController,
      ChargesController,
      AmountsController,
      ReceiptsController,
      PublicIntentsController,
      SetupIntentsController,
      PublicSetupsController,
      CustomersController,
      SavedCardsController,
      TerminalsController,
      TerminalSessionsController,
      TransactionsController,
      WebhooksController,
      WebhookDeliveriesController,
      PayAtTableController,
      ReconciliationController,
      AlarmsController,
      EposController,
      OrderPlacementsController,
      ApiKeysController,
      SandboxController,
    ],
    providers: [
      { provide: ApiDatabase, useValue: database },
      { provide: AccountCache, useValue: accounts },
      { provide: PaymentIntents, useValue: new PaymentIntents(accounts) },
      { provide: SetupIntents, useValue: new SetupIntents(accounts) },
      { provide: Customers, useValue: new Customers() },
      { provide: TerminalSessions, useValue: new TerminalSessions(accounts, settings) },
      { provide: AcquirerCalls, useValue: calls },
      { provide: TablePayments, useValue: tablePayments },
      { provide: OrderPlacements, useValue: placements },
      {
        provide: OperatorService,
        useValue: new OperatorService({ leases: new Leases(), tablePayments, placements, settings }),
      },
      { provide: ReconciliationService, useValue: new ReconciliationService(settings) },
      { provide: AmountChanges, useValue: new AmountChanges(settings) },
      { provide: Charges, useValue: new Charges({ database: database.database, vault, calls, settings }) },
      { provide: Captures, useValue: new Captures(settings) },
      { provide: Receipts, useValue: new Receipts(accounts) },
      { provide: Refunds, useValue: new Refunds(settings) },
      { provide: Reversals, useValue: new Reversals(accounts, settings) },
      { provide: EposRegistration, useValue: new EposRegistration(addresses) },
      { provide: RegistrableAddressPolicy, useValue: new RegistrableAddressPolicy(addresses) },
      { provide: IntentPresenter, useValue: new IntentPresenter(settings.checkoutBaseUrl) },
    ],
  })
  class ApiModule {}
  return ApiModule;
}
