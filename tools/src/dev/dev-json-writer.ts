import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { DevJson, getDevJsonPath } from './dev-json.js';
import { TRANSPORT_TITLES } from './epos-registration.js';
import { listPortalSignIns, type SeededAccount } from './seed.js';
import { DEMO_CLIENT } from './world-tls.js';
import type { DevWorld } from './world.js';

const RESELLER = 'reseller1';
const SOFTWARE_HOUSE = 'softwareHouse1';

/** Writes the file that shows that the world is ready. It exists only while the world is. */
export async function writeDevJson(
  dataDir: string,
  world: DevWorld,
  accountServer: DevJson['accountServer'],
): Promise<DevJson> {
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
    restaurants: world.accounts.map(toDevJsonRestaurant),
    accountServer,
    portal: listPortalSignIns(world.secrets.worldKey),
    ready: [...world.readyUrls],
    tls: world.tls?.filesOf(DEMO_CLIENT) ?? null,
  };
  await replaceFile(dataDir, content);
  return content;
}

/** Changes the list of restaurants in the file. Calls must not overlap. */
export async function changeRestaurants(
  dataDir: string,
  change: (restaurants: DevJson['restaurants']) => DevJson['restaurants'],
): Promise<void> {
  const content = DevJson.parse(JSON.parse(await readFile(getDevJsonPath(dataDir), 'utf8')));
  await replaceFile(dataDir, { ...content, restaurants: change(content.restaurants) });
}

/** An account as tools see it. */
export function toDevJsonRestaurant(account: SeededAccount): DevJson['restaurants'][number] {
  const { name, tradingName, accountId, keys, epos } = account;
  return {
    ...{ name, tradingName, accountId, apiKey: keys.full, way: epos.way },
    wayInWords: TRANSPORT_TITLES[epos.way],
  };
}

async function replaceFile(dataDir: string, content: DevJson): Promise<void> {
  const file = getDevJsonPath(dataDir);
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** The machine of a waiter, which approves contactless cards when nobody operates it. */
const WAITER_TID = '90000001';

function listScreens(sandboxUrl: string) {
  return { start: `${sandboxUrl}/`, waiter: `${sandboxUrl}/machine/${WAITER_TID}`, kitchen: `${sandboxUrl}/epos` };
}

export async function removeDevJson(dataDir: string): Promise<void> {
  await rm(getDevJsonPath(dataDir), { force: true });
}
