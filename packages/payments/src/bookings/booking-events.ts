import type { BookingKind } from '@pos/core/bookings';
import { formatScope } from '@pos/core/identity';
import type { Tx } from '@pos/store/database';
import { OutboxBatch } from '../webhooks/outbox-batch.js';

/**
 * Publishes that a booking was created, changed or deleted, at the EPOS or through the service. Processes that cache
 * parties read them again. Call it last: delivery lanes are the last row locks.
 */
export async function recordBookingChange(tx: Tx, kind: BookingKind, eposId: string): Promise<void> {
  if (kind === 'Party') tx.hint('orders', formatScope(tx.scope));
  const outbox = new OutboxBatch(tx);
  await outbox.addBookingEvent(kind, eposId);
  await outbox.flush();
}
