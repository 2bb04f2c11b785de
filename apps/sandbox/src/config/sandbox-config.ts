import {
  connectionsPerAddressSetting,
  grpcTlsSettings,
  hostNameListSetting,
  hostPortListSetting,
  httpEncryptionSettings,
  logLevelSetting,
  portSetting,
  secretSetting,
  telemetrySettings,
  tlsFileSetting,
} from '@pos/service-kit/config';
import { z } from 'zod';

const nonEmptyText = z.string().min(1);

/** Every setting of the sandbox. */
export const SandboxConfig = z.object({
  HTTP_PORT: portSetting(3005).describe('HTTP port of the control API; it listens on the loopback only'),
  HOST: nonEmptyText.default('127.0.0.1').describe('Where both ports listen; the control API needs no key'),
  CONTROL_HOSTS: hostNameListSetting().describe(
    'Names by which programs and browsers call the control API, separated by commas, beside addresses and `localhost`',
  ),
  CONNECTIONS_PER_ADDRESS: connectionsPerAddressSetting(),
  ...telemetrySettings(),
  GRPC_PORT: portSetting(50_052).describe('gRPC port of the simulated acquirer and of the EPOSes that are dialled'),
  ...httpEncryptionSettings(),
  ...grpcTlsSettings(),
  SANDBOX_DATA: nonEmptyText.default('.data/sandbox').describe("Folder of the acquirer's books and of the accounts"),
  SANDBOX_ACCOUNTS: nonEmptyText
    .optional()
    .describe('JSON file with a list of accounts that exist from the start, in the form of the control API'),
  GATEWAY_ADDRESSES: hostPortListSetting().describe(
    'Gateways that machines and EPOSes dial, host:port separated by commas; the next when one fails',
  ),
  GATEWAY_HTTP_ADDRESSES: hostPortListSetting().describe(
    'HTTP side of the same gateways, where EPOSes open sockets; host:port separated by commas',
  ),
  ACQUIRER_CREDENTIAL: secretSetting(16)
    .optional()
    .describe('What calls to the simulated acquirer have to carry as the metadata `authorization`; none: nothing'),
  GATEWAY_TLS_CA: tlsFileSetting().describe(
    'PEM file with the authorities of the gateways. When set, machines and EPOSes dial them over TLS; off loopback it is needed.',
  ),
  GATEWAY_TLS_CERT: tlsFileSetting().describe(
    'PEM file with the certificate of the machines and EPOSes, where the gateways have `GRPC_TLS_CA`.',
  ),
  GATEWAY_TLS_KEY: tlsFileSetting().describe('PEM file with the private key of `GATEWAY_TLS_CERT`.'),
  API_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where EPOSes read payments back before they book them; none: they do not'),
  PORTAL_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where the start page leads to the portal and the reference; none: it does not'),
  EPOS_HTTP_PORT: portSetting(3009).describe('HTTP port of the EPOSes that are called over REST'),
  EPOS_STATE_DIR: nonEmptyText
    .optional()
    .describe(
      'Folder in which each EPOS keeps tables, orders, locks, payments and bookings over a restart; none: it starts empty',
    ),
  SIMULATOR_TIME_SCALE: z.coerce
    .number()
    .positive()
    .max(10_000)
    .default(1)
    .describe('Divides all times of the simulated world'),
  SEED: nonEmptyText.optional().describe('Makes the simulated world the same at every start, its timestamps included'),
  LOG_LEVEL: logLevelSetting().describe('Least level that is logged'),
});
export type SandboxConfig = z.output<typeof SandboxConfig>;
