import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { requireValue } from '@pos/core/refusals/assert';
import { AccountCache } from '@pos/payments/accounts/account-cache';
import { AcquirerCalls } from '@pos/payments/settlement/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer/acquirer-client';
import { ApiKeyAuthenticator } from '@pos/payments/accounts/api-key-authenticator';
import { OnlinePayments } from '@pos/payments/online/online-payments';
import { SetupIntents } from '@pos/payments/setup-intents/setup-intents';
import { requireCardAttestation, CardSetups } from '@pos/payments/online/setups-with-card';
import { DEFAULT_PAYMENT_SETTINGS, type PaymentSettings } from '@pos/payments/accounts/payment-settings';
import { createUnreadableCardReporter } from '@pos/payments/acquirer/unreadable-cards';
import { CARD_VAULT_OPERATIONS, CARD_VAULT_TITLE } from '@pos/rest-contracts/card-vault/client-payments';
import { listReadableSetupMembers } from '@pos/rest-contracts/setup-intents/read-setup-request';
import { createSetupIntentWithCard } from '@pos/rest-contracts/card-vault/setup-with-card';
import { ConfigError } from '@pos/service-kit/config/config';
import { createFaultPoint } from '@pos/service-kit/lifecycle/fault-point';
import { startHttpServer, type HttpServer } from '@pos/service-kit/http/http-server';
import { readInternalHost, readInternalKeys } from '@pos/service-kit/internal/internal-server';
import { formatHostPort } from '@pos/service-kit/network/listen-address';
import type { Log } from '@pos/service-kit/telemetry/log';
import { defineMemberCheck } from '@pos/service-kit/request-checks/member-checks';
import { awaitDatabase, type ConnectOptions } from '@pos/store/startup/database-startup';
import { readStoreSecrets } from '@pos/service-kit/config/store-secrets';
import { countCardNumbersByKey } from '@pos/store/payments/card-numbers';
import type { Database } from '@pos/store/database/database';
import { VAULT_ROLE } from '@pos/store/migrations/migrate';
import { SharedRateLimiter } from '@pos/store/rate-limits/shared-rate-limiter';
import { CardAcquirerClient, type CardAcquirerClients } from './acquirer/card-acquirer-client.js';
import type { Config } from './config.js';
import { createCardFrames } from './frame/card-frame.js';
import { CardVaultGrpcServer } from './internal/card-vault-server.js';
import { PayerCallLimiter } from './payments/payer-call-limiter.js';
import { ClientPaymentsController } from './payments/client-payments-controller.js';
import { SetupsController } from './setups/setups-controller.js';
import { Vault } from './vault/vault.js';
import { VaultDatabase } from './setups/vault-database.js';
import { startErasures } from './vault/erasures.js';
import { CardNumberCipher } from './vault/card-number-cipher.js';
import { readVaultKeys } from './vault/vault-keys.js';

/** A running card vault. */
export interface CardVaultServer {
  readonly url: string;
  /** The internal port, `host:port`. */
  readonly internalGrpc: string;
  readonly close: () => Promise<void>;
}

