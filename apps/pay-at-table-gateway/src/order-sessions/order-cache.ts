import { formatScope, type Scope } from '@pos/core/identity';
import type { EposTable } from '@pos/rest-contracts/epos-data';
import type { Database } from '@pos/store/database';
import type { OrderCallResult } from './order-api-client.js';

/** How long tables and parties are cached without a notification of a change. */
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
 * Caches the tables and parties of an account's EPOS, so that a list of sessions needs one call and not one for each
 * session. Amounts are never cached. An event about a party drops the party, and a registration drops everything
 * (ADR 0045).
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

  /** The cached number of covers of a party; its value is null if the EPOS has not sent it. */
  findCovers(scope: Scope, partyId: string): { readonly value: number | null } | null {
    const entry = this.#getAccountCache(scope).parties.get(partyId) ?? null;
    return isEntryFresh(entry) ? entry : null;
  }

  /** The cache of the account before a party is read. A change that arrives during the read drops the party. */
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

  /** Listens from the first call until the database is closed. */
  #listenForChanges(): void {
    this.#subscription ??= Promise.all([
      this.database.listen('orders', (key) => this.#accounts.delete(key)),
      this.database.listen('machines', (key) => {
        // The hint of an EPOS names no account.
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
