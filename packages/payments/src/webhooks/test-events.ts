import type { EventKind } from '@pos/core/events';
import { createViolation, requireValue } from '@pos/core/refusals';
import { createTestEvent } from '@pos/core/webhooks';
import type { Tx } from '@pos/store/database';
import { emit } from '@pos/store/queues';
import { type Delivery, findDeliveryOfEvent } from '@pos/store/webhooks';
import { getLockedSubscription } from './subscriptions.js';

/**
 * Sends an event about nothing to a subscription, as if it had happened now. Refuses `subscription_not_found` and
 * `event_kind_not_subscribed`.
 */
export async function sendTestEvent(
  tx: Tx,
  { subscriptionId, kind }: { readonly subscriptionId: string; readonly kind: EventKind },
): Promise<Delivery> {
  // Locked, because the event goes to the subscription that has its kind when it is stored.
  const { id, events } = await getLockedSubscription(tx, subscriptionId);
  if (!events.includes(kind)) {
    throw createViolation('event_kind_not_subscribed', 'event', `the subscription does not receive ${kind}`);
  }
  const head = { id: await tx.newId('event'), kind, accountId: tx.scope.accountId, createdAt: tx.now };
  const subjects = {
    intentId: await tx.newId('paymentIntent'),
    sessionId: await tx.newId('terminalSession'),
    terminalId: await tx.newId('terminal'),
  };
  await emit(tx, createTestEvent(head, subjects));
  return requireValue(await findDeliveryOfEvent(tx, { eventId: head.id, subscriptionId: id }), 'the test delivery');
}
