import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { TRANSPORT_TITLES } from './epos-ways.js';
import type { DevWorld } from './world.js';

/** What tools and demos need of a running world: its addresses and its keys. */
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
    /** The addresses where EPOSes open sockets. */
    gatewayWs: z.string(),
    eposTester: z.string(),
    sandbox: z.string(),
    checkout: z.string(),
    database: z.string(),
  }),
  /** Each with another transport to its EPOS; `apiKey` is the first's, `otherApiKey` the second's. */
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

/** Writes the file that shows that the world is ready. It exists only while the world is. */
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
