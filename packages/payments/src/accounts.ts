import type { Account } from '@pos/core/account';
import type { AccountId, Scope } from '@pos/core/identity';
import { getAccount } from '@pos/store/accounts';
import type { Reader } from '@pos/store/database';

/** An account's settings may be this old: they change by hand, a few times a year. */
const FRESH_MS = 2_000;
const KEPT_MAX = 10_000;

/** The accounts this process has lately worked for, so that a hot path does not read the same row each time. */
export class Accounts {
  readonly #kept = new Map<AccountId, { readonly account: Account; readonly until: number }>();

  /** The account of the scope if it was read within the last two seconds, for a caller that has no connection. */
  findKept({ accountId }: Scope): Account | null {
    const kept = this.#kept.get(accountId);
    return kept !== undefined && performance.now() < kept.until ? kept.account : null;
  }

  /** The account of the reader's scope, at most two seconds old. */
  async get(reader: Reader): Promise<Account> {
    const kept = this.findKept(reader.scope);
    if (kept !== null) return kept;
    const account = await getAccount(reader);
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    this.#kept.set(account.id, { account, until: performance.now() + FRESH_MS });
    return account;
  }
}
