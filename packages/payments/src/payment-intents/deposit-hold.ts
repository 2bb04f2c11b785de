import { computeDepositValue } from '@pos/core/bookings';
import type { PaymentIntent } from '@pos/core/payment-intents';
import { Refusal } from '@pos/core/refusals';
import type { Tx } from '@pos/store/database';
import { findDepositClaim } from '@pos/store/tables';

/**
 * Refuses to return money that is the deposit of a party, which the EPOS still takes off its bill (ADR 0137). `intent`:
 * the payment with the return reserved. Once the party has left, or has not come, the money may be returned.
 */
export async function requireDepositKept(tx: Tx, intent: PaymentIntent): Promise<void> {
  const claim = await findDepositClaim(tx, intent.id);
  if (claim === null || claim.isEnded || tx.now >= claim.heldUntil) return;
  const { value, currencyCode } = claim.amount;
  if (computeDepositValue(intent).value >= value) return;
  throw new Refusal(
    'payment_intent_is_deposit',
    `${value} ${currencyCode} of it is the deposit of a party: first change the party without the deposit, or delete it`,
  );
}
