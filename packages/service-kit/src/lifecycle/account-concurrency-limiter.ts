import { formatScope, type Scope } from '@pos/core/identity/identity';

/** Gives a slot back; a second call does nothing. */
export type ReleaseSlot = () => void;

interface AccountUsage {
  readonly scope: Scope;
  usedSlots: number;
}

/**
 * How much one process works on at once, in total and per account: an account whose EPOS or receiver is slow fills its
 * own slots and leaves the rest to the others. The sandbox and the production of an account count apart.
 */
export class AccountConcurrencyLimiter {
  readonly #accounts = new Map<string, AccountUsage>();
  readonly #running = new Set<Promise<void>>();
  #usedTotal = 0;

  constructor(private readonly limits: { readonly total: number; readonly perAccount: number }) {}

  /** The slots that are free for all accounts together. */
  get freeSlots(): number {
    return this.limits.total - this.#usedTotal;
  }

  /** The slots that one account may take now. */
  getFreeSlotsFor(scope: Scope): number {
    const usedSlots = this.#accounts.get(formatScope(scope))?.usedSlots ?? 0;
    return Math.max(0, Math.min(this.freeSlots, this.limits.perAccount - usedSlots));
  }

  /** The accounts that use every slot they may use. */
  listFullAccounts(): Scope[] {
    return [...this.#accounts.values()]
      .filter(({ usedSlots }) => usedSlots >= this.limits.perAccount)
      .map(({ scope }) => scope);
  }

  /** Takes a slot of the account; null when none is free. */
  tryAcquire(scope: Scope): ReleaseSlot | null {
    return this.getFreeSlotsFor(scope) === 0 ? null : this.#acquire(scope);
  }

  /** Occupies a slot until the work ends, then calls `onEnd`. The caller has counted the free slots; the work must not reject. */
  run(scope: Scope, work: Promise<void>, onEnd: () => void): void {
    const release = this.#acquire(scope);
    this.#running.add(work);
    void work.finally(() => {
      this.#running.delete(work);
      release();
      onEnd();
    });
  }

  /** Resolves when no work of `run` is left. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  #acquire(scope: Scope): ReleaseSlot {
    const name = formatScope(scope);
    const usage = this.#accounts.get(name) ?? { scope, usedSlots: 0 };
    this.#accounts.set(name, usage);
    usage.usedSlots += 1;
    this.#usedTotal += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#usedTotal -= 1;
      usage.usedSlots -= 1;
      if (usage.usedSlots === 0) this.#accounts.delete(name);
    };
  }
}
