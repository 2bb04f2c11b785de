import type { Bill } from '@pos/core/tables';
import { updateBill } from '@pos/core/journeys';
import type { Reader, Tx } from '@pos/store/database';
import { findBillChange, lockJourney, markBillRead, markOrderChanged } from '@pos/store/tables';
import { commitJourney } from '../tables/journey-commit.js';

/** Handles a change of an order at the EPOS. An order without a running journey changes nothing here. */
export async function recordOrderChange(tx: Tx, orderId: string): Promise<void> {
  await markOrderChanged(tx, orderId);
}

/** The change after which the journey's bill was not read; null when it was. */
export function findUnreadChange(reader: Reader, journeyId: string): Promise<string | null> {
  return findBillChange(reader, journeyId);
}

/**
 * Stores the bill that was read after a change; null: the EPOS has none that could be shown. A journey that is
 * paying keeps its bill, because a part was computed from it.
 */
export async function recordBillRead(
  tx: Tx,
  { journeyId, change, bill }: { readonly journeyId: string; readonly change: string; readonly bill: Bill | null },
): Promise<void> {
  const journey = await lockJourney(tx, journeyId);
  if (journey?.state !== 'OPEN') return;
  if (bill !== null) await commitJourney(tx, journey, updateBill(journey, bill, tx.now));
  await markBillRead(tx, journeyId, change);
}
