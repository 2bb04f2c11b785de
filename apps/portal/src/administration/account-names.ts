import { Inject, Injectable } from '@nestjs/common';
import type { AccountId, Environment, Scope } from '@pos/core/identity';
import { listAccounts } from '@pos/administration/accounts';
import { Database } from '@pos/store/database';

/** Whose row an element of a list is, as the pages show it. */
export interface PresentedOwner {
  readonly accountId: AccountId;
  readonly tradingName: string;
  readonly environment: Environment;
}

/** Names the accounts of a list over all accounts. */
@Injectable()
export class AccountNames {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** A function that presents the owner of a row by the names of now. */
  async load(): Promise<(scope: Scope) => PresentedOwner> {
    const accounts = await listAccounts(this.database);
    const names = new Map(accounts.map(({ id, tradingName }) => [id, tradingName]));
    return ({ accountId, environment }) => ({
      ...{ accountId, environment },
      // An account that was created since then.
      tradingName: names.get(accountId) ?? accountId,
    });
  }
}
