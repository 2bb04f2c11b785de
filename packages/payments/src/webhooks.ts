import { EVENT_KINDS, type EventKind } from '@pos/core/event-kind';
import { newSecretText } from '@pos/core/ids';
import { keyed, type Refusal } from '@pos/core/refusal';
import type { Reader, Tx } from '@pos/store/database';
import { isUniqueViolation } from '@pos/store/sql-error';
import { insertSubscription, kindsTaken, type Subscription, subscriptionsOf } from '@pos/store/subscriptions';

/** Where an account wants which events. */
export interface SubscriptionWish {
  readonly events: readonly EventKind[];
  readonly url: string;
  readonly description: string | null;
}

const SECRET_BYTES = 32;

/** Subscribes to kinds of events, with one active signing secret. Each kind belongs to one subscription only. */
export async function subscribe(tx: Tx, wish: SubscriptionWish): Promise<Subscription> {
  const events = EVENT_KINDS.filter((kind) => wish.events.includes(kind));
  const taken = await kindsTaken(tx, events);
  if (taken.length > 0) throw kindTaken(taken);
  const subscription: Subscription = {
    id: await tx.newId('subscription'),
    url: wish.url,
    description: wish.description,
    isPaused: false,
    events,
    secrets: [
      {
        id: await tx.newId('secret'),
        value: newSecretText(await tx.draw('webhookSecret', SECRET_BYTES)),
        isActive: true,
        createdAt: tx.now,
        lastUsedAt: null,
      },
    ],
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await insertSubscription(tx, subscription).catch((error: unknown) => {
    throw isUniqueViolation(error) ? kindTaken(events) : error;
  });
  return subscription;
}

/** The account's subscriptions, oldest first. */
export function listSubscriptions(reader: Reader): Promise<Subscription[]> {
  return subscriptionsOf(reader);
}

function kindTaken(kinds: readonly EventKind[]): Refusal {
  return keyed('event_kind_taken', 'events', `another subscription has ${kinds.join(', ')}`);
}
