import { SYSTEM_SCOPE } from '@pos/core/administration';
import { createId, createApiKeyText, createSeededBytes } from '@pos/core/ids';
import { type AccountId, type LocationId, NAMED_PERMISSIONS, type Role, type Scope } from '@pos/core/identity';
import { DAY_MS } from '@pos/core/time';
import { MACHINE_MODELS } from '@pos/sandbox/machines';
import type { EposSocketKind } from '@pos/sandbox/environment';
import { createAccount, registerTerminal, resetAgreedSettings } from '@pos/administration/accounts';
import { changeAccountSettings } from '@pos/payments/account-settings';
import { createRoleKey } from '@pos/administration/api-keys';
import { createPortalUser, grantPortalRole, listPortalUsers } from '@pos/administration/portal';
import { findAccount, wasApiKeyIssued } from '@pos/store/repositories';
import type { Database } from '@pos/store/database';
import { listAgreedSettings } from '@pos/store/startup';
import { findTerminalByTid } from '@pos/store/terminals';

/**
 * The transport of a restaurant's EPOS: it opens a gRPC stream, is dialled over gRPC, is called over REST, or opens the
 * WebSocket of the EPOS Data API (`ws`) or that of the pay-at-table contract (`tables-ws`).
 */
export type EposTransport = 'grpc-stream' | 'grpc' | 'rest' | EposSocketKind;

/** An account of a developer's world, with its keys as text. */
export interface SeededAccount {
  readonly accountId: AccountId;
  readonly name: string;
  readonly tradingName: string;
  readonly merchantId: string;
  readonly keys: Readonly<Record<KeyName, string>>;
  readonly epos: { readonly username: string; readonly password: string; readonly way: EposTransport };
}

/**
 * `machines` is the key that the card machines and the EPOS of the sandbox send to the gateway. A developer's key may
 * also do what no role includes.
 */
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
  readonly way: EposTransport;
}

const RESTAURANTS: readonly Restaurant[] = [
  {
    name: 'oyster-shed',
    tradingName: 'The Oyster Shed',
    merchantId: '526567001',
    site: '2 Angel Lane, London',
    phoneNumber: '020 7946 0001',
    way: 'grpc-stream',
  },
  {
    name: 'corner-bistro',
    tradingName: 'Corner Bistro',
    merchantId: '526567002',
    site: '14 Mill Road, Cambridge',
    phoneNumber: '01223 496 0002',
    way: 'grpc',
  },
  {
    name: 'harbour-kitchen',
    tradingName: 'Harbour Kitchen',
    merchantId: '526567003',
    site: '3 Quay Street, Bristol',
    phoneNumber: '0117 496 0003',
    way: 'rest',
  },
  {
    name: 'station-tavern',
    tradingName: 'Station Tavern',
    merchantId: '526567004',
    site: '27 Micklegate, York',
    phoneNumber: '01904 496 004',
    way: 'ws',
  },
  {
    name: 'garden-room',
    tradingName: 'The Garden Room',
    merchantId: '526567005',
    site: '8 Royal Crescent, Bath',
    phoneNumber: '01225 496 005',
    way: 'tables-ws',
  },
];

/** The secret from which keys for card numbers are derived. */
const ATTESTED_MS = 365 * DAY_MS;

/** The first accounts of a world, derived from its key: the same key gives the same ids and keys. */
export function listSeededAccounts(worldKey: string, count = RESTAURANTS.length): SeededAccount[] {
  return RESTAURANTS.slice(0, count).map((restaurant, index) => {
    const bytes = (kind: string, length: number): Uint8Array =>
      createSeededBytes({ seed: worldKey, accountId: 'acc_world', kind, counter: index }, length);
    return {
      accountId: createId('account', 'sandbox', bytes('account', 16)),
      name: restaurant.name,
      tradingName: restaurant.tradingName,
      merchantId: restaurant.merchantId,
      keys: createAccountKeys((name) => bytes(`key ${name}`, 32)),
      epos: {
        username: restaurant.name,
        password: Buffer.from(bytes('epos password', 18)).toString('base64url'),
        way: restaurant.way,
      },
    };
  });
}

/** The operator of a developer's world in the audit log. */
const SEEDING = { actor: 'npm start', reason: 'seed of a development world' } as const;

/**
 * Creates the accounts with their keys and terminals, as an operator would. Existing ones stay. Pages of these origins may
 * embed the card fields of all accounts: the ports of a world may be others than last time.
 */
export async function seedDatabase(
  database: Database,
  accounts: readonly SeededAccount[],
  { worldKey, embeddingOrigins }: { readonly worldKey: string; readonly embeddingOrigins: readonly string[] },
): Promise<void> {
  const seeding = accounts.map(async (account, index) => {
    const restaurant = RESTAURANTS[index];
    if (restaurant === undefined) throw new Error(`no restaurant for account ${index}`);
    const bytes = createSeededBytes({ seed: worldKey, accountId: 'acc_world', kind: 'location', counter: index });
    const { site, phoneNumber } = restaurant;
    await createOpenAccount(database, account, {
      ...{ site, phoneNumber, locationId: createId('location', 'sandbox', bytes), embeddingOrigins },
    });
  });
  await Promise.all(seeding);
}

