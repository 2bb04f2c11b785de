import { z } from 'zod';
import {
  databaseUrlSetting,
  defaultOutsideProduction,
  encryptionKeySetting,
  requireInProduction,
  secretSetting,
  trustedProxiesSetting,
} from './config.js';
import { requireHttpsInProduction } from './plaintext-addresses.js';
import type { Secret } from './secret.js';
import { httpTlsSettings, requiredInternalTlsSettings, tlsReloadSetting } from './tls-settings.js';

/** Who encrypts the connections to the database. */
export function databaseTlsSettings() {
  return {
    DATABASE_TLS_BY_NETWORK: z
      .enum(['true', 'false'])
      .default('false')
      .transform((text) => text === 'true')
      .describe(
        'Whether the network encrypts the way to the database servers and verifies them, as a service mesh or a tunnel does. Otherwise production needs `sslmode=verify-full` for servers on other machines.',
      ),
  };
}

/** Whether a process must verify database servers on other machines by certificate and name. */
export function requiresVerifiedServers(settings: {
  readonly NODE_ENV?: string | undefined;
  readonly DATABASE_TLS_BY_NETWORK?: boolean | undefined;
}): boolean {
  return settings.NODE_ENV === 'production' && settings.DATABASE_TLS_BY_NETWORK !== true;
}

/** The settings of every app that opens the database, which it opens as this role. */
export function databaseSettings(role: 'service_app' | 'service_vault') {
  return {
    DATABASE_URL: databaseUrlSetting().describe(
      `The PostgreSQL servers, as the role \`${role}\`: one address or several, with the parameters of [high availability](../operate/high-availability.md).`,
    ),
    ...databaseTlsSettings(),
    ENCRYPTION_KEY: encryptionKeySetting().describe(
      '32 bytes in base64 that seal stored secrets; the same for every app.',
    ),
    ENCRYPTION_KEY_ACCEPTED: encryptionKeySetting()
      .optional()
      .describe('While `ENCRYPTION_KEY` is replaced: the next key, later the previous one. It opens and never seals.'),
    KEY_PEPPER: secretSetting(16).describe(
      'Keys the hashes of API keys, client secrets, fingerprints and idempotency keys; the same for every app. A database does not open with another one.',
    ),
    KEY_PEPPER_ACCEPTED: secretSetting(16)
      .optional()
      .describe(
        'While `KEY_PEPPER` is replaced: the next pepper, later the previous one. What it has hashed is recognised.',
      ),
  };
}

/** How an app knows the requests that the portal makes for its users. */
export function portalKeySettings() {
  return {
    PORTAL_KEY: secretSetting(32)
      .optional()
      .describe(
        'The same as at the portal: it signs the requests that the portal makes for its users. Without it none is accepted.',
      ),
    PORTAL_KEY_ACCEPTED: secretSetting(32)
      .optional()
      .describe('While `PORTAL_KEY` is replaced: the next key, later the previous one. Its requests are accepted.'),
  };
}

export interface PortalKeySettings {
  readonly PORTAL_KEY?: Secret | undefined;
  readonly PORTAL_KEY_ACCEPTED?: Secret | undefined;
}

/** How the HTTP port of an app is encrypted, by its own certificate or by proxies. */
export function httpEncryptionSettings() {
  return { ...httpTlsSettings(), TRUSTED_PROXIES: trustedProxiesSetting(), TLS_RELOAD_MS: tlsReloadSetting() };
}

/** The port for the other apps, and the certificate that it needs. */
export function internalPortSettings() {
  return {
    INTERNAL_HOST: requireInProduction(z.string(), '127.0.0.1').describe(
      'The address that the internal port is opened on: one of a network that only the service reaches, or `127.0.0.1`.',
    ),
    ...requiredInternalTlsSettings(),
  };
}

const LAME_DUCK_MS_DEFAULT = 5_000;
const LAME_DUCK_MS_MAX = 60_000;

/** How an app with ports that others call ends. */
export function shutdownSettings() {
  return {
    LAME_DUCK_MS: defaultOutsideProduction(
      z.coerce.number().int().min(0).max(LAME_DUCK_MS_MAX).default(LAME_DUCK_MS_DEFAULT) as z.ZodType<
        number,
        string | undefined
      >,
      '0',
    ).describe(
      'For how long a process serves on after SIGTERM. `/health/ready` fails from the signal on, and answers carry `connection: close`: longer than the interval at which your load balancer asks. SIGINT does not wait.',
    ),
  };
}

/** What every app has for those who watch it: the port of health and metrics, the release, and where traces go. */
export function telemetrySettings() {
  return {
    HEALTH_PORT: z.coerce
      .number()
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .describe(
        'A port of its own for `/health/live`, `/health/ready` and `/metrics`. When not set there are no metrics.',
      ),
    HEALTH_HOST: z
      .string()
      .default('127.0.0.1')
      .describe('The address of `HEALTH_PORT`. It has no TLS and no credentials: open it to your monitoring only.'),
    RELEASE: z
      .string()
      .regex(/^[\w.+-]{1,64}$/, { error: 'is not 1 to 64 letters, digits or ._+-' })
      .optional()
      .describe(
        'The label of the running release in logs, `/health` and metrics. When not set, the version of the app.',
      ),
    OTEL_EXPORTER_OTLP_ENDPOINT: requireHttpsInProduction(
      z.url({ protocol: /^https?$/, error: 'is not an http:// or https:// address' }).optional(),
    ).describe('A collector of OpenTelemetry that takes OTLP over HTTP. When not set, no traces are exported.'),
    OTEL_TRACES_SAMPLER_ARG: z.coerce
      .number()
      .min(0)
      .max(1)
      .default(1)
      .describe(
        'The share of traces that are exported, from 0 to 1. A caller that sends `traceparent` decides itself.',
      ),
  };
}

const RETENTION_DAYS_DEFAULT = 30;
const RETENTION_DAYS_MAX = 400;

/** The activity log of an app that has one. */
export function activitySettings() {
  return {
    ACTIVITY_RETENTION_DAYS: z.coerce
      .number()
      .int()
      .min(0)
      .max(RETENTION_DAYS_MAX)
      .default(RETENTION_DAYS_DEFAULT)
      .describe(
        'For how many days the activity log keeps requests, calls to acquirers and EPOSes, and attempts of webhooks, by the clock of the account. 0 stores nothing; the webhook worker then deletes what is stored. The same for every app.',
      ),
  };
}
