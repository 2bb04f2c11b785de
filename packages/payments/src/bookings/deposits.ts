import type { PartyDeposit } from '@pos/core/tables/bookings/booking';
import { add, type Money, subtract, zeroMoney } from '@pos/core/money/money';
import { createViolation } from '@pos/core/refusals/refusal';
import type { Reader } from '@pos/store/database/database';
import { findIntent } from '@pos/store/payments/payment-intents';

/**
 * Refuses a deposit that its payments do not cover: an EPOS takes it off the bill. The money is held or captured, and
 * not returned.
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
    if (intent.status !== 'Authorized' && intent.status !== 'Captured') continue;
    const held = intent.status === 'Authorized' ? intent.authorized : intent.captured;
    paid = add(paid, subtract(subtract(held, intent.refunded), intent.pendingRefund));
  }
  if (paid.value < totalAmount.value)
    throw createViolation('validation_failed', 'deposit.totalAmount', `Must be at most what is paid: ${paid.value}.`);
}
