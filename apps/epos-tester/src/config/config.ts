import {
  connectionsPerAddressSetting,
  databaseUrlSetting,
  encryptionKeySetting,
  logLevelSetting,
  nodeEnvSetting,
  portSetting,
  requireInProduction,
  secretSetting,
  requiredHostPortListSetting,
} from '@pos/service-kit/config/config';
import { z } from 'zod';

/** Every setting of the EPOS tester. */
export const Config = z.object({
  DATABASE_URL: databaseUrlSetting().describe('The PostgreSQL server, as the role `service_app`.'),
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
  HOST: z.string().default('127.0.0.1').describe('The address that the tester is served on.'),
  CONNECTIONS_PER_ADDRESS: connectionsPerAddressSetting(),
  HTTP_PORT: portSetting(3004).describe('The port that the tester is served on.'),
  GATEWAY_INTERNAL_ADDRESSES: requireInProduction(requiredHostPortListSetting(), '127.0.0.1:50054').describe(
    'The internal gRPC ports of the gateways (`host:port`); when one fails, the next is used.',
  ),
  GATEWAY_INTERNAL_KEY: secretSetting(32).optional().describe("The gateways' `INTERNAL_KEY`, where they have one."),
  SEED: z.string().max(200).optional().describe('Makes ids reproducible; never in production.'),
  LOG_LEVEL: logLevelSetting().describe('The least severe log lines that are written.'),
  NODE_ENV: nodeEnvSetting().describe('`test` checks every answer against the contract.'),
});
export type Config = z.output<typeof Config>;
