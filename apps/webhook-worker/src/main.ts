import { readFileSync } from 'node:fs';
import type { Environment } from '@pos/core/identity/identity';
import { AccountCache } from '@pos/payments/accounts/account-cache';
import { AcquirerCalls } from '@pos/payments/settlement/acquirer-calls';
import { AcquirerCircuit } from '@pos/payments/acquirer/acquirer-circuit';
import { AcquirerClient } from '@pos/payments/acquirer/acquirer-client';
import { Holds } from '@pos/payments/captures-refunds/holds';
import { PaymentIntents } from '@pos/payments/payment-intents/payment-intents';
import type { ReconciliationReport } from '@pos/payments/reconciliation/reconciliation';
import {
  DEFAULT_PAYMENT_SETTINGS,
  type PaymentSettings,
  computeSessionWindows,
} from '@pos/payments/accounts/payment-settings';
import { SetupIntents } from '@pos/payments/setup-intents/setup-intents';
import { TerminalSessions } from '@pos/payments/terminals/terminal-sessions';
import { sendDueMail } from '@pos/payments/receipts/mail-sender';
import { createTimerEffects } from '@pos/payments/timers/worker-timers';
import { createUnreadableCardReporter } from '@pos/payments/acquirer/unreadable-cards';
import { readConfig } from '@pos/service-kit/config/config';
import { drainOnSignal, type DrainStep } from '@pos/service-kit/lifecycle/drain';
import { EgressClient } from '@pos/service-kit/egress/egress-client';
import { exitOnFailure } from '@pos/service-kit/lifecycle/failure-exit';
import { createFaultPoint } from '@pos/service-kit/lifecycle/fault-point';
import { serveHealth } from '@pos/service-kit/http/health';
import { createLog } from '@pos/service-kit/telemetry/log';
import { type MemoryProtection, protectMemory } from '@pos/service-kit/lifecycle/memory-protection';
import { awaitDatabase } from '@pos/store/startup/database-startup';
import { readStoreSecrets } from '@pos/service-kit/config/store-secrets';
import { TimerQueue } from '@pos/store/queues/timers';
import { Config } from './config.js';
import { EposGatewayClient } from './delivery/epos-gateway-client.js';
import { SmtpMailer } from './mail/smtp-mailer.js';
import type { TimerEffects } from './timers/timer-worker.js';
import { startWebhookWorker } from './worker.js';

const DATABASE_CONNECTIONS_MAX = 16;

const { config, memory } = loadConfig();
const log = createLog({ app: 'webhook-worker', level: config.LOG_LEVEL });
// The part that started last stops first.
const steps: DrainStep[] = [];
drainOnSignal({ log, steps });
const databaseOptions = {
  url: config.DATABASE_URL.reveal(),
  applicationName: 'webhook-worker',
  poolMax: DATABASE_CONNECTIONS_MAX,
  secrets: readStoreSecrets(config),
  ...(config.SEED !== undefined && { seed: config.SEED }),
};
const database = await awaitDatabase(databaseOptions, log).catch(exitOnFailure);
steps.unshift({ name: 'database', stop: () => database.close() });
const egress = new EgressClient({
  allow: config.EGRESS_ALLOW,
  certificateAuthority: config.EGRESS_CA_FILE === undefined ? null : readFileSync(config.EGRESS_CA_FILE, 'utf8'),
});
steps.unshift({ name: 'egress', stop: () => egress.close() });
const fault = createFaultPoint(config);
const acquirer = createAcquirerClient(config.ACQUIRER_ADDRESS, 'sandbox');
const productionAddress = config.ACQUIRER_ADDRESS_PRODUCTION;
const productionAcquirer =
  productionAddress === undefined ? null : createAcquirerClient(productionAddress, 'production');
