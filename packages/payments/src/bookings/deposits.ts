import type { PartyDeposit } from '@pos/core/tables/bookings/booking';
import { add, type Money, subtract, zeroMoney } from '@pos/core/money/money';
import { createViolation } from '@pos/core/refusals/refusal';
import type { Reader } from '@pos/store/database/database';
import type { PaymentIntent } from '@pos/core/payment-intents/payment-intent';
import { findIntent } from '@pos/store/payments/payment-intents';
import { hasOrderPlacement } from '@pos/store/tables/order-placements';
import { findPaymentOfTransaction } from '@pos/store/tables/proved-transactions';
import { hasTablePayment } from '@pos/store/tables/table-payments';

/**
 * Refuses a deposit that its payments do not cover: an EPOS takes it off the bill. The money is held or captured, and
 * not returned, and has paid for nothing else.
 */
export async function requirePaidDeposit(reader: Reader, deposit: PartyDeposit | undefined): Promise<void> {
  if (deposit === undefined) return;
  const { totalAmount, paymentIntentIds } = deposit;
  let paid: Money = zeroMoney(totalAmount.currencyCode);
  for (const id of new Set(paymentIntentIds)) {
    const intent = await findIntent(reader, id);
    if (intent === null)
      throw createViolation('payment_intent_unknown', 'deposit.paymentIntentIds', 'is not a payment intent');
    if (intent.amount.currencyCode !== totalAmount.currencyCode)
      throw createViolation('validation_failed', 'deposit.totalAmount', 'Must have the currency of its payments.');
    if (await isSpent(reader, intent))
      throw createViolation('validation_failed', 'deposit.paymentIntentIds', 'Has paid for a bill or an order.');
    if (intent.status !== 'Authorized' && intent.status !== 'Captured') continue;
    const held = intent.status === 'Authorized' ? intent.authorized : intent.captured;
    paid = add(paid, subtract(subtract(held, intent.refunded), intent.pendingRefund));
  }
  if (paid.value < totalAmount.value)
    throw createViolation('validation_failed', 'deposit.totalAmount', `Must be at most what is paid: ${paid.value}.`);
}

/** Whether the money has paid for something else, which an EPOS would take off a second bill. */
async function isSpent(reader: Reader, { id, details, paymentDetails }: PaymentIntent): Promise<boolean> {
  if (details.heldForOrder !== undefined) return true;
  if ((await hasOrderPlacement(reader, id)) || (await hasTablePayment(reader, id))) return true;
  return paymentDetails !== null && (await findPaymentOfTransaction(reader, paymentDetails.transactionId)) !== null;
}
