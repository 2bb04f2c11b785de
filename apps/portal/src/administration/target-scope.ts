import { type AccountId, type Environment, parseKnownId, type Scope } from '@pos/core/identity';

/** The account and the environment that a request names; the contract has checked the form of the id. */
interface Target {
  readonly account: string;
  readonly environment: Environment;
}

export function toTargetScope({ account, environment }: Target): Scope {
  return { accountId: toTargetAccount(account), environment };
}

export function toTargetAccount(account: string): AccountId {
  return parseKnownId('account', account);
}
