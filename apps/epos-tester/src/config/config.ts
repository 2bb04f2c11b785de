import {
  connectionsPerAddressSetting,
  databaseSettings,
  httpEncryptionSettings,
  internalTlsSettings,
  logLevelSetting,
  nodeEnvSetting,
  poolSizeSetting,
  portalKeySettings,
  portSetting,
  requiredHostPortListSetting,
  requireInProduction,
  shutdownSettings,
  telemetrySettings,
} from '@pos/service-kit/config';
import { z } from 'zod';

/** Every setting of the EPOS tester. */
export const Config = z.object({
  ...databaseSettings('service_app'),
  DATABASE_CONNECTIONS: poolSizeSetting(),
  HOST: z.string().default('127.0.0.1').describe('The address that the tester is served on.'),
  CONNECTIONS_PER_ADDRESS: connectionsPerAddressSetting(),
  ...telemetrySettings(),
  ...shutdownSettings(),
  HTTP_PORT: portSetting(3004).describe('The port that the tester is served on.'),
  ...httpEncryptionSettings(),
  GATEWAY_INTERNAL_ADDRESSES: requireInProduction(requiredHostPortListSetting(), '127.0.0.1:50054').describe(
    'The internal gRPC ports of the gateways (`host:port`); when one fails, the next is used.',
  ),
  ...internalTlsSettings(),
  ...portalKeySettings(),
  SEED: z.string().max(200).optional().describe('Makes ids reproducible; never in production.'),
  LOG_LEVEL: logLevelSetting().describe('The least severe log lines that are written.'),
  NODE_ENV: nodeEnvSetting().describe('`test` checks every answer against the contract.'),
});
export type Config = z.output<typeof Config>;
