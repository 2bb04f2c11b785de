import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { TRANSPORT_TITLES } from './epos-ways.js';
import type { DevWorld } from './world.js';

/** What tools and demos read of a running world: where everything is, and the keys to it. */
export const DevJson = z.object({
  apiKey: z.string(),
  otherApiKey: z.string(),
  pciApiKey: z.string(),
  resellerId: z.string(),
  softwareHouseId: z.string(),
  urls: z.object({
    api: z.string(),
    cardVault: z.string(),
    gatewayGrpc: z.string(),
    /** Where EPOSes open sockets. */
    gatewayWs: z.string(),
    eposTester: z.string(),
    sandbox: z.string(),
    checkout: z.string(),
    database: z.string(),
  }),
  /** Each with another way to its EPOS; `apiKey` is the first's, `otherApiKey` the second's. */
  restaurants: z.array(
    z.object({
      name: z.string(),
      tradingName: z.string(),
      accountId: z.string(),
      apiKey: z.string(),
      way: z.string(),
      wayInWords: z.string(),
    }),
  ),
  ready: z.array(z.string()),
});
export type DevJson = z.output<typeof DevJson>;

const RESELLER = 'reseller1';
const SOFTWARE_HOUSE = 'softwareHouse1';

export function getDevJsonPath(dataDir: string): string {
  return path.join(dataDir, 'dev.json');
}

/** Says that the world is ready. The file is there only while it is. */
export async function writeDevJson(dataDir: string, world: DevWorld): Promise<DevJson> {
  const [first, second] = world.accounts;
  if (first === undefined || second === undefined) throw new Error('a world has at least two accounts');
  const content: DevJson = {
    apiKey: first.keys.full,
    otherApiKey: second.keys.full,
    pciApiKey: first.keys.pci,
    resellerId: RESELLER,
    softwareHouseId: SOFTWARE_HOUSE,
    urls: {
      api: world.addresses.api[0] ?? '',
      cardVault: world.addresses.cardVault[0] ?? '',
      gatewayGrpc: world.addresses.gatewayGrpc[0] ?? '',
      gatewayWs: (world.addresses.gatewayHttp[0] ?? '').replace(/^http/, 'ws'),
      eposTester: world.addresses.eposTester,
      sandbox: world.addresses.sandbox,
      checkout: world.addresses.checkout,
      database: world.databaseUrl,
    },
    restaurants: world.accounts.map(({ name, tradingName, accountId, keys, epos: { way } }) => ({
      ...{ name, tradingName, accountId, apiKey: keys.full, way },
      wayInWords: TRANSPORT_TITLES[way],
    })),
    ready: [...world.readyUrls],
  };
  const file = getDevJsonPath(dataDir);
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return content;
}

export async function removeDevJson(dataDir: string): Promise<void> {
  await rm(getDevJsonPath(dataDir), { force: true });
}