/** Where an account is, and the origins whose pages may embed its card fields. */
interface AccountPlace {
  readonly site: string;
  readonly phoneNumber: string;
  readonly locationId: LocationId;
  readonly embeddingOrigins: readonly string[];
}

/** Creates an account with its keys and terminals. What exists stays. */
export async function createOpenAccount(
  database: Database,
  account: SeededAccount,
  { site, phoneNumber, locationId, embeddingOrigins }: AccountPlace,
): Promise<void> {
  const scope: Scope = { accountId: account.accountId, environment: 'sandbox' };
  if ((await database.read(scope, findAccount)) === null) {
    const { accountId: id, name, tradingName, merchantId } = account;
    await createAccount(database, SEEDING, {
      ...{ id, name, tradingName, merchantId, site, phoneNumber, currencies: ['GBP', 'EUR'], locationId },
    });
    const cardAttestationUntil = new Date((await database.now()).getTime() + ATTESTED_MS);
    await database.transact(scope, (tx) => changeAccountSettings(tx, SEEDING, { cardAttestationUntil }));
  }
  await database.transact(scope, (tx) =>
    changeAccountSettings(tx, SEEDING, { 'embeddingOrigins.sandbox': embeddingOrigins }),
  );
  await seedKeys(database, scope, account);
  await database.transact(scope, async (tx) => {
    for (const { tid, name } of MACHINE_MODELS) {
      if ((await findTerminalByTid(tx, tid)) === null) await registerTerminal(tx, SEEDING, { tid, name });
    }
  });
}

/** Draws the key of each kind. */
export function createAccountKeys(drawBytes: (name: string) => Uint8Array): SeededAccount['keys'] {
  const keys = Object.keys(KEY_ROLES).map((name) => [name, createApiKeyText('sandbox', drawBytes(name))]);
  return Object.fromEntries(keys) as Record<KeyName, string>;
}

async function seedKeys(database: Database, scope: Scope, account: SeededAccount): Promise<void> {
  for (const [name, role] of Object.entries(KEY_ROLES)) {
    const text = account.keys[name as KeyName];
    if (await database.readSystem((reader) => wasApiKeyIssued(reader, text))) continue;
    const grants = name === 'full' ? NAMED_PERMISSIONS : [];
    await database.transact(scope, (tx) => createRoleKey(tx, SEEDING, { label: name, role, grants, text }));
  }
}

/**
 * Lets the processes that start now agree on their settings again: all of them start together, and may have other
 * settings than last time.
 */
export async function forgetAgreedSettings(database: Database): Promise<void> {
  const settings = await database.readSystem(listAgreedSettings);
  if (settings.length === 0) return;
  await database.transact(SYSTEM_SCOPE, (tx) => resetAgreedSettings(tx, SEEDING));
}

/** How a user of a developer's world signs in to the portal. */
export interface PortalSignIn {
  readonly email: string;
  readonly password: string;
}

const PASSWORD_BYTES = 15;

/** An admin of the first account, and an operator: their passwords are derived from the key of the world. */
export function listPortalSignIns(worldKey: string): { readonly admin: PortalSignIn; readonly operator: PortalSignIn } {
  const draw = (counter: number): string => {
    const bytes = createSeededBytes(
      { seed: worldKey, accountId: 'acc_world', kind: 'portal', counter },
      PASSWORD_BYTES,
    );
    const text = Buffer.from(bytes).toString('base64url');
    // A password has a letter and a digit. Few keys of worlds draw one without.
    return `${text}${/[0-9]/.test(text) ? '' : '7'}`;
  };
  return {
    admin: { email: 'admin@oyster-shed.example', password: draw(0) },
    operator: { email: 'operator@pos.example', password: draw(1) },
  };
}

/** Creates both users. Existing ones stay, with the password of this world. */
export async function seedPortalUsers(
  database: Database,
  [first]: readonly SeededAccount[],
  worldKey: string,
): Promise<void> {
  const { admin, operator } = listPortalSignIns(worldKey);
  const known = new Set((await listPortalUsers(database)).map(({ email }) => email));
  for (const [{ email, password }, name, isOperator] of [
    [admin, 'Ann Lee', false],
    [operator, 'Omar Reyes', true],
  ] as const) {
    if (known.has(email)) continue;
    // A newcomer reads the password from the screen, and keeps it.
    await createPortalUser(database, SEEDING, { email, password, name, isOperator, isPasswordFinal: true });
  }
  if (first === undefined || known.has(admin.email)) return;
  for (const environment of ['sandbox', 'production'] as const) {
    const membership = { accountId: first.accountId, environment, role: 'admin' } as const;
    await grantPortalRole(database, SEEDING, { email: admin.email, membership });
  }
}
