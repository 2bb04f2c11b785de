import { SECOND_FACTOR_MODES } from '@pos/core/identity';
import {
  acquirerSettings,
  databaseSettings,
  databaseTlsSettings,
  databaseUrlSetting,
  hostPortListSetting,
  hostPortSetting,
  internalTlsSettings,
  millisecondsSetting,
  nodeEnvSetting,
  secretSetting,
} from '@pos/service-kit/config';
import { z } from 'zod';

const PASSWORD_LENGTH_MIN = 8;

const ownerUrl = databaseUrlSetting();
const rolePasswords = {
  SERVICE_APP_PASSWORD: secretSetting(PASSWORD_LENGTH_MIN)
    .optional()
    .describe('`migrate`: the password of the login `service_app`. When not set, the login keeps its password.'),
  SERVICE_VAULT_PASSWORD: secretSetting(PASSWORD_LENGTH_MIN)
    .optional()
    .describe('`migrate`: the password of the login `service_vault`. When not set, the login keeps its password.'),
};

/** `doctor` asks each acquirer once. */
const { ACQUIRER_CAPABILITIES_INTERVAL_MS: _interval, ...acquirers } = acquirerSettings({
  purpose: 'for the checks of `doctor`',
});

/** Every setting of the operator's command. */
export const Config = z.object({
  ...databaseSettings('service_app'),
  DATABASE_OWNER_URL: ownerUrl
    .optional()
    .describe('`migrate`: the PostgreSQL server, as the owner of the database. No other command needs it.'),
  ...rolePasswords,
  ...acquirers,
  ACQUIRER_CALL_PENDING_MS: millisecondsSetting(300_000).describe(
    'How long after its deadline a call to the acquirer without an outcome is on the pending list, as the apps have it.',
  ),
  CARD_VAULT_ADDRESS: hostPortSetting()
    .optional()
    .describe("`doctor`: the card vault's internal gRPC address (`host:port`)."),
  GATEWAY_INTERNAL_ADDRESSES: hostPortListSetting().describe(
    '`doctor`: internal gRPC ports of gateways (`host:port`), beside those that hold connections now.',
  ),
  ...internalTlsSettings(),
  SECOND_FACTOR: z.enum(SECOND_FACTOR_MODES).optional().describe('`doctor`: as the portal has it.'),
  OIDC_ISSUER: z.url().optional().describe('`doctor`: as the portal has it.'),
  PASSWORD_SIGN_IN: z.enum(['on', 'off']).optional().describe('`doctor`: as the portal has it.'),
  NODE_ENV: nodeEnvSetting().describe(
    'In `production` options of Node that open memory are refused, and `doctor` names protections of production that can be switched on and are off.',
  ),
});
export type Config = z.output<typeof Config>;

/** The settings of `migrate`, which runs before there are keys. */
export const MigrationConfig = z.object({
  DATABASE_OWNER_URL: ownerUrl,
  ...databaseTlsSettings(),
  ...rolePasswords,
  NODE_ENV: nodeEnvSetting(),
});
export type MigrationConfig = z.output<typeof MigrationConfig>;
