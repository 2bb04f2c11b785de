import { formatScope, type Scope } from '@pos/core/identity';

/** Releases a slot; a second call has no effect. */
export type ReleaseSlot = () => void;

interface AccountUsage {
  readonly scope: Scope;
  usedSlots: number;
}

/**
 * Limits the running work of a process, in total and per account: an account with a slow EPOS or receiver fills its own
 * slots and leaves the rest to others. The sandbox and the production of an account count separately.
 */
export class AccountConcurrencyLimiter {
  readonly #accounts = new Map<string, AccountUsage>();
  readonly #running = new Set<Promise<void>>();
  #usedTotal = 0;

  constructor(private readonly limits: { readonly total: number; readonly perAccount: number }) {}

  /** The free slots of all accounts together. */
  get freeSlots(): number {
    return this.limits.total - this.#usedTotal;
  }

  /** The free slots of one account. */
  getFreeSlotsFor(scope: Scope): number {
    const usedSlots = this.#accounts.get(formatScope(scope))?.usedSlots ?? 0;
    return Math.max(0, Math.min(this.freeSlots, this.limits.perAccount - usedSlots));
  }

  /** The accounts without a free slot. */
  listFullAccounts(): Scope[] {
    return [...this.#accounts.values()]
      .filter(({ usedSlots }) => usedSlots >= this.limits.perAccount)
      .map(({ scope }) => scope);
  }

  /** Acquires a slot for the account; null when none is free. */
  tryAcquire(scope: Scope): ReleaseSlot | null {
    return this.getFreeSlotsFor(scope) === 0 ? null : this.#acquire(scope);
  }

  /**
   * Occupies a slot until the work ends, then calls `onEnd`. The caller has checked the free slots; the work must not
   * reject.
   */
  run(scope: Scope, work: Promise<void>, onEnd: () => void): void {
    const release = this.#acquire(scope);
    this.#running.add(work);
    void work.finally(() => {
      this.#running.delete(work);
      release();
      onEnd();
    });
  }

  /** Resolves when all work of `run` has ended. */
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
