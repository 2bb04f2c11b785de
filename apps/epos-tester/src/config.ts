import {
  connectionsPerAddress,
  databaseUrl,
  hostPorts,
  key32,
  logLevel,
  nodeEnv,
  port,
  secretText,
} from '@pos/service-kit/config';
import { z } from 'zod';

/** Every setting of the EPOS tester. */
export const Config = z.object({
  DATABASE_URL: databaseUrl().describe('The PostgreSQL server, as the role `service_app`.'),
  ENCRYPTION_KEY: key32().describe('32 bytes in base64 that seal stored secrets; the same for every app.'),
  KEY_PEPPER: secretText(16).describe(
    'Keys the hashes of API keys, client secrets, fingerprints and idempotency keys; the same for every app, and never changed: a database is opened with the one it was first opened with.',
  ),
  HOST: z.string().default('127.0.0.1').describe('The address that the tester is served on.'),
  CONNECTIONS_PER_ADDRESS: connectionsPerAddress(),
  HTTP_PORT: port(3004).describe('The port that the tester is served on.'),
  GATEWAY_INTERNAL_ADDRESSES: hostPorts()
    .pipe(z.array(z.string()).max(100))
    .transform((addresses) => (addresses.length === 0 ? ['127.0.0.1:50054'] : addresses))
    .describe('The internal gRPC ports of the gateways (`host:port`); when one fails, the next is taken.'),
  SEED: z.string().max(200).optional().describe('Makes ids reproducible; never in production.'),
  LOG_LEVEL: logLevel().describe('The least severe lines that are written.'),
  NODE_ENV: nodeEnv().describe('`test` checks every answer against the contract.'),
});
export type Config = z.output<typeof Config>;
