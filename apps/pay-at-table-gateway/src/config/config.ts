import {
  certificateFileSetting,
  connectionsPerAddressSetting,
  hostPortSetting,
  hostPortListSetting,
  logLevelSetting,
  millisecondsSetting,
  nodeEnvSetting,
  portSetting,
  requireInProduction,
  secretSetting,
  timeScaleSetting,
  optionalWindowSetting,
} from '@pos/service-kit/config/config';
import { acquirerSettings, databaseSettings } from '@pos/service-kit/config/shared-settings';
import {
  computeSessionWindows,
  DEFAULT_PAYMENT_SETTINGS,
  type PaymentSettings,
} from '@pos/payments/accounts/payment-settings';
import { z } from 'zod';

/** Every setting of the pay-at-table gateway. */
export const Config = z.object({
  ...databaseSettings('service_app'),
  HOST: z.string().default('127.0.0.1').describe('The address that the gRPC and HTTP ports are opened on.'),
  CONNECTIONS_PER_ADDRESS: connectionsPerAddressSetting(),
  HTTP_PORT: portSetting(3003).describe('The port that health is served on.'),
  GRPC_PORT: portSetting(50_051).describe('The gRPC port for card machines, devices and EPOSes.'),
  INTERNAL_HOST: z
    .string()
    .optional()
    .describe(
      'The address that the internal port is opened on: one of a network that only the service reaches; `127.0.0.1` when left out. In production it must be set beside `INTERNAL_KEY`, and beside an `ADVERTISED_ADDRESS` that is not loopback.',
    ),
  INTERNAL_GRPC_PORT: portSetting(50_054).describe(
    'The gRPC port for the other processes of the service; never to be reached from outside.',
  ),
  ADVERTISED_ADDRESS: hostPortSetting()
    .optional()
    .describe(
      'The internal gRPC port as other gateways reach it, `host:port`; `INTERNAL_HOST` and the open port when left out.',
    ),
  INTERNAL_KEY: secretSetting(32)
    .optional()
    .describe(
      'The key that the other processes of the service send to the internal port; needed unless `INTERNAL_HOST` is loopback.',
    ),
  INTERNAL_KEY_ACCEPTED: secretSetting(32)
    .optional()
    .describe('While `INTERNAL_KEY` is replaced: the next key, later the previous one. It is accepted and never sent.'),
  ...acquirerSettings({ purpose: 'for payments that are returned', developmentDefault: '127.0.0.1:50052' }),
  CHECKOUT_BASE_URL: requireInProduction(z.url(), 'http://127.0.0.1:3006').describe(
    'The address of the hosted payment page; part of payment links.',
  ),
  RUNNER_LEASE_MS: millisecondsSetting(30_000).describe('How long the lease of a gateway on a payment lasts.'),
  LOCK_LEASE_MS: millisecondsSetting(600_000).describe(
    'How long the lease of a device on a session lasts without a command.',
  ),
  EPOS_CALL_LIMIT_MS: millisecondsSetting(30_000).describe(
    'The longest that a call to an EPOS may take; recording a payment gets all of it, other calls two thirds and the rest to wait for their turn.',
  ),
  ALLOW_PLAINTEXT_EPOS: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .describe(
      'Lets EPOSes of sandbox accounts be called without TLS: at any port of the loopback, the ports of this service included, and where `EGRESS_ALLOW` allows it. Not for production.',
    ),
  EGRESS_ALLOW: hostPortListSetting().describe('EPOSes (`host:port`, exact) that may be dialled wherever they are.'),
  EGRESS_CA_FILE: certificateFileSetting()
    .optional()
    .describe('PEM file of the certificate authority those EPOSes may use.'),
  SIGNATURE_WINDOW_MS: optionalWindowSetting().describe(
    'How long the merchant has to verify a signature. When not set 80 s, in a sandbox divided by `SIMULATOR_TIME_SCALE`.',
  ),
  SIMULATOR_TIME_SCALE: timeScaleSetting().describe(
    'Divides the windows of terminal sessions in sandboxes (10, 80 and 90 s), as it divides the times of the simulated world.',
  ),
  SEED: z.string().max(200).optional().describe('Makes ids reproducible; never in production.'),
  LOG_LEVEL: logLevelSetting().describe('The least severe log lines that are written.'),
  NODE_ENV: nodeEnvSetting().describe('Reflection is off in `production`; `test` arms `FAULT_POINT`.'),
  FAULT_POINT: z
    .string()
    .optional()
    .describe('Where the process kills itself, `name` or `name:n`; only with `NODE_ENV=test`.'),
});
export type Config = z.output<typeof Config>;

export function readPaymentSettings(config: Config): PaymentSettings {
  return {
    ...DEFAULT_PAYMENT_SETTINGS,
    checkoutBaseUrl: config.CHECKOUT_BASE_URL,
    hasProductionAcquirer: config.ACQUIRER_ADDRESS_PRODUCTION !== undefined,
    windows: computeSessionWindows({ timeScale: config.SIMULATOR_TIME_SCALE, signatureMs: config.SIGNATURE_WINDOW_MS }),
  };
}
