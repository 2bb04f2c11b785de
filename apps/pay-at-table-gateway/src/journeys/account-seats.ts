import { status } from '@grpc/grpc-js';
import type { Scope } from '@pos/core/identity';
import { GrpcFailure } from '@pos/service-kit/grpc-errors';

/** Ends what a seat was taken for; a second call does nothing. */
export type Leave = () => void;

/** How much may go on at once, in all and for one account: whose EPOS is silent fills its own seats, not everybody's. */
export class AccountSeats {
  readonly #taken = new Map<string, { readonly scope: Scope; seats: number }>();
  #all = 0;

  constructor(private readonly limits: { readonly all: number; readonly ofOne: number }) {}

  /** How many more there are now, for all accounts together. */
  get free(): number {
    return this.limits.all - this.#all;
  }

  /** How many more the account may have now. */
  freeFor(scope: Scope): number {
    const { ofOne } = this.limits;
    return Math.max(0, Math.min(this.free, ofOne - (this.#taken.get(nameOf(scope))?.seats ?? 0)));
  }

  /** Accounts and environments that have all they may have. */
  full(): Scope[] {
    return [...this.#taken.values()].filter(({ seats }) => seats >= this.limits.ofOne).map(({ scope }) => scope);
  }

  /** Takes a seat, or null when there is none for this account. */
  take(scope: Scope): Leave | null {
    if (this.freeFor(scope) === 0) return null;
    const name = nameOf(scope);
    const taken = this.#taken.get(name) ?? { scope, seats: 0 };
    this.#taken.set(name, taken);
    taken.seats += 1;
    this.#all += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#all -= 1;
      taken.seats -= 1;
      if (taken.seats === 0) this.#taken.delete(name);
    };
  }

  /** Takes a seat for a caller who can come again: without one he gets RESOURCE_EXHAUSTED, and nothing was done. */
  require(scope: Scope): Leave {
    const leave = this.take(scope);
    if (leave !== null) return leave;
    throw new GrpcFailure(status.RESOURCE_EXHAUSTED, 'too many payments of this account are being recorded: try again');
  }
}

function nameOf({ accountId, environment }: Scope): string {
  return `${accountId}/${environment}`;
}
