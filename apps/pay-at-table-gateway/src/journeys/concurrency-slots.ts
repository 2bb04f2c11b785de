import { status } from '@grpc/grpc-js';
import type { Scope } from '@pos/core/identity/identity';
import { GrpcFailure } from '@pos/service-kit/grpc/grpc-errors';

/** Ends what a seat was taken for; a second call does nothing. */
export type ReleaseSlot = () => void;

/** How much may go on at once, in all and for one account: whose EPOS is silent fills its own seats, not everybody's. */
export class AccountConcurrencyLimiter {
  readonly #usedSlots = new Map<string, { readonly scope: Scope; seats: number }>();
  #usedTotal = 0;

  constructor(private readonly limits: { readonly total: number; readonly perAccount: number }) {}

  /** How many more there are now, for all accounts together. */
  get freeSlots(): number {
    return this.limits.total - this.#usedTotal;
  }

  /** How many more the account may have now. */
  getFreeSlotsFor(scope: Scope): number {
    const { perAccount } = this.limits;
    return Math.max(
      0,
      Math.min(this.freeSlots, perAccount - (this.#usedSlots.get(buildLimiterKey(scope))?.seats ?? 0)),
    );
  }

  /** Accounts and environments that have all they may have. */
  listFullAccounts(): Scope[] {
    return [...this.#usedSlots.values()]
      .filter(({ seats: slots }) => slots >= this.limits.perAccount)
      .map(({ scope }) => scope);
  }

  /** Takes a seat, or null when there is none for this account. */
  tryAcquire(scope: Scope): ReleaseSlot | null {
    if (this.getFreeSlotsFor(scope) === 0) return null;
    const name = buildLimiterKey(scope);
    const accountSlots = this.#usedSlots.get(name) ?? { scope, seats: 0 };
    this.#usedSlots.set(name, accountSlots);
    accountSlots.seats += 1;
    this.#usedTotal += 1;
    let isAcquired = true;
    return () => {
      if (!isAcquired) return;
      isAcquired = false;
      this.#usedTotal -= 1;
      accountSlots.seats -= 1;
      if (accountSlots.seats === 0) this.#usedSlots.delete(name);
    };
  }

  /** Takes a slot for a caller that can retry: without one the call ends with RESOURCE_EXHAUSTED, and nothing was done. */
  acquire(scope: Scope): ReleaseSlot {
    const release = this.tryAcquire(scope);
    if (release !== null) return release;
    throw new GrpcFailure(status.RESOURCE_EXHAUSTED, 'too many payments of this account are being recorded: try again');
  }
}

function buildLimiterKey({ accountId, environment }: Scope): string {
  return `${accountId}/${environment}`;
}
