import type { AccountId } from '@pos/core/identity';
import { newId, newKeyText, seededBytes } from '@pos/core/ids';
import { type Role, ROLES } from '@pos/core/permissions';
import { DAY_MS } from '@pos/core/timespan';
import { MACHINE_MODELS } from '@pos/sandbox/machine-play';
import { makeAccount } from '@pos/store/accounts';
import { hasEverBeen, insertApiKey } from '@pos/store/api-keys';
import type { Database } from '@pos/store/database';
import { putEposIntegration } from '@pos/store/epos-integrations';
import { findTerminalByTid, insertTerminal } from '@pos/store/terminals';

/** An account of a developer's world, with the texts of its keys. */
export interface SeededAccount {
  readonly accountId: AccountId;
  readonly name: string;
  readonly tradingName: string;
  readonly merchantId: string;
  readonly keys: Readonly<Record<KeyName, string>>;
  readonly epos: { readonly username: string; readonly password: string; readonly dialsIn: boolean };
}

/** `machines` is what the card machines and the EPOS of the sandbox show to the gateway. */
const KEY_ROLES = { full: 'full', pci: 'pci', device: 'gateway', machines: 'full' } as const satisfies Record<
  string,
  Role
>;
export type KeyName = keyof typeof KEY_ROLES;

interface Restaurant {
  readonly name: string;
  readonly tradingName: string;
  readonly merchantId: string;
  readonly site: string;
  readonly phoneNumber: string;
  /** The first restaurant's EPOS opens a stream to us; the second's is dialled. */
  readonly dialsIn: boolean;
}

const RESTAURANTS: readonly Restaurant[] = [
  {
    name: 'oyster-shed',
    tradingName: 'The Oyster Shed',
    merchantId: '526567001',
    site: '2 Angel Lane, London',
    phoneNumber: '020 7946 0001',
    dialsIn: true,
  },
  {
    name: 'corner-bistro',
    tradingName: 'Corner Bistro',
    merchantId: '526567002',
    site: '14 Mill Road, Cambridge',
    phoneNumber: '01223 496 0002',
    dialsIn: false,
  },
];

/** What the keys for card numbers rest upon. */
const ATTESTED_MS = 365 * DAY_MS;

/** The accounts of a world, as they are drawn from its key: the same key gives the same ids and key texts. */
export function seededAccounts(worldKey: string): SeededAccount[] {
  return RESTAURANTS.map((restaurant, index) => {
    const bytes = (kind: string, length: number): Uint8Array =>
      seededBytes({ seed: worldKey, accountId: 'acc_world', kind, counter: index }, length);
    const keys = Object.keys(KEY_ROLES).map((name) => [name, newKeyText('sandbox', bytes(`key ${name}`, 32))]);
    return {
      accountId: newId('account', 'sandbox', bytes('account', 16)),
      name: restaurant.name,
      tradingName: restaurant.tradingName,
      merchantId: restaurant.merchantId,
      keys: Object.fromEntries(keys) as Record<KeyName, string>,
      epos: {
        username: restaurant.name,
        password: Buffer.from(bytes('epos password', 18)).toString('base64url'),
        dialsIn: restaurant.dialsIn,
      },
    };
  });
}

/** Puts the accounts into the database, with keys, terminals and the address of their EPOS. What is there stays. */
export async function seedDatabase(
  database: Database,
  accounts: readonly SeededAccount[],
  { worldKey, eposUrl }: { readonly worldKey: string; readonly eposUrl: string },
): Promise<void> {
  for (const [index, account] of accounts.entries()) {
    const restaurant = RESTAURANTS[index];
    if (restaurant === undefined) throw new Error(`no restaurant for account ${index}`);
    const bytes = seededBytes({ seed: worldKey, accountId: 'acc_world', kind: 'location', counter: index });
    await makeAccount(database, {
      id: account.accountId,
      name: account.name,
      tradingName: account.tradingName,
      merchantId: account.merchantId,
      locationId: newId('location', 'sandbox', bytes),
      currencies: ['GBP', 'EUR'],
      settings: { site: restaurant.site, phoneNumber: restaurant.phoneNumber },
      createdAt: await database.now(),
      cardAttestationUntil: new Date((await database.now()).getTime() + ATTESTED_MS),
    });
    await seedKeys(database, account);
    await database.transact({ accountId: account.accountId, environment: 'sandbox' }, async (tx) => {
      for (const { tid, name } of MACHINE_MODELS) {
        if ((await findTerminalByTid(tx, tid)) === null) {
          await insertTerminal(tx, { id: await tx.newId('terminal'), tid, name });
        }
      }
      const { username, password } = account.epos;
      await putEposIntegration(tx, { kind: 'grpc', url: eposUrl, username, password, capabilities: [] });
    });
  }
}

async function seedKeys(database: Database, account: SeededAccount): Promise<void> {
  for (const [name, role] of Object.entries(KEY_ROLES)) {
    const text = account.keys[name as KeyName];
    if (await database.system((reader) => hasEverBeen(reader, text))) continue;
    await database.transact({ accountId: account.accountId, environment: 'sandbox' }, async (tx) => {
      await insertApiKey(tx, { id: await tx.newId('apiKey'), text, label: name, permissions: [...ROLES[role]] });
    });
  }
}
