import { logLevelSetting, millisecondsSetting, portSetting, tlsReloadSetting, toSecret } from '@pos/service-kit/config';
import { z } from 'zod';

const nonEmptyText = z.string().min(1);

/** Every setting of the adapter. */
export const Config = z.object({
  GRPC_HOST: nonEmptyText.default('127.0.0.1').describe('Where the gRPC port listens'),
  GRPC_PORT: portSetting(50_055).describe('gRPC port for the service; 0 takes a free one'),
  GRPC_TLS_CERT: nonEmptyText.optional().describe('PEM file of the certificate of the gRPC port; none: without TLS'),
  GRPC_TLS_KEY: nonEmptyText.optional().describe('PEM file of its key'),
  GRPC_TLS_CA: nonEmptyText
    .optional()
    .describe('PEM file of the authority whose certificates callers must show; none: they show none'),
  TLS_RELOAD_MS: tlsReloadSetting(),
  HTTP_PORT: portSetting(3011).describe('HTTP port for webhooks of the processor and health; 0 takes a free one'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .transform(toSecret)
    .describe("The adapter's own database"),
  PROCESSOR_URL: z.url({ protocol: /^https?$/ }).describe('Where the processor is called'),
  PROCESSOR_TIMEOUT_MS: millisecondsSetting(2_000).describe('How long one request to the processor may take'),
  ABANDON_AFTER_MS: millisecondsSetting(60_000).describe(
    'After this time a request that the processor does not have has certainly not arrived: its call has failed',
  ),
  CALL_CREDENTIAL: nonEmptyText
    .transform(toSecret)
    .describe('What the service sends as the metadata `authorization` of each call'),
  FINGERPRINT_KEY: z
    .string()
    .min(32)
    .transform(toSecret)
    .describe('Key of the hashes that repeats are recognised by; use random characters.'),
  FINGERPRINT_KEY_ACCEPTED: z
    .string()
    .min(32)
    .transform(toSecret)
    .optional()
    .describe('A second key whose hashes are accepted while the key is replaced; none are written with it.'),
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production').describe('Kind of environment'),
  FAULT_POINT: nonEmptyText.optional().describe('With `NODE_ENV=test`: where the process kills itself'),
  LOG_LEVEL: logLevelSetting().describe('Least level that is logged'),
});
