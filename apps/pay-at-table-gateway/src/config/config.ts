import {
  acquirerSettings,
  activitySettings,
  certificateFileSetting,
  connectionsPerAddressSetting,
  databaseSettings,
  grpcTlsSettings,
  hostPortListSetting,
  hostPortSetting,
  httpEncryptionSettings,
  internalPortSettings,
  logLevelSetting,
  millisecondsSetting,
  nodeEnvSetting,
  optionalWindowSetting,
  poolSizeSetting,
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
import { z } from 'zod';

/** Every setting of the pay-at-table gateway. */
export const Config = z.object({
  ...databaseSettings('service_app'),
  DATABASE_CONNECTIONS: poolSizeSetting(20),
  HOST: z.string().default('127.0.0.1').describe('The address that the gRPC and HTTP ports are opened on.'),
  CONNECTIONS_PER_ADDRESS: connectionsPerAddressSetting(),
  ...telemetrySettings(),
  ...shutdownSettings(),
  ...activitySettings(),
  HTTP_PORT: portSetting(3003).describe('The port that health is served on.'),
  GRPC_PORT: portSetting(50_051).describe('The gRPC port for card machines, devices and EPOSes.'),
  ...httpEncryptionSettings(),
  ...grpcTlsSettings(),
  GRPC_PROXY_HEADERS: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .describe(
      'Whether each connection to the gRPC port begins with a PROXY header (version 1 or 2) of one of the `TRUSTED_PROXIES`, which names the client. No other connections are accepted then.',
    ),
  INTERNAL_GRPC_PORT: portSetting(50_054).describe(
    'The gRPC port for the other processes of the service; never to be reached from outside.',
  ),
  ADVERTISED_ADDRESS: hostPortSetting()
    .optional()
    .describe(
      'The internal gRPC port as other gateways reach it, `host:port`; `INTERNAL_HOST` and the open port when left out.',
    ),
  ...internalPortSettings(),
  ...acquirerSettings({ purpose: 'for payments that are returned', developmentDefault: '127.0.0.1:50052' }),
  CHECKOUT_BASE_URL: requireHttpsInProduction(requireInProduction(z.url(), 'http://127.0.0.1:3006')).describe(
    'The address of the hosted payment page; part of payment links.',
  ),
  RUNNER_LEASE_MS: millisecondsSetting(30_000).describe('How long the lease of a gateway on a payment lasts.'),
  POLL_MS: z.coerce
    .number()
    .int()
    .min(10)
    .max(1_000)
    .default(500)
    .describe('The longest time between two searches for due work; at most a second.'),
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
  MACHINE_APPROVAL_CHECK_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(2_000)
    .describe(
      'How long an approval of a card machine may wait for the word of the acquirer before it is booked. An approval that the acquirer does not have is not booked. Without an answer in this time the approval counts, and is checked afterwards. `0`: it always counts at once.',
    ),
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

export function readDatabaseOptions(config: Config): DatabaseModuleOptions {
  const { DATABASE_CONNECTIONS: poolMax } = config;
  return { applicationName: 'pay-at-table-gateway', poolMax, agreedSettings: readAgreedSettings(Config, config) };
}

export function readPaymentSettings(config: Config): PaymentSettings {
  return {
    ...DEFAULT_PAYMENT_SETTINGS,
    checkoutBaseUrl: config.CHECKOUT_BASE_URL,
    approvalCheckMs: config.MACHINE_APPROVAL_CHECK_MS,
    windows: computeSessionWindows({ timeScale: config.SIMULATOR_TIME_SCALE, signatureMs: config.SIGNATURE_WINDOW_MS }),
  };
}
