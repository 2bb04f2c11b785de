import { type Account, requireEnabledAccount } from '@pos/core/accounts';
import type { AccountId, Scope } from '@pos/core/identity';
import { getAccount } from '@pos/store/repositories';
import type { Reader } from '@pos/store/database';

/** The largest age of an account's settings: they are changed by hand, a few times a year. */
const FRESH_MS = 2_000;
const CACHED_MAX = 10_000;

/** Caches the accounts of recent work, so that a frequent path does not read the same row each time. */
export class AccountCache {
  readonly #cached = new Map<AccountId, { readonly account: Account; readonly until: number }>();

  /** `now` is a clock that never goes back, in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The account of the scope if it was read within the last two seconds, for a caller that has no connection. */
  findCached({ accountId }: Scope): Account | null {
    const cached = this.#cached.get(accountId);
    return cached !== undefined && this.now() < cached.until ? cached.account : null;
  }

  /** The account of the reader's scope, at most two seconds old. */
  async get(reader: Reader): Promise<Account> {
    const cached = this.findCached(reader.scope);
    if (cached !== null) return cached;
    const account = await getAccount(reader);
    if (this.#cached.size >= CACHED_MAX) this.#cached.clear();
    this.#cached.set(account.id, { account, until: this.now() + FRESH_MS });
    return account;
  }

  /** The same, for the start of what takes money. Refuses `account_disabled`. */
  async getEnabled(reader: Reader): Promise<Account> {
    const account = await this.get(reader);
    requireEnabledAccount(account);
    return account;
  }
}
