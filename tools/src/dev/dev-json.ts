import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { World } from './world.js';

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
    eposTester: z.string(),
    sandbox: z.string(),
    database: z.string(),
  }),
  ready: z.array(z.string()),
});
export type DevJson = z.output<typeof DevJson>;

const RESELLER = 'reseller1';
const SOFTWARE_HOUSE = 'softwareHouse1';

export function devJsonFile(dataDir: string): string {
  return path.join(dataDir, 'dev.json');
}

/** Says that the world is ready. The file is there only while it is. */
export async function writeDevJson(dataDir: string, world: World): Promise<DevJson> {
  const [first, second] = world.accounts;
  if (first === undefined || second === undefined) throw new Error('a world has two accounts');
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
      eposTester: world.addresses.eposTester,
      sandbox: world.addresses.sandbox,
      database: world.databaseUrl,
    },
    ready: [...world.readyUrls],
  };
  const file = devJsonFile(dataDir);
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return content;
}

export async function removeDevJson(dataDir: string): Promise<void> {
  await rm(devJsonFile(dataDir), { force: true });
}
