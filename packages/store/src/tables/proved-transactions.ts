import { provedTransactions } from '../relations/table-relations.js';
import { findRow, insertRow } from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

/** The payment at a table that a card transaction proves, or null. */
export async function findPaymentOfTransaction(reader: Reader, transactionId: string): Promise<string | null> {
  const where = { transaction_id: transactionId.toLowerCase() };
  return (await findRow(reader, provedTransactions, { where }))?.payment_id ?? null;
}

/** Stores what a transaction proves, with the next query: that fails (23505) when it proves another payment. */
export function insertProvedTransaction(
  tx: Tx,
  { transactionId, paymentId }: { readonly transactionId: string; readonly paymentId: string },
): void {
  insertRow(tx, provedTransactions, {
    transaction_id: transactionId.toLowerCase(),
    payment_id: paymentId,
    proved_at: tx.databaseNow,
  });
}
