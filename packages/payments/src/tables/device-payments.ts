import { requireValue } from '@pos/core/refusals/assert';
import { isPositive, isSameAmount, type Money } from '@pos/core/money/money';
import { type PaymentIntent, computeTotalAmount } from '@pos/core/payment-intents/payment-intent';
import { Refusal } from '@pos/core/refusals/refusal';
import type { TablePayment } from '@pos/core/tables/table-payment';
import type { Tx } from '@pos/store/database/database';
import { hasOrderPlacement } from '@pos/store/tables/order-placements';
import { findIntentByTransaction, lockIntent } from '@pos/store/payments/payment-intents';

/**
 * The intent that a device names for the money that it records, locked; null when it is none of ours. It must be
 * exactly this money, taken and not given back: if a payment adopts it, a refusal of the EPOS gives it back.
 */
export async function lockRecordedIntent(
  tx: Tx,
  transactionId: string,
  total: Money,
): Promise<TablePayment['intentId']> {
  const found = transactionId === '' ? null : await findIntentByTransaction(tx, transactionId);
  if (found === null) return null;
  const { intent } = requireValue(await lockIntent(tx, found.id), `payment intent ${found.id}`);
  const objection = findPaymentObjection(intent, total);
  if (objection !== null) throw createUnusableRefusal(objection);
  if (await hasOrderPlacement(tx, intent.id)) throw createUnusableRefusal('an order was paid with it in advance');
  return intent.id;
}

/** Why the money of an intent is not this total, taken and still wholly held; null when it is. */
export function findPaymentObjection(intent: PaymentIntent, total: Money): string | null {
  if (intent.status !== 'Captured' && intent.status !== 'Authorized') return `it is ${intent.status}`;
  if (intent.details.heldForOrder !== undefined) return 'an order that is on its way to the EPOS is paid with it';
  if (isPositive(intent.refunded) || isPositive(intent.pendingRefund)) return 'some of it went back';
  return isSameAmount(computeTotalAmount(intent), total) ? null : 'it is over another amount';
}

/** The refusal of money that is not this payment's. */
export function createUnusableRefusal(reason: string): Refusal {
  return new Refusal(
    'card_transaction_unusable',
    `this card transaction cannot be recorded as this payment: ${reason}`,
  );
}
