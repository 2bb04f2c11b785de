import type { PaymentIntentId } from '@pos/core/identity';
import type { PaymentIntent } from '@pos/core/payment-intents';
import type { Reader } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';
import { findIntent } from './payment-intents.js';

const BY_TRANSACTION = defineStatement(
  'find_intent_id_by_transaction',
  `select id, payment_details ->> 'transactionId' = $3 as is_named from payment_intents
   where account_id = $1 and environment = $2
     and (payment_details ->> 'transactionId' = $3 or payment_details ->> 'acquirerTransactionId' = $3)
   order by is_named desc limit 2`,
);

/**
 * The intent whose approval has the transaction id, which is ours or the acquirer's own text; or null. A text of the
 * acquirer that several payments have names none of them.
 */
export async function findIntentByTransaction(reader: Reader, transactionId: string): Promise<PaymentIntent | null> {
  const id = await findIntentIdByTransaction(reader, transactionId);
  return id === null ? null : findIntent(reader, id);
}

/** The id of that intent, or null. */
export async function findIntentIdByTransaction(
  reader: Reader,
  transactionId: string,
): Promise<PaymentIntentId | null> {
  const { accountId, environment } = reader.scope;
  const [row, ...others] = await reader.query<{ id: PaymentIntentId; is_named: boolean }>(BY_TRANSACTION, [
    ...[accountId, environment, transactionId],
  ]);
  return row === undefined || (!row.is_named && others.length > 0) ? null : row.id;
}
