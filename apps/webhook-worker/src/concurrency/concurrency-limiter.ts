import type { Scope } from '@pos/core/identity/identity';

/**
 * What this process is working on, counted as a whole and per account, so that it takes no more than it can finish and
 * no account can have all of it.
 */
export class ConcurrencyLimiter {
  readonly #max: number;
  readonly #perAccountMax: number;
  readonly #running = new Set<Promise<void>>();
  readonly #accounts = new Map<string, { readonly scope: Scope; count: number }>();

  constructor({ max, perAccountMax }: { max: number; perAccountMax: number }) {
    this.#max = max;
    this.#perAccountMax = perAccountMax;
  }

  /** How many more pieces of work fit. */
  get freeSlots(): number {
    return this.#max - this.#running.size;
  }

  /** How many more fit for one account. */
  freeSlotsFor(scope: Scope): number {
    return Math.min(this.freeSlots, this.#perAccountMax - (this.#accounts.get(buildScopeKey(scope))?.count ?? 0));
  }

  /** Accounts that have all they may have. */
  listFullAccounts(): Scope[] {
    return [...this.#accounts.values()].filter(({ count }) => count >= this.#perAccountMax).map(({ scope }) => scope);
  }

  /** Counts the work until it ends, and then says so. The work must not reject. */
  run(scope: Scope, work: Promise<void>, onEnd: () => void): void {
    const name = buildScopeKey(scope);
    const account = this.#accounts.get(name) ?? { scope, count: 0 };
    account.count += 1;
    this.#accounts.set(name, account);
    this.#running.add(work);
    void work.finally(() => {
      this.#running.delete(work);
      account.count -= 1;
      if (account.count === 0) this.#accounts.delete(name);
      onEnd();
    });
  }

  /** Resolves when nothing is in hand. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}

function buildScopeKey({ accountId, environment }: Scope): string {
  return `${accountId}/${environment}`;
}
