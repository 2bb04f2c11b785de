import type { DatabaseModuleOptions } from '@pos/nest-modules';
import {
  connectionsPerAddressSetting,
  databaseSettings,
  httpEncryptionSettings,
  logLevelSetting,
  millisecondsSetting,
  nodeEnvSetting,
  poolSizeSetting,
  portSetting,
  readAgreedSettings,
  requireHttpsInProduction,
  requireInProduction,
  secretSetting,
  shutdownSettings,
  telemetrySettings,
} from '@pos/service-kit/config';
import { SECOND_FACTOR_MODES, type SecondFactorMode } from '@pos/core/identity';
import { findRelyingParty, type RelyingParty } from '@pos/administration/portal';
import { z } from 'zod';

const HOUR_MS = 3_600_000;
/** What `OIDC_ISSUER` needs. */
const OIDC_SETTINGS = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PORTAL_BASE_URL'] as const;

/** Every setting of the portal. */
export const Config = z
  .object({
    ...databaseSettings('service_app'),
    HOST: z.string().default('127.0.0.1').describe('The address that the portal is served on.'),
    CONNECTIONS_PER_ADDRESS: connectionsPerAddressSetting(),
    ...telemetrySettings(),
    ...shutdownSettings(),
    HTTP_PORT: portSetting(3007).describe('The port that browsers of the portal reach.'),
    ...httpEncryptionSettings(),
    DATABASE_CONNECTIONS: poolSizeSetting(),
    API_URL: requireHttpsInProduction(
      requireInProduction(z.url({ protocol: /^https?$/ }), 'http://127.0.0.1:3000'),
    ).describe('The address of the API, as this process reaches it. Requests of the pages are forwarded to it.'),
    API_DEADLINE_MS: millisecondsSetting(30_000).describe('How long the API may take to answer a forwarded request.'),
    SANDBOX_URL: requireHttpsInProduction(z.url({ protocol: /^https?$/ }).optional()).describe(
      'The address of the control of the simulators, as this process reaches it. Without it the portal has no switches of simulators.',
    ),
    EPOS_TESTER_URL: requireHttpsInProduction(z.url({ protocol: /^https?$/ }).optional()).describe(
      'The address of the EPOS tester, as this process reaches it. Without it the pages list runs and start none.',
    ),
    PORTAL_KEY: secretSetting(32).describe(
      'Signs the requests that the portal makes of the API and the EPOS tester for its users; the same as there. It is never sent.',
    ),
    ACQUIRER_CALL_PENDING_MS: millisecondsSetting(300_000).describe(
      'How long after its deadline a call to the acquirer without an outcome is on the pending list; the same as of the api.',
    ),
    SESSION_AGE_MS: millisecondsSetting(12 * HOUR_MS).describe('How long a user stays signed in at most.'),
    SESSION_IDLE_MS: millisecondsSetting(HOUR_MS / 4).describe(
      'After how long without use a session ends. Requests that a page sends by itself are no use.',
    ),
    PASSWORD_MAX_AGE_DAYS: z.coerce
      .number()
      .int()
      .min(0)
      .max(3_650)
      .default(90)
      .describe('After how many days a user must change the password at the next sign-in; 0 switches it off.'),
    PORTAL_BASE_URL: requireHttpsInProduction(z.url({ protocol: /^https?$/ }).optional()).describe(
      'The address of the portal, as browsers reach it. Needed with `OIDC_ISSUER`: the provider leads users back to `/portal/oidc/callback` there. Passkeys are bound to its domain: without it, or with an IP address, the portal offers none.',
    ),
    OIDC_ISSUER: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        'The issuer of an OpenID Connect provider by which users may also sign in. Without it they have passwords only. In production it must be `https`.',
      ),
    OIDC_CLIENT_ID: z.string().min(1).max(500).optional().describe('The id of the portal at the provider.'),
    OIDC_CLIENT_SECRET: secretSetting(1).optional().describe('The secret of the portal at the provider.'),
    OIDC_SECOND_FACTORS: z
      .string()
      .regex(/^[^\s,]+(,[^\s,]+)*$/)
      .optional()
      .describe(
        'Values of the claims `amr` and `acr` by which the provider states a second factor, such as `mfa,hwk`. Without it the portal asks for its own after each sign-in there.',
      ),
    PASSWORD_SIGN_IN: z
      .enum(['on', 'off'])
      .default('on')
      .describe(
        '`off` closes every entry of a password: users sign in at the provider or by a passkey, and confirm by a second factor or there. Needs `OIDC_ISSUER`.',
      ),
    SECOND_FACTOR: z
      .enum(SECOND_FACTOR_MODES)
      .optional()
      .describe(
        '`required`: operators, and users whose role returns money in production, work only after a second factor. Left out: `required` in production, `optional` elsewhere.',
      ),
    LOG_LEVEL: logLevelSetting().describe('The least severe log lines that are written.'),
    NODE_ENV: nodeEnvSetting().describe(
      'Outside `production` some settings have defaults, and an answer that breaks the contract fails its request.',
    ),
  })
  .check(({ value, issues }) => {
    if (value.OIDC_ISSUER === undefined && value.PASSWORD_SIGN_IN === 'off') {
      issues.push({ code: 'custom', input: value, path: ['PASSWORD_SIGN_IN'], message: 'off needs OIDC_ISSUER' });
    }
    if (value.OIDC_ISSUER === undefined) return;
    for (const name of OIDC_SETTINGS) {
      if (value[name] !== undefined) continue;
      issues.push({ code: 'custom', input: value, path: [name], message: 'is needed with OIDC_ISSUER' });
    }
    if (value.NODE_ENV === 'production' && !value.OIDC_ISSUER.startsWith('https:')) {
      issues.push({ code: 'custom', input: value, path: ['OIDC_ISSUER'], message: 'must be https in production' });
    }
  });
export type Config = z.output<typeof Config>;

export function readDatabaseOptions(config: Config): DatabaseModuleOptions {
  const { DATABASE_CONNECTIONS: poolMax } = config;
  return { applicationName: 'portal', poolMax, agreedSettings: readAgreedSettings(Config, config) };
}

export function readSecondFactorMode({ SECOND_FACTOR, NODE_ENV }: Config): SecondFactorMode {
  return SECOND_FACTOR ?? (NODE_ENV === 'production' ? 'required' : 'optional');
}

/** The portal as passkeys know it; null where browsers offer none. */
export function findPortalParty({ PORTAL_BASE_URL }: Config): RelyingParty | null {
  return findRelyingParty(PORTAL_BASE_URL);
}
