import type { Journey } from '@pos/core/journeys';
import type { Tx } from '@pos/store/database';
import { updateJourney } from '@pos/store/tables';

/**
 * Stores a decision about a locked journey with everything that belongs to it: the row, and the hint to the devices that
 * watch it. It is the only writer of a journey's state (ADR 0145); the mark of a changed bill is `orders/order-changes.ts`'s.
 */
export async function commitJourney(tx: Tx, before: Journey, journey: Journey): Promise<Journey> {
  const written = await updateJourney(tx, before, journey);
  tx.hint('journeys', journey.id);
  return written;
}
