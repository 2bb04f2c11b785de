import type { Scope } from '@pos/core/identity';
import { disableAccount } from '@pos/administration/accounts';
import type { Database } from '@pos/store/database';
import { deleteApiKey, listApiKeys } from '@pos/store/repositories';

/** Deletes all keys of the account. */
export function revokeKeys(database: Database, scope: Scope): Promise<void> {
  return database.transact(scope, async (tx) => {
    for (const { id } of await listApiKeys(tx)) await deleteApiKey(tx, id);
  });
}

/** Disables the account, as an operator would. */
export async function disableTestAccount(database: Database, scope: Scope): Promise<void> {
  await database.transact(scope, (tx) => disableAccount(tx, { actor: 'test', reason: 'access ends' }));
}
