import {
  connectionsPerAddressSetting,
  hostPortListSetting,
  logLevelSetting,
  portSetting,
} from '@pos/service-kit/config/config';
import { z } from 'zod';

const nonEmptyText = z.string().min(1);

/** Every setting of the sandbox. */
export const SandboxConfig = z.object({
  HTTP_PORT: portSetting(3005).describe('HTTP port of the control API; it listens on the loopback only'),
  HOST: nonEmptyText.default('127.0.0.1').describe('Where both ports listen; the control API needs no key'),
  CONNECTIONS_PER_ADDRESS: connectionsPerAddressSetting(),
  GRPC_PORT: portSetting(50_052).describe('gRPC port of the simulated acquirer and of the EPOSes that are dialled'),
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
  API_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where EPOSes read payments back before they book them; none: they do not'),
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
