import type { PaymentIntent } from '@pos/core/payment-intents';
import { Refusal } from '@pos/core/refusals';
import type { Tx } from '@pos/store/database';
import { schedule } from '@pos/store/queues';

/**
 * Refuses to move the money of an order that is being placed at the EPOS (ADR 0048). Captured money is no longer
 * held.
 */
export function requireNotHeldForOrder({ details, status }: Pick<PaymentIntent, 'details' | 'status'>): void {
  if (details.heldForOrder === undefined || status === 'Captured') return;
  throw new Refusal('payment_intent_held_for_order', 'an order that is on its way to the EPOS is paid with it');
}

/** Wakes the placement that waits for the payment, at each change. */
export function wakeOrderPlacement(tx: Tx, before: PaymentIntent, { status, details }: PaymentIntent): void {
  const { heldForOrder } = details;
  if (heldForOrder === undefined || status === before.status) return;
  schedule(tx, { kind: 'order-placement', subject: heldForOrder, dueInMs: 0, isRepeat: true });
}
