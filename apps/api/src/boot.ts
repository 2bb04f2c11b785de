import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { Accounts } from '@pos/payments/accounts';
import { KeyRing } from '@pos/payments/api-keys';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { DEFAULT_PAYMENT_SETTINGS, type PaymentSettings, sessionWindows } from '@pos/payments/settings';
import { TerminalSessions } from '@pos/payments/terminal-sessions';
import { API_OPERATIONS, API_TITLE } from '@pos/rest-contracts/operations';
import { armFaultPoint } from '@pos/service-kit/fault-point';
import { bootHttp, type RunningHttpApp } from '@pos/service-kit/http';
import type { Log } from '@pos/service-kit/log';
import { type Database, openDatabase } from '@pos/store/database';
import { ApiDatabase } from './api-database.js';
import type { Config } from './config.js';
import { RequestLimits } from './request-limits.js';
import { PayAtTableController } from './pay-at-table/pay-at-table-controller.js';
import { PaymentIntentsController } from './payment-intents/payment-intents-controller.js';
import { IntentPresenter } from './payment-intents/present-payment-intent.js';
import { PublicIntentsController } from './payment-intents/public-intents-controller.js';
import { SandboxController } from './sandbox/sandbox-controller.js';
import { TerminalSessionsController } from './terminals/terminal-sessions-controller.js';
import { TerminalsController } from './terminals/terminals-controller.js';
import { WebhooksController } from './webhooks/webhooks-controller.js';

/** A running public API. */
export interface RunningApi {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Connects to the database and serves the API. Closing lets running requests finish. */
export async function bootApi(config: Config, log: Log): Promise<RunningApi> {
  const database = await openDatabase({
    url: config.DATABASE_URL.reveal(),
    applicationName: 'api',
    poolMax: config.DATABASE_CONNECTIONS,
    secrets: {
      encryptionKey: Buffer.from(config.ENCRYPTION_KEY.reveal(), 'base64'),
      pepper: config.KEY_PEPPER.reveal(),
    },
    ...(config.SEED !== undefined && { seed: config.SEED }),
  });
  try {
    const http = await serve(database, config, log);
    return {
      url: http.url,
      close: async () => {
        await http.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function serve(database: Database, config: Config, log: Log): Promise<RunningHttpApp> {
  const settings: PaymentSettings = {
    ...DEFAULT_PAYMENT_SETTINGS,
    hasProductionAcquirer: config.ACQUIRER_ADDRESS_PRODUCTION !== undefined,
    windows: sessionWindows({ timeScale: config.SIMULATOR_TIME_SCALE, signatureMs: config.SIGNATURE_WINDOW_MS }),
    checkoutBaseUrl: config.CHECKOUT_BASE_URL.replace(/\/$/, ''),
    fault: armFaultPoint(config),
  };
  const keys = new KeyRing(database);
  const limits = new RequestLimits(config.RATE_LIMIT_PER_SECOND);
  const store = new ApiDatabase(database);
  return bootHttp({
    module: apiModule(store, settings),
    port: config.HTTP_PORT,
    host: config.HOST,
    operations: API_OPERATIONS,
    authenticate: (text) => keys.authenticate(text),
    count: (request, operation, holder) => {
      limits.count(request, operation, holder);
    },
    trustedProxies: config.TRUSTED_PROXIES,
    recall: (caller, idempotency) => store.recall(caller, idempotency),
    ready: [{ name: 'database', check: () => database.isReady() }],
    log,
    openapi: API_TITLE,
    checksAnswers: config.NODE_ENV !== 'production',
  });
}

function apiModule(database: ApiDatabase, settings: PaymentSettings) {
  const accounts = new Accounts();
  @Module({
    controllers: [
      PaymentIntentsController,
      PublicIntentsController,
      TerminalsController,
      TerminalSessionsController,
      WebhooksController,
      PayAtTableController,
      SandboxController,
    ],
    providers: [
      { provide: ApiDatabase, useValue: database },
      { provide: PaymentIntents, useValue: new PaymentIntents(accounts) },
      { provide: TerminalSessions, useValue: new TerminalSessions(accounts, settings) },
      { provide: IntentPresenter, useValue: new IntentPresenter(settings.checkoutBaseUrl) },
    ],
  })
  class ApiModule {}
  return ApiModule;
}
