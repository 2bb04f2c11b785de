import type { Scope } from '@pos/core/identity';
import { buildOrdersKey } from '@pos/payments/order-changes';
import type { EposTable } from '@pos/rest-contracts/epos-data-orders';
import type { Database } from '@pos/store/database';
import type { Got } from './order-calls.js';

/** How long a name of a table or the covers of a party count without a sign of a change. */
const FRESH_MS = 30_000;
const ACCOUNTS_MAX = 1_000;
const PARTIES_MAX = 1_000;

interface Known<T> {
  readonly value: T;
  readonly untilMs: number;
}

interface Account {
  tables: Known<readonly EposTable[]> | null;
  readonly parties: Map<string, Known<number | null>>;
}

/**
 * What the EPOS of an account has told of its tables and parties a moment ago, so that a list of sessions is one call and
 * not one for each of them. It is only what a session is shown with; amounts are always read. A party that the EPOS says is
 * changed is read when it is next needed (epos.md 5.2), and so is everything after a registration (ADR 0045).
 */
export class OrderMemory {
  readonly #accounts = new Map<string, Account>();
  #hearing: Promise<unknown> | null = null;
  #isHearing = false;

  constructor(
    private readonly database: Pick<Database, 'listen'>,
    private readonly freshMs = FRESH_MS,
  ) {}

  /** The tables of the account's EPOS, read if they are not known. */
  async tables(scope: Scope, read: () => Promise<Got<EposTable[]>>): Promise<Got<readonly EposTable[]>> {
    const account = this.#of(scope);
    if (isFresh(account.tables)) return { value: account.tables.value };
    const got = await read();
    if ('value' in got) account.tables = this.#known(got.value);
    return got;
  }

  /** How many guests a party has, if that is known; null: the EPOS did not say. */
  covers(scope: Scope, partyId: string): { readonly value: number | null } | null {
    const known = this.#of(scope).parties.get(partyId) ?? null;
    return isFresh(known) ? known : null;
  }

  /** The account as it is before a party is read: what is noted there after a change was heard of is forgotten with it. */
  noting(scope: Scope): (partyId: string, covers: number | null) => void {
    const { parties } = this.#of(scope);
    return (partyId, covers) => {
      if (parties.size >= PARTIES_MAX) parties.clear();
      parties.set(partyId, this.#known(covers));
    };
  }

  /** Nothing is kept before changes are heard of: what is noted until then counts for nobody. */
  #of(scope: Scope): Account {
    this.#hear();
    const key = buildOrdersKey(scope);
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const account: Account = { tables: null, parties: new Map() };
    if (this.#isHearing) {
      if (this.#accounts.size >= ACCOUNTS_MAX) this.#accounts.clear();
      this.#accounts.set(key, account);
    }
    return account;
  }

  #known<T>(value: T): Known<T> {
    return { value, untilMs: performance.now() + this.freshMs };
  }

  /** Listens from the first call on, for as long as the database is open. */
  #hear(): void {
    this.#hearing ??= Promise.all([
      this.database.listen('orders', (key) => this.#accounts.delete(key)),
      this.database.listen('machines', (key) => {
        // Of an EPOS the key is empty, and the hint does not say whose it is.
        if (key === '') this.#accounts.clear();
      }),
    ]).then(
      () => (this.#isHearing = true),
      () => (this.#hearing = null),
    );
  }
}

function isFresh<T>(known: Known<T> | null): known is Known<T> {
  return known !== null && performance.now() < known.untilMs;
}
