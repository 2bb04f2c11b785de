import {
  acquirerSettings,
  activitySettings,
  certificateFileSetting,
  connectionsPerAddressSetting,
  databaseSettings,
  hostPortListSetting,
  internalTlsSettings,
  logLevelSetting,
  millisecondsSetting,
  nodeEnvSetting,
  optionalWindowSetting,
  poolSizeSetting,
  portSetting,
  readAgreedSettings,
  requiredHostPortListSetting,
  requireInProduction,
  telemetrySettings,
  timeScaleSetting,
  tlsReloadSetting,
  toSecret,
} from '@pos/service-kit/config';
import type { DatabaseModuleOptions } from '@pos/nest-modules';
import { computeSessionWindows, DEFAULT_PAYMENT_SETTINGS, type PaymentSettings } from '@pos/payments/accounts';
import { DAY_MS } from '@pos/core/time';
import { createFaultPoint } from '@pos/service-kit/lifecycle';
import { isMailServer } from './mail-server.js';
import { z } from 'zod';

/** Every setting of the webhook worker. */
export const Config = z.object({
  ...databaseSettings('service_app'),
  DATABASE_CONNECTIONS: poolSizeSetting(),
  HOST: z.string().default('127.0.0.1').describe('The address that health is served on.'),
  HTTP_PORT: portSetting(3002).describe('The port that health is served on.'),
  DELIVERY_CONCURRENCY: countSetting(64).describe(
    'Lanes this process works at once; for replays and for EPOSes a quarter of that each, beside it.',
  ),
  DELIVERY_ACCOUNT_CONCURRENCY: countSetting(16).describe(
    'Lanes of one account this process works at once; for replays and for its EPOS a quarter of that each.',
  ),
  DELIVERY_ENDPOINT_CONCURRENCY: countSetting(8).describe(
    'Attempts this process makes at once at one url of one account; for replays, and at its EPOS, a quarter of that.',
  ),
  TIMER_CONCURRENCY: countSetting(32).describe(
    'Deadlines (windows of terminal sessions, expiries) this process works at once; beside it half of that for mails, and a quarter for replays and deletions.',
  ),
  TIMER_ACCOUNT_CONCURRENCY: countSetting(8).describe(
    'Due timers of one account this process works at once in each of those, and at its acquirer.',
  ),
  ACQUIRER_CONCURRENCY: countSetting(32).describe(
    'Calls with an open outcome that this process asks one acquirer about at once; the acquirer of sandboxes and that of production have as many each, and beside it a quarter of that to compare their lists with our books.',
  ),
  LANE_LEASE_MS: millisecondsSetting(60_000).describe(
    'How long a claim on a lane lasts. Below a minute, attempts get a quarter of it instead of 15 s.',
  ),
  TIMER_LEASE_MS: millisecondsSetting(60_000).describe('How long a claim on a timer lasts.'),
  POLL_MS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(500)
    .describe('The longest time between two searches for due work; at most a second.'),
  WEBHOOK_BACKOFF_SCALE: z.coerce
    .number()
    .gt(0)
    .max(1)
    .default(1)
    .describe('Multiplies the waits between attempts; 1 is real time, less is for tests.'),
  ...acquirerSettings({ purpose: 'for inquiries about calls without an answer' }),
  INQUIRY_INTERVAL_MS: millisecondsSetting(5_000).describe(
    'The wait before an inquiry about an open outcome; doubled after each try, up to 180 times it (15 minutes).',
  ),
  ACQUIRER_CALL_PENDING_MS: millisecondsSetting(300_000).describe(
    'How long after its deadline a call to the acquirer without an outcome raises an alarm; the same as of the api.',
  ),
  SETTLEMENT_WAIT_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(60)
    .default(7)
    .describe('After how many days the missing settlement files of a day of calls raise an alarm.'),
  UNUSED_USER_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_650)
    .default(90)
    .describe('After how many days without a sign-in a user of the portal is disabled; 0 disables nobody.'),
  EGRESS_ALLOW: hostPortListSetting().describe('Receivers (`host:port`, exact) that may be called wherever they are.'),
  EGRESS_CA_FILE: certificateFileSetting()
    .optional()
    .describe('PEM file of the certificate authority those receivers may use.'),
  GATEWAY_INTERNAL_ADDRESSES: requireInProduction(requiredHostPortListSetting(), '127.0.0.1:50054').describe(
    'The internal gRPC ports of the gateways (`host:port`), which deliver events to EPOSes; when one fails, the next is used.',
  ),
  ...internalTlsSettings(),
  TLS_RELOAD_MS: tlsReloadSetting(),
  SMTP_URL: z
    .string()
    .refine(isMailServer, { error: 'is not smtps://user:password@host:port or smtp://, without a path or parameters' })
    .transform(toSecret)
    .optional()
    .describe(
      'The mail server, `smtps://user:password@host:port`. With `smtp://` the connection must change to TLS by STARTTLS, except on loopback. The certificate is verified. When not set, mails of production wait for a worker that has one: receipts for 30 days, notices to users of the portal for a day.',
    ),
  SMTP_CA_FILE: certificateFileSetting()
    .optional()
    .describe(
      "PEM file of the certificate authority of the mail server's certificate; when not set, the authorities of Node.",
    ),
  MAIL_FROM: requireInProduction(
    z.string().regex(/^[^\p{Cc}]*[^\s@<>]+@[^\s@<>]+>?$/u, { error: 'is not a mail address' }),
    'receipts@localhost',
  ).describe('Who mails are from: an address, or `Name <address>`.'),
  SIGNATURE_WINDOW_MS: optionalWindowSetting().describe(
    'How long the merchant has to verify a signature. When not set 80 s, in a sandbox divided by `SIMULATOR_TIME_SCALE`.',
  ),
  SIMULATOR_TIME_SCALE: timeScaleSetting().describe(
    'Divides the windows of terminal sessions in sandboxes (10, 80 and 90 s), as it divides the times of the simulated world.',
  ),
  CONNECTIONS_PER_ADDRESS: connectionsPerAddressSetting(),
  ...telemetrySettings(),
  ...activitySettings(),
  DATABASE_SIZE_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('How large the database may become on its disk, for the metric and alert of a full disk.'),
  SEED: z.string().max(200).optional().describe('Makes ids and jitter reproducible; never in production.'),
  LOG_LEVEL: logLevelSetting().describe('The least severe log lines that are written.'),
  NODE_ENV: nodeEnvSetting().describe('`test` arms `FAULT_POINT`.'),
  FAULT_POINT: z
    .string()
    .optional()
    .describe('Where the process kills itself, `name` or `name:n`; only with `NODE_ENV=test`.'),
});
export type Config = z.output<typeof Config>;

function countSetting(standard: number) {
  return z.coerce.number().int().min(1).max(1_000).default(standard);
}

export function readDatabaseOptions(config: Config): DatabaseModuleOptions {
  const { DATABASE_CONNECTIONS: poolMax } = config;
  return { applicationName: 'webhook-worker', poolMax, agreedSettings: readAgreedSettings(Config, config) };
}

export function readPaymentSettings(config: Config): PaymentSettings {
  return {
    ...DEFAULT_PAYMENT_SETTINGS,
    windows: computeSessionWindows({ timeScale: config.SIMULATOR_TIME_SCALE, signatureMs: config.SIGNATURE_WINDOW_MS }),
    inquiryIntervalMs: config.INQUIRY_INTERVAL_MS,
    callPendingMs: config.ACQUIRER_CALL_PENDING_MS,
    settlementWaitDays: config.SETTLEMENT_WAIT_DAYS,
    activitiesKeptMs: config.ACTIVITY_RETENTION_DAYS * DAY_MS,
    fault: createFaultPoint(config),
  };
}
