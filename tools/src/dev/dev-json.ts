import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { TRANSPORT_TITLES } from './epos-registration.js';
import { listPortalSignIns } from './seed.js';
import { DEMO_CLIENT } from './world-tls.js';
import type { DevWorld } from './world.js';

const SignInJson = z.object({ email: z.string(), password: z.string() });

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
    /** The pages of the simulated restaurant. */
    start: z.string(),
    waiter: z.string(),
    kitchen: z.string(),
    portal: z.string(),
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
  /** Who may sign in to the portal: an admin of the first account, and an operator. */
  portal: z.object({ admin: SignInJson, operator: SignInJson }),
  ready: z.array(z.string()),
  /** The files by which clients connect where the world has TLS. */
  tls: z.object({ ca: z.string(), cert: z.string(), key: z.string() }).nullable(),
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
      ...listScreens(world.addresses.sandbox),
      portal: world.addresses.portal,
      database: world.databaseUrl,
    },
    restaurants: world.accounts.map(({ name, tradingName, accountId, keys, epos: { way } }) => ({
      ...{ name, tradingName, accountId, apiKey: keys.full, way },
      wayInWords: TRANSPORT_TITLES[way],
    })),
    portal: listPortalSignIns(world.secrets.worldKey),
    ready: [...world.readyUrls],
    tls: world.tls?.filesOf(DEMO_CLIENT) ?? null,
  };
  const file = getDevJsonPath(dataDir);
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return content;
}

/** The machine of a waiter, which approves contactless cards when nobody operates it. */
const WAITER_TID = '90000001';

function listScreens(sandboxUrl: string) {
  return { start: `${sandboxUrl}/`, waiter: `${sandboxUrl}/machine/${WAITER_TID}`, kitchen: `${sandboxUrl}/epos` };
}

export async function removeDevJson(dataDir: string): Promise<void> {
  await rm(getDevJsonPath(dataDir), { force: true });
}
