import {
  connectionsPerAddressSetting,
  httpEncryptionSettings,
  listSetting,
  logLevelSetting,
  nodeEnvSetting,
  portSetting,
  requireHttpsInProduction,
  requireInProduction,
  shutdownSettings,
  telemetrySettings,
} from '@pos/service-kit/config';
import { z } from 'zod';

/** `https:` alone matches every site with a certificate. */
const ORIGIN_SOURCE = /^(https:|https?:\/\/[a-z0-9.[\]:-]+)$/i;

/** Every setting of the hosted payment page. */
export const Config = z.object({
  HOST: z.string().default('127.0.0.1').describe('The address that the pages are served on.'),
  CONNECTIONS_PER_ADDRESS: connectionsPerAddressSetting(),
  ...telemetrySettings(),
  ...shutdownSettings(),
  HTTP_PORT: portSetting(3006).describe('The port that payers reach.'),
  ...httpEncryptionSettings(),
  API_BASE_URL: requireHttpsInProduction(z.url({ protocol: /^https?$/ })).describe(
    "The API's address, as payers' browsers reach it.",
  ),
  CARD_VAULT_URL: requireHttpsInProduction(z.url({ protocol: /^https?$/ })).describe(
    "The card vault's address, as payers' browsers reach it; its `CHECKOUT_ORIGINS` names these pages.",
  ),
  CHALLENGE_ORIGINS: requireHttpsInProduction(
    requireInProduction(
      listSetting().pipe(z.array(z.string().regex(ORIGIN_SOURCE, { error: 'is not a list of origins' }))),
      'https:',
    ),
  ).describe(
    "Origins, comma-separated, of the issuers' pages that may be shown in a frame; `https:` allows all of them.",
  ),
  SANDBOX_WALLET_URL: requireHttpsInProduction(z.url({ protocol: /^https?$/ }).optional()).describe(
    'The page of the simulated wallets, for sandbox accounts; without one, no wallet is offered. Wallets of production are not offered here.',
  ),
  LOG_LEVEL: logLevelSetting().describe('The least severe log lines that are written.'),
  NODE_ENV: nodeEnvSetting().describe('Outside `production` some settings have defaults.'),
});
export type Config = z.output<typeof Config>;
