import type { Scope } from '@pos/core/identity';
import type { Database } from '@pos/store/database';
import { paymentsWaitingForEpos } from './open-table-payments.js';
import type { TablePayments } from './table-payments.js';

/**
 * The account's EPOS may be reached again, over a new connection or with new credentials: the payments that wait for it go
 * on at once. Returns their ids.
 */
export async function hurryWaiting(
  { database, tablePayments }: { readonly database: Database; readonly tablePayments: TablePayments },
  scope: Scope,
): Promise<string[]> {
  const hurried: string[] = [];
  // A transaction each: however many wait, none of them is locked for long.
  for (const payment of await database.read(scope, paymentsWaitingForEpos)) {
    await database.transact(scope, (tx) => tablePayments.reconnected(tx, payment));
    hurried.push(payment.id);
  }
  return hurried;
}