steps.unshift({
  name: 'acquirer',
  stop: () => {
    acquirer.close();
    productionAcquirer?.close();
  },
});
const payments: PaymentSettings = {
  ...DEFAULT_PAYMENT_SETTINGS,
  windows: computeSessionWindows({ timeScale: config.SIMULATOR_TIME_SCALE, signatureMs: config.SIGNATURE_WINDOW_MS }),
  hasProductionAcquirer: productionAcquirer !== null,
  inquiryIntervalMs: config.INQUIRY_INTERVAL_MS,
  callPendingMs: config.ACQUIRER_CALL_PENDING_MS,
  fault,
};
const accounts = new AccountCache();
const queue = new TimerQueue(database);
const gatewayClient = new EposGatewayClient(
  config.GATEWAY_INTERNAL_ADDRESSES,
  config.GATEWAY_INTERNAL_KEY?.reveal() ?? null,
);
steps.unshift({
  name: 'gateways',
  stop: () => {
    gatewayClient.close();
  },
});
const reconciliationReport: ReconciliationReport = {
  onFound: ({ accountId, environment }, { kind, reference, says }) => {
    log.error('reconciliation.difference_found', { account_id: accountId, environment, kind, reference, says });
  },
  onEnded: ({ accountId, environment }, result) => {
    const level = result.error === undefined ? 'info' : 'warn';
    log[level]('reconciliation.ended', { account_id: accountId, environment, ...result });
  },
};
const worker = await startWebhookWorker({
  database,
  egress,
  gatewayClient,
  effects: {
    ...createTimerEffects({
      database,
      queue,
      intents: new PaymentIntents(accounts),
      holds: new Holds(payments),
      setups: new SetupIntents(accounts),
      sessions: new TerminalSessions(accounts, payments),
      calls: new AcquirerCalls({ database, acquirer, productionAcquirer, accounts, settings: payments }),
      settings: payments,
      accounts,
      acquirerOf: (environment) => (environment === 'sandbox' ? acquirer : productionAcquirer),
      reconciliationReport,
    }),
    ...createMailEffects(),
  },
  log,
  fault,
  settings: config,
});
steps.unshift({ name: 'worker', stop: () => worker.stop() });
const health = await serveHealth({
  port: config.HTTP_PORT,
  host: config.HOST,
  checks: [{ name: 'database', check: () => database.checkReady() }],
  connections: { perAddress: config.CONNECTIONS_PER_ADDRESS, log },
}).catch(exitOnFailure);
// Health answers to the end: an orchestrator that hears nothing would not wait for the rest.
steps.push({ name: 'health', stop: health.close });
log.info('process.started', { health: health.url });
memory.logCoreLimit(log);

/** While the acquirer does not answer, one call at a time tries it, and the others are put off. */
function createAcquirerClient(address: string, environment: Environment): AcquirerClient {
  const pauseMs = config.INQUIRY_INTERVAL_MS;
  const onChange = (isOpen: boolean): void =>
    log.warn(isOpen ? 'acquirer.circuit_opened' : 'acquirer.circuit_closed', { environment });
  const circuit = new AcquirerCircuit({ pauseMs, onChange });
  return new AcquirerClient(address, { circuit, reportCard: createUnreadableCardReporter(log) });
}

/** Without a mail server mails are left for a worker that has one. */
function createMailEffects(): TimerEffects {
  if (config.SMTP_URL === undefined) return {};
  const mailer = new SmtpMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
  steps.unshift({
    name: 'mail',
    stop: () => {
      mailer.close();
    },
  });
  const logGivenUp = (mail: object): void => log.error('mail.given_up', { ...mail });
  return { mail: (claimed) => sendDueMail({ database, queue, mailer, onGivenUp: logGivenUp }, claimed) };
}

/** What every start begins with: the memory is protected before the first setting is read. */
function loadConfig(): { readonly config: Config; readonly memory: MemoryProtection } {
  try {
    const memory = protectMemory(process.env);
    return { config: readConfig(Config, process.env), memory };
  } catch (error) {
    exitOnFailure(error);
  }
}
