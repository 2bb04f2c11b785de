import type { PaymentIntentId, RefundId } from '@pos/core/identity';
import {
  column,
  findRow,
  insertRow,
  nullable,
  type RowOf,
  enumKeyColumn,
  enumColumn,
  definePartnerRelation,
} from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

export const refunds = definePartnerRelation('refunds', {
  id: enumKeyColumn<RefundId>(),
  intent_id: enumColumn<PaymentIntentId>(),
  reason: nullable(column.text),
  notes: nullable(column.text),
  previous_transaction_id: nullable(column.text),
  created_at: column.timestamp,
});

/** What a refund was asked for with; the acquirer call whose reference is its id says whether the money went back. */
export interface Refund {
  readonly id: RefundId;
  readonly paymentIntentId: PaymentIntentId;
  readonly reason: string | null;
  readonly notes: string | null;
  readonly previousTransactionId: string | null;
}

/** Writes a refund before the acquirer is asked for it. */
export function insertRefund(tx: Tx, refund: Refund): void {
  insertRow(tx, refunds, {
    id: refund.id,
    intent_id: refund.paymentIntentId,
    reason: refund.reason,
    notes: refund.notes,
    previous_transaction_id: refund.previousTransactionId,
    created_at: tx.now,
  });
}

/** The refund, however it ended, or null: an unknown, foreign or malformed id. */
export async function findRefund(reader: Reader, id: RefundId): Promise<Refund | null> {
  const row = await findRow(reader, refunds, { where: { id } });
  return row === null ? null : toRefund(row);
}

function toRefund(row: RowOf<typeof refunds>): Refund {
  return {
    id: row.id,
    paymentIntentId: row.intent_id,
    reason: row.reason,
    notes: row.notes,
    previousTransactionId: row.previous_transaction_id,
  };
}
