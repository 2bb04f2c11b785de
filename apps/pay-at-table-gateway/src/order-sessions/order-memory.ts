import { formatScope, type Scope } from '@pos/core/identity/identity';
import type { EposTable } from '@pos/rest-contracts/epos-data/epos-data-orders';
import type { Database } from '@pos/store/database/database';
import type { OrderCallResult } from './order-calls.js';

/** How long a name of a table or the covers of a party count without a sign of a change. */
const ORDER_CACHE_MAX_AGE_MS = 30_000;
const ORDER_CACHE_ACCOUNTS_MAX = 1_000;
const PARTIES_MAX = 1_000;

interface OrderCacheEntry<T> {
  readonly value: T;
  readonly expiresAtMs: number;
}

interface AccountOrderCache {
  tables: OrderCacheEntry<readonly EposTable[]> | null;
  readonly parties: Map<string, OrderCacheEntry<number | null>>;
}

/**
 * The tables and parties of an account's EPOS that were read a moment ago, so that a list of sessions is one call and
 * not one for each of them. It is only what a session is shown with; amounts are always read. A party that the EPOS says is
 * changed is read when it is next needed (epos.md 5.2), and so is everything after a registration (ADR 0045).
 */
export class OrderCache {
  readonly #accounts = new Map<string, AccountOrderCache>();
  #subscription: Promise<unknown> | null = null;
  #isListening = false;

  constructor(
    private readonly database: Pick<Database, 'listen'>,
    private readonly maxAgeMs = ORDER_CACHE_MAX_AGE_MS,
  ) {}

  /** The tables of the account's EPOS, read if they are not known. */
  async getTables(
    scope: Scope,
    read: () => Promise<OrderCallResult<EposTable[]>>,
  ): Promise<OrderCallResult<readonly EposTable[]>> {
    const account = this.#getAccountCache(scope);
    if (isEntryFresh(account.tables)) return { value: account.tables.value };
    const result = await read();
    if ('value' in result) account.tables = this.#createEntry(result.value);
    return result;
  }

  /** How many covers a party has, if that is known; null: the EPOS did not send it. */
  findCovers(scope: Scope, partyId: string): { readonly value: number | null } | null {
    const entry = this.#getAccountCache(scope).parties.get(partyId) ?? null;
    return isEntryFresh(entry) ? entry : null;
  }

  /** The cache of the account before a party is read. A change that arrives meanwhile drops what is stored in it. */
  createCoversRecorder(scope: Scope): (partyId: string, covers: number | null) => void {
    const { parties } = this.#getAccountCache(scope);
    return (partyId, covers) => {
      if (parties.size >= PARTIES_MAX) parties.clear();
      parties.set(partyId, this.#createEntry(covers));
    };
  }

  /** Nothing is cached before change notifications arrive: what is stored until then is not used. */
  #getAccountCache(scope: Scope): AccountOrderCache {
    this.#listenForChanges();
    const key = formatScope(scope);
    const entry = this.#accounts.get(key);
    if (entry !== undefined) return entry;
    const account: AccountOrderCache = { tables: null, parties: new Map() };
    if (this.#isListening) {
      if (this.#accounts.size >= ORDER_CACHE_ACCOUNTS_MAX) this.#accounts.clear();
      this.#accounts.set(key, account);
    }
    return account;
  }

  #createEntry<T>(value: T): OrderCacheEntry<T> {
    return { value, expiresAtMs: performance.now() + this.maxAgeMs };
  }

  /** Listens from the first call on, for as long as the database is open. */
  #listenForChanges(): void {
    this.#subscription ??= Promise.all([
      this.database.listen('orders', (key) => this.#accounts.delete(key)),
      this.database.listen('machines', (key) => {
        // Of an EPOS the key is empty, and the hint does not say whose it is.
        if (key === '') this.#accounts.clear();
      }),
    ]).then(
      () => (this.#isListening = true),
      () => (this.#subscription = null),
    );
  }
}

function isEntryFresh<T>(entry: OrderCacheEntry<T> | null): entry is OrderCacheEntry<T> {
  return entry !== null && performance.now() < entry.expiresAtMs;
}
