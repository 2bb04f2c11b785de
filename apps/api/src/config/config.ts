import {
  acquirerSettings,
  activitySettings,
  connectionsPerAddressSetting,
  databaseSettings,
  hostPortListSetting,
  hostPortSetting,
  httpEncryptionSettings,
  internalTlsSettings,
  logLevelSetting,
  millisecondsSetting,
  nodeEnvSetting,
  optionalWindowSetting,
  poolSizeSetting,
  portalKeySettings,
  portSetting,
  readAgreedSettings,
  requireHttpsInProduction,
  requireInProduction,
  shutdownSettings,
  telemetrySettings,
  timeScaleSetting,
} from '@pos/service-kit/config';
import type { DatabaseModuleOptions } from '@pos/nest-modules';
import { computeSessionWindows, DEFAULT_PAYMENT_SETTINGS, type PaymentSettings } from '@pos/payments/accounts';
import type { AddressPolicy } from '@pos/service-kit/egress';
import { createFaultPoint } from '@pos/service-kit/lifecycle';
import { z } from 'zod';

/** Every setting of the public API. */
export const Config = z.object({
  ...databaseSettings('service_app'),
  HOST: z.string().default('127.0.0.1').describe('The address that the API is served on.'),
  CONNECTIONS_PER_ADDRESS: connectionsPerAddressSetting(),
  ...telemetrySettings(),
  ...shutdownSettings(),
  ...activitySettings(),
  HTTP_PORT: portSetting(3000).describe('The port that the API is served on.'),
  DATABASE_CONNECTIONS: poolSizeSetting(),
  RATE_LIMIT_PER_SECOND: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(200)
    .describe(
      'How many requests a second a key may send for long, to all processes of the api together; twice as many at once. An account may have its own.',
    ),
  ...httpEncryptionSettings(),
  CHECKOUT_BASE_URL: requireHttpsInProduction(requireInProduction(z.url(), 'http://127.0.0.1:3006')).describe(
    'The address of the hosted payment page; part of payment links.',
  ),
  ...acquirerSettings({ purpose: 'for captures, refunds and reversals' }),
  ACQUIRER_DEADLINE_MS: millisecondsSetting(10_000).describe(
    'How long one call to the acquirer may take; then the request answers 504 and a worker repeats the call.',
  ),
  ACQUIRER_CALL_PENDING_MS: millisecondsSetting(300_000).describe(
    'How long after its deadline a call to the acquirer without an outcome is put on the pending list of operators.',
  ),
  CARD_VAULT_ADDRESS: requireInProduction(hostPortSetting(), '127.0.0.1:50053').describe(
    "The card vault's internal gRPC address (`host:port`), for charges of stored cards.",
  ),
  GATEWAY_INTERNAL_ADDRESSES: hostPortListSetting().describe(
    'The internal gRPC ports of the gateways (`host:port`), which call EPOSes for bookings; when one is closing, the next is used. Without any, bookings answer `epos_unreachable`.',
  ),
  ...internalTlsSettings(),
  ...portalKeySettings(),
  ALLOW_PLAINTEXT_EPOS: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .describe(
      'Lets sandbox accounts register EPOS addresses without TLS: any port of the loopback, the ports of this service included, and what `EGRESS_ALLOW` lists. Not for production.',
    ),
  EGRESS_ALLOW: hostPortListSetting().describe(
    'Addresses (`host:port`, exact) of webhooks and EPOSes that may be registered wherever they are; the same as at the worker and the gateway.',
  ),
  SIGNATURE_WINDOW_MS: optionalWindowSetting().describe(
    'How long the merchant has to verify a signature. When not set 80 s, in a sandbox divided by `SIMULATOR_TIME_SCALE`.',
  ),
  SIMULATOR_TIME_SCALE: timeScaleSetting().describe(
    'Divides the windows of terminal sessions in sandboxes (10, 80 and 90 s), as it divides the times of the simulated world.',
  ),
  SEED: z.string().max(200).optional().describe('Makes ids and secrets reproducible; never in production.'),
  LOG_LEVEL: logLevelSetting().describe('The least severe log lines that are written.'),
  NODE_ENV: nodeEnvSetting().describe(
    'Outside `production` an answer that breaks the contract fails its request; `test` arms `FAULT_POINT` too.',
  ),
  FAULT_POINT: z
    .string()
    .optional()
    .describe('Where the process kills itself, `name` or `name:n`; only with `NODE_ENV=test`.'),
});
export type Config = z.output<typeof Config>;

/** Which addresses may be registered. */
export function readAddressPolicy({ EGRESS_ALLOW, ALLOW_PLAINTEXT_EPOS, NODE_ENV }: Config): AddressPolicy {
  return {
    ...{ allow: EGRESS_ALLOW, allowsPlaintext: ALLOW_PLAINTEXT_EPOS },
    allowsLoopbackWebhooks: NODE_ENV !== 'production',
  };
}

export function readCardVaultTarget({ CARD_VAULT_ADDRESS: address }: Config) {
  return { app: 'card-vault', address, addressSetting: 'CARD_VAULT_ADDRESS' } as const;
}

/** The gateways as a target of internal calls. */
export const GATEWAY_TARGET = { app: 'pay-at-table-gateway', addressSetting: 'GATEWAY_INTERNAL_ADDRESSES' } as const;

export function readDatabaseOptions(config: Config): DatabaseModuleOptions {
  const { DATABASE_CONNECTIONS: poolMax } = config;
  return { applicationName: 'api', poolMax, agreedSettings: readAgreedSettings(Config, config) };
}

export function readPaymentSettings(config: Config): PaymentSettings {
  return {
    ...DEFAULT_PAYMENT_SETTINGS,
    acquirerDeadlineMs: config.ACQUIRER_DEADLINE_MS,
    callPendingMs: config.ACQUIRER_CALL_PENDING_MS,
    windows: computeSessionWindows({ timeScale: config.SIMULATOR_TIME_SCALE, signatureMs: config.SIGNATURE_WINDOW_MS }),
    checkoutBaseUrl: config.CHECKOUT_BASE_URL.replace(/\/$/, ''),
    fault: createFaultPoint(config),
  };
}
