import type { OwnerAnswer } from './administration-answers.js';

/** One environment of one account, as requests name it and the address of a page has it. */
export interface Target {
  readonly account: string;
  readonly environment: OwnerAnswer['environment'];
}

/** A target in the part of an address after `?`; without an account none is chosen. */
export const TargetSearch = {
  parse({ account, environment }: Readonly<Record<string, unknown>>): Partial<Target> {
    return {
      ...(typeof account === 'string' && /^acc_[\w-]{1,60}$/.test(account) && { account }),
      ...((environment === 'sandbox' || environment === 'production') && { environment }),
    };
  },
};

export function toTarget({ accountId, environment }: Pick<OwnerAnswer, 'accountId' | 'environment'>): Target {
  return { account: accountId, environment };
}
