import type { Scope } from '@pos/core/identity';
import { changeAccountSettings } from '../account-settings/account-settings.js';
import type { Database } from '@pos/store/database';

/** Changes settings of an account, as an operator would. */
export async function changeTestSettings(
  database: Database,
  scope: Scope,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  const change = { actor: 'test', reason: 'settings of this test' };
  await database.transact(scope, (tx) => changeAccountSettings(tx, change, values));
}