/** Waits for the database, begins to erase what is due, and serves payers. Closing lets running requests finish. */
export async function startVault(config: Config, log: Log): Promise<CardVaultServer> {
  const internalHost = readInternalHost(config);
  readInternalKeys(config);
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const stop of closers.splice(0).reverse()) await stop();
  };
  try {
    const database = await awaitDatabase(buildDatabaseOptions(config), log);
    closers.push(() => database.close());
    const safe = createNumberSafe(config);
    await requireKeys(database, safe);
    const acquirers = createAcquirerClients(config, log);
    closers.push(() => closeAcquirerClients(acquirers));
    const erasures = await startErasures(database, { log, pollMs: config.POLL_MS });
    closers.push(() => erasures.stop());
    const vault = new Vault({ acquirers, safe, deviceDataUrl: config.DEVICE_DATA_URL });
    const internal = await openInternalServer({ database, vault }, config, log);
    closers.push(() => internal.close());
    const http = await serveVault({ database, vault }, config, log);
    closers.push(() => http.close());
    return { url: http.url, internalGrpc: formatHostPort(internalHost, internal.port), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The database, for the role that sees schema vault. */
export function buildDatabaseOptions(config: Config): ConnectOptions {
  return {
    role: VAULT_ROLE,
    url: config.DATABASE_URL.reveal(),
    applicationName: 'card-vault',
    poolMax: config.DATABASE_CONNECTIONS,
    secrets: readStoreSecrets(config),
    ...(config.SEED !== undefined && { seed: config.SEED }),
  };
}

export function createNumberSafe({ VAULT_KEYS }: Config): CardNumberCipher {
  return new CardNumberCipher(requireValue(readVaultKeys(VAULT_KEYS.reveal()), 'the keys of the vault'));
}

/** A vault that cannot open what it holds must not serve: a charge would fail long after the mistake. */
async function requireKeys(database: Database, safe: CardNumberCipher): Promise<void> {
  const counts = await database.readSystem(countCardNumbersByKey);
  const missing = [...counts.keys()].filter((keyId) => !safe.hasKey(keyId));
  if (missing.length > 0) throw new ConfigError([`VAULT_KEYS: lacks ${missing.join(', ')}, which stored cards need`]);
}

function createAcquirerClients(
  { ACQUIRER_ADDRESS, ACQUIRER_ADDRESS_PRODUCTION: production }: Config,
  log: Log,
): CardAcquirerClients {
  const reportCard = createUnreadableCardReporter(log);
  return {
    sandbox: new CardAcquirerClient(ACQUIRER_ADDRESS, reportCard),
    production: production === undefined ? null : new CardAcquirerClient(production, reportCard),
  };
}

function closeAcquirerClients({ sandbox, production }: CardAcquirerClients): Promise<void> {
  sandbox.close();
  production?.close();
  return Promise.resolve();
}

/** How many requests a second a key may send for long; an account may have its own. */
const KEY_RATE_PER_SECOND = 200;

async function serveVault(
  { database, vault }: { readonly database: Database; readonly vault: Vault },
  config: Config,
  log: Log,
): Promise<HttpServer> {
  const limits = await SharedRateLimiter.open(database, log);
  const payerCalls = new PayerCallLimiter(database, limits);
  const keys = new ApiKeyAuthenticator(database, { limits });
  const store = new VaultDatabase(database);
  const accounts = new AccountCache();
  const settings = createPaymentSettings(config);
  const setups = new CardSetups({ database, accounts, setups: new SetupIntents(accounts), settings });
  return startHttpServer({
    connections: { perAddress: config.CONNECTIONS_PER_ADDRESS },
    module: createVaultModule({ store, vault, accounts, setups, settings }),
    port: config.HTTP_PORT,
    host: config.HOST,
    operations: CARD_VAULT_OPERATIONS,
    pages: createCardFrames({ checkoutOrigins: config.CHECKOUT_ORIGINS, deviceDataUrl: config.DEVICE_DATA_URL }),
    authenticate: (text, address) => keys.authenticate(text, address),
    checkPermission: async ({ scope }, { permission }) => {
      if (permission === 'setup.card') await database.transact(scope, requireCardAttestation);
    },
    findStoredAnswer: (caller, idempotency) => store.findStoredAnswer(caller, idempotency),
    memberChecks: new Map([
      defineMemberCheck(createSetupIntentWithCard, ({ scope }, { card: { cardNumber, expiryDate } = {}, ...body }) =>
        database.read(scope, (reader) =>
          setups.requireSound(reader, listReadableSetupMembers(body), {
            scheme: cardNumber?.scheme,
            expiry: expiryDate,
          }),
        ),
      ),
    ]),
    countRequest: async ({ ip, headers }, operation, holder) => {
      if (holder !== null) {
        const perSecond = holder.ratePerSecond ?? KEY_RATE_PER_SECOND;
        await limits.take(`key ${holder.keyId}`, { perSecond, burst: perSecond * 2 });
      }
      // Whoever pays has no key.
      if (operation.clientSecret === true)
        await payerCalls.countCall(operation, { ip, secret: headers['client-session-secret'] });
    },
    trustedProxies: config.TRUSTED_PROXIES,
    ready: [{ name: 'database', check: () => database.checkReady() }],
    log,
    openapi: CARD_VAULT_TITLE,
    checksContract: config.NODE_ENV !== 'production',
  });
}

/** The port of the other processes. Its calls about authorisations carry no number, so they go as everybody's do. */
async function openInternalServer(
  { database, vault }: { readonly database: Database; readonly vault: Vault },
  config: Config,
  log: Log,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const { ACQUIRER_ADDRESS, ACQUIRER_ADDRESS_PRODUCTION: production } = config;
  const reportCard = createUnreadableCardReporter(log);
  const acquirer = new AcquirerClient(ACQUIRER_ADDRESS, { reportCard });
  const productionAcquirer = production === undefined ? null : new AcquirerClient(production, { reportCard });
  const accounts = new AccountCache();
  const calls = new AcquirerCalls({
    ...{ database, acquirer, productionAcquirer, accounts },
    settings: createPaymentSettings(config),
  });
  const vaultServer = new CardVaultGrpcServer({
    database,
    vault,
    accounts,
    calls,
    internalKeys: readInternalKeys(config),
    log,
  });
  const { port, close } = await vaultServer.open({
    host: readInternalHost(config),
    port: config.GRPC_PORT,
    connections: { perAddress: config.CONNECTIONS_PER_ADDRESS, log },
  });
  return {
    port,
    close: async () => {
      await close();
      acquirer.close();
      productionAcquirer?.close();
    },
  };
}

function createPaymentSettings(config: Config): PaymentSettings {
  return {
    ...DEFAULT_PAYMENT_SETTINGS,
    hasProductionAcquirer: config.ACQUIRER_ADDRESS_PRODUCTION !== undefined,
    acquirerDeadlineMs: config.ACQUIRER_DEADLINE_MS,
    inquiryIntervalMs: config.INQUIRY_INTERVAL_MS,
    fault: createFaultPoint(config),
  };
}

function createVaultModule(parts: {
  readonly store: VaultDatabase;
  readonly vault: Vault;
  readonly accounts: AccountCache;
  readonly setups: CardSetups;
  readonly settings: PaymentSettings;
}) {
  const { store, vault, accounts, setups, settings } = parts;
  const { database } = store;
  @Module({
    controllers: [ClientPaymentsController, SetupsController],
    providers: [
      { provide: Vault, useValue: vault },
      { provide: VaultDatabase, useValue: store },
      { provide: OnlinePayments, useValue: new OnlinePayments({ database, accounts, settings }) },
      { provide: CardSetups, useValue: setups },
    ],
  })
  class VaultModule {}
  return VaultModule;
}
