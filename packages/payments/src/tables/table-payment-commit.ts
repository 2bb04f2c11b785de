import type { TablePayment } from '@pos/core/tables';
import type { Tx } from '@pos/store/database';
import { updateTablePayment } from '@pos/store/tables';
import { publishUnprovedRecord } from './unproved-records.js';

/**
 * Stores a decision about a locked payment at a table with everything that belongs to the payment alone: the row, and the
 * alarm and the difference of a record that nothing proves. It is the only writer of a stored payment (ADR 0145). The
 * timer belongs to the runner that has claimed it, which completes it last. The lease, the journey and the intent have
 * writers of their own.
 */
export async function commitTablePayment(tx: Tx, before: TablePayment, payment: TablePayment): Promise<TablePayment> {
  if (payment === before) return before;
  const written = await updateTablePayment(tx, before, payment);
  await publishUnprovedRecord(tx, before, written);
  return written;
}
