import { randomBytes } from 'node:crypto';
import { createId } from '@pos/core/ids';
import { disableAccount, listAccounts } from '@pos/administration/accounts';
import { type Client, openClient } from '@pos/rest-contracts/client';
import { deleteSandboxAccount, provisionSandboxAccount } from '@pos/rest-contracts/sandbox';
import { deleteSubscription, listSubscriptions } from '@pos/rest-contracts/webhooks';
import type { Database } from '@pos/store/database';
import { openDatabase } from '@pos/store/startup';
import type { DevJson } from './dev-json.js';
import { changeRestaurants, toDevJsonRestaurant } from './dev-json-writer.js';
import { getSandboxEpos } from './epos-registration.js';
import { createAccountKeys, createOpenAccount, type SeededAccount } from './seed.js';
import { createWorldFetch, DEMO_CLIENT } from './world-tls.js';
import type { DevWorld } from './world.js';

export type Restaurant = DevJson['restaurants'][number];

/** A refusal of the account server: its status, and what the caller may do. */
export class AccountRefusal extends Error {
  override readonly name = 'AccountRefusal';

  constructor(
    readonly status: 404 | 409,
    message: string,
  ) {
    super(message);
  }
}

/** How many exist at once: each has ten machines that are connected to the gateway. */
const ACCOUNTS_MAX = 20;
/** Only names of this form are disabled at a start. */
const NAME_FORM = /^throwaway-[0-9a-f]{8}$/;
const DELETION = { actor: 'npm start', reason: 'end of a throw-away account' } as const;

/**
 * Accounts of a running world that live for one test run (ADR 0098). They have the keys, the machines and the EPOS that
 * a seeded restaurant has. The calls run one after the other.
 */
export class ThrowawayAccounts {
  readonly #accounts = new Map<string, SeededAccount>();
  readonly #fetch: typeof fetch;
  readonly #sandbox: Client;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly world: DevWorld,
    private readonly dataDir: string,
  ) {
    this.#fetch = createWorldFetch(world.tls?.filesOf(DEMO_CLIENT) ?? null);
    this.#sandbox = openClient({ baseUrl: world.addresses.sandbox, apiKey: null, fetch: this.#fetch });
  }

  /** Disables the accounts that an earlier run of this world has left. */
  async disableLeftBehind(): Promise<void> {
    await this.#withDatabase(async (database) => {
      const all = await listAccounts(database);
      for (const { id, name, status } of all) {
        if (NAME_FORM.test(name) && status !== 'Disabled') await this.#disable(database, id);
      }
    });
  }

  /** Creates an account and adds it to dev.json. */
  create(): Promise<Restaurant> {
    return this.#enqueue(async () => {
      if (this.#accounts.size >= ACCOUNTS_MAX) {
        throw new AccountRefusal(409, `${ACCOUNTS_MAX} throw-away accounts exist; delete one first`);
      }
      const account = drawAccount();
      await this.#withDatabase(async (database) => {
        const locationId = createId('location', 'sandbox', randomBytes(16));
        await createOpenAccount(database, account, {
          site: '1 Test Street, London',
          phoneNumber: '020 7946 0099',
          locationId,
          embeddingOrigins: this.world.embeddingOrigins,
        });
        try {
          const { accountId, keys, merchantId, tradingName, epos } = account;
          const body = { accountId, apiKey: keys.machines, merchantId, tradingName, epos: getSandboxEpos(epos) };
          await this.#sandbox(provisionSandboxAccount, { body });
          await this.world.registerEposes([account]);
        } catch (error) {
          await this.#disable(database, account.accountId);
          throw error;
        }
      });
      const restaurant = toDevJsonRestaurant(account);
      await changeRestaurants(this.dataDir, (restaurants) => [...restaurants, restaurant]);
      this.#accounts.set(account.name, account);
      return restaurant;
    });
  }

  /**
   * Deletes the subscriptions of the account, disables it with all its keys, and removes its machines and its EPOS. Its
   * payments stay, because books are never deleted. Throws AccountRefusal for any other account.
   */
  delete(name: string): Promise<void> {
    return this.#enqueue(async () => {
      const account = this.#accounts.get(name);
      if (account === undefined) throw new AccountRefusal(404, `${name} is no throw-away account`);
      const api = openClient({
        ...{ baseUrl: this.world.addresses.api[0] ?? '', apiKey: account.keys.full, fetch: this.#fetch },
      });
      for (const { id } of await api(listSubscriptions, {})) {
        await api(deleteSubscription, { params: { subscriptionId: id } });
      }
      await this.#withDatabase(async (database) => this.#disable(database, account.accountId));
      await changeRestaurants(this.dataDir, (restaurants) => restaurants.filter((each) => each.name !== name));
      this.#accounts.delete(name);
    });
  }

  async #disable(database: Database, accountId: SeededAccount['accountId']): Promise<void> {
    await database.transact({ accountId, environment: 'sandbox' }, (tx) => disableAccount(tx, DELETION));
    await this.#sandbox(deleteSandboxAccount, { params: { accountId } });
  }

  async #withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const { databaseUrl, secrets } = this.world;
    const database = await openDatabase({
      ...{ url: databaseUrl, applicationName: 'throwaway-accounts' },
      secrets: { encryptionKey: Buffer.from(secrets.encryptionKey, 'base64'), pepper: secrets.keyPepper },
    });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

function drawAccount(): SeededAccount {
  const suffix = randomBytes(4).toString('hex');
  const name = `throwaway-${suffix}`;
  return {
    ...{ name, tradingName: `Throwaway ${suffix}`, merchantId: `9${suffix}` },
    accountId: createId('account', 'sandbox', randomBytes(16)),
    keys: createAccountKeys(() => randomBytes(32)),
    epos: { username: name, password: randomBytes(18).toString('base64url'), way: 'rest' },
  };
}
