import type { OrderPlacement } from '@pos/core/orders';
import type { Scope } from '@pos/core/identity';
import type { Database } from '@pos/store/database';
import { listPaymentsWaitingForEpos } from '../tables/open-table-payments.js';
import { listOpenOrderPlacements } from '@pos/store/tables';
import type { OrderPlacements } from './order-placements.js';
import type { TablePayments } from '../tables/table-payments.js';

/**
 * Continues the payments and orders that wait for the account's EPOS, after a new connection or new credentials.
 * Returns the payments' ids.
 */
export async function resumeWaitingForEpos(
  {
    database,
    tablePayments,
    placements,
  }: { readonly database: Database; readonly tablePayments: TablePayments; readonly placements: OrderPlacements },
  scope: Scope,
): Promise<string[]> {
  const resumed: string[] = [];
  // One transaction each: for any number of waiting payments, none of them is locked for long.
  for (const payment of await database.read(scope, listPaymentsWaitingForEpos)) {
    await database.transact(scope, (tx) => tablePayments.resumeAfterReconnect(tx, payment));
    resumed.push(payment.id);
  }
  for (const placement of await database.read(scope, listOpenOrderPlacements)) {
    if (!isWaitingForEpos(placement)) continue;
    await database.transact(scope, (tx) => placements.resumeAfterReconnect(tx, placement));
  }
  return resumed;
}

/** A placement that waits for the acquirer, or that a runner holds, is not locked. */
function isWaitingForEpos({ state, dueAt }: OrderPlacement): boolean {
  return dueAt !== null && (state === 'Held' || state === 'PlaceUnknown' || state === 'Cancelling');
}
