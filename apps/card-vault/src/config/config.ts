import {
  acquirerSettings,
  activitySettings,
  connectionsPerAddressSetting,
  databaseSettings,
  httpEncryptionSettings,
  internalPortSettings,
  listSetting,
  logLevelSetting,
  millisecondsSetting,
  nodeEnvSetting,
  poolSizeSetting,
  portSetting,
  readAgreedSettings,
  requireHttpsInProduction,
  requireInProduction,
  shutdownSettings,
  telemetrySettings,
} from '@pos/service-kit/config';
import type { DatabaseModuleOptions } from '@pos/nest-modules';
import { DEFAULT_PAYMENT_SETTINGS, type PaymentSettings } from '@pos/payments/accounts';
import { createFaultPoint } from '@pos/service-kit/lifecycle';
import { VAULT_ROLE } from '@pos/store/migrations';
import { z } from 'zod';
import { masterKeySettings } from './key-settings.js';

/** Every setting of the card vault. */
export const Config = z.object({
  ...databaseSettings('service_vault'),
  ...masterKeySettings(),
  HOST: z.string().default('127.0.0.1').describe('The address that payers reach the vault on.'),
  CONNECTIONS_PER_ADDRESS: connectionsPerAddressSetting(),
  ...telemetrySettings(),
  ...shutdownSettings(),
  ...activitySettings(),
  HTTP_PORT: portSetting(3001).describe('The port that payers reach.'),
  GRPC_PORT: portSetting(50053).describe(
    'The internal gRPC port, for stored cards; never to be reachable from outside.',
  ),
  ...internalPortSettings(),
  DATABASE_CONNECTIONS: poolSizeSetting(),
  ...httpEncryptionSettings(),
  ...acquirerSettings({ purpose: 'for payments with the card of a payer' }),
  ACQUIRER_DEADLINE_MS: millisecondsSetting(10_000).describe(
    'How long one call to the acquirer may take; then the payer receives 500 and a worker repeats the call.',
  ),
  INQUIRY_INTERVAL_MS: millisecondsSetting(5_000).describe('How long after that a worker inquires for the first time.'),
  CHECKOUT_ORIGINS: requireHttpsInProduction(
    listSetting().pipe(
      z.array(z.string().regex(/^https?:\/\/[a-z0-9.[\]:-]+$/i, { error: 'is not a list of origins' })),
    ),
  ).describe('Origins (`https://host`), comma-separated, of the payment pages that may show the card fields.'),
  DEVICE_DATA_URL: requireHttpsInProduction(
    requireInProduction(z.url(), 'http://127.0.0.1:3005/acquirer/device-data'),
  ).describe("The issuers' page that collects device data for 3-D Secure."),
  POLL_MS: millisecondsSetting(500).describe('The longest time between two searches for numbers to erase.'),
  SEED: z.string().max(200).optional().describe('Makes ids reproducible; never in production.'),
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

export function readDatabaseOptions(config: Config): DatabaseModuleOptions {
  const { DATABASE_CONNECTIONS: poolMax } = config;
  return {
    applicationName: 'card-vault',
    poolMax,
    role: VAULT_ROLE,
    agreedSettings: readAgreedSettings(Config, config),
  };
}

export function readPaymentSettings(config: Config): PaymentSettings {
  return {
    ...DEFAULT_PAYMENT_SETTINGS,
    acquirerDeadlineMs: config.ACQUIRER_DEADLINE_MS,
    inquiryIntervalMs: config.INQUIRY_INTERVAL_MS,
    fault: createFaultPoint(config),
  };
}
