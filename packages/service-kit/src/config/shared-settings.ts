import {
  databaseUrlSetting,
  encryptionKeySetting,
  hostPortSetting,
  requireInProduction,
  secretSetting,
} from './config.js';

/** The settings of every app that opens the database, which it opens as this role. */
export function databaseSettings(role: 'service_app' | 'service_vault') {
  return {
    DATABASE_URL: databaseUrlSetting().describe(`The PostgreSQL server, as the role \`${role}\`.`),
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

/**
 * The acquirers of both environments. `purpose` completes the description of the first; `developmentDefault` is the
 * address outside production where an app has one.
 */
export function acquirerSettings({
  purpose,
  developmentDefault,
}: {
  readonly purpose: string;
  readonly developmentDefault?: string;
}) {
  const address = hostPortSetting();
  const sandbox = developmentDefault === undefined ? address : requireInProduction(address, developmentDefault);
  return {
    ACQUIRER_ADDRESS: sandbox.describe(`The gRPC address (\`host:port\`) of the acquirer, ${purpose}.`),
    ACQUIRER_ADDRESS_PRODUCTION: hostPortSetting()
      .optional()
      .describe(
        'The gRPC address (`host:port`) of the acquirer of production. When not set, production accounts cannot take payments.',
      ),
  };
}
