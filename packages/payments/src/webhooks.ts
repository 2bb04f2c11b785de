import { type EventKind, SUBSCRIBABLE_EVENT_KINDS } from '@pos/core/event-kind';
import { keyed, Refusal } from '@pos/core/refusal';
import type { Reader, Tx } from '@pos/store/database';
import { isUniqueViolation } from '@pos/store/sql-error';
import {
  endSubscription,
  findSubscription,
  insertSubscription,
  kindsTaken,
  lockSubscriptions,
  type Subscription,
  subscriptionsOf,
  updateSubscription,
} from '@pos/store/subscriptions';
import { schedule } from '@pos/store/timers';
import { STALE_EMIT_MS } from './webhook-work.js';
import { newSecret } from './webhook-secrets.js';

/** Where an account wants which events. */
export interface SubscriptionWish {
  readonly events: readonly EventKind[];
  readonly url: string;
  readonly description: string | null;
}

/** What is to be otherwise; what is absent stays. */
export interface SubscriptionChange {
  readonly events?: readonly EventKind[] | undefined;
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly paused?: boolean | undefined;
}

/** Subscribes to kinds of events, with one active signing secret. Each kind belongs to one subscription only. */
export async function subscribe(tx: Tx, wish: SubscriptionWish): Promise<Subscription> {
  const events = SUBSCRIBABLE_EVENT_KINDS.filter((kind) => wish.events.includes(kind));
  await lockSubscriptions(tx);
  const taken = await kindsTaken(tx, events);
  if (taken.length > 0) throw kindTaken(taken);
  const subscription: Subscription = {
    id: await tx.newId('subscription'),
    url: wish.url,
    description: wish.description,
    isPaused: false,
    events,
    secrets: [await newSecret(tx, { isActive: true })],
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

/** The subscription. Refuses an id that is unknown, foreign, malformed or deleted. */
export async function getSubscription(reader: Reader, id: string): Promise<Subscription> {
  const subscription = await findSubscription(reader, id);
  if (subscription === null) throw new Refusal('subscription_not_found', 'there is no such subscription');
  return subscription;
}

/** The subscription, while nobody else can change it. */
export async function attendSubscription(tx: Tx, id: string): Promise<Subscription> {
  await lockSubscriptions(tx);
  return getSubscription(tx, id);
}

/**
 * Changes a subscription. A new url takes what waits too; kinds it gives up keep what was on its way. Pausing lets an
 * attempt that has begun end, and holds the rest; what was held goes out, oldest first, when the pause is over.
 */
export async function changeSubscription(tx: Tx, id: string, change: SubscriptionChange): Promise<Subscription> {
  const before = await attendSubscription(tx, id);
  const wanted = change.events ?? before.events;
  const events = SUBSCRIBABLE_EVENT_KINDS.filter((kind) => wanted.includes(kind));
  const added = events.filter((kind) => !before.events.includes(kind));
  const taken = await kindsTaken(tx, added);
  if (taken.length > 0) throw kindTaken(taken);
  const isPaused = change.paused ?? before.isPaused;
  const after: Subscription = {
    ...before,
    events,
    isPaused,
    url: change.url ?? before.url,
    description: change.description ?? before.description,
    updatedAt: Object.values(change).some((value) => value !== undefined) ? tx.now : before.updatedAt,
  };
  await updateSubscription(tx, before, after).catch((error: unknown) => {
    throw isUniqueViolation(error) ? kindTaken(added) : error;
  });
  if (isPaused !== before.isPaused) bringDeliveriesInLine(tx, before.id);
  return after;
}

/** Ends a subscription: its kinds are free, what waited for it is dead-lettered, its events are kept. */
export async function unsubscribe(tx: Tx, id: string): Promise<void> {
  const { id: known } = await attendSubscription(tx, id);
  await endSubscription(tx, known);
  bringDeliveriesInLine(tx, known);
}

/** By a worker, lanes at a time; and once more for what was stored meanwhile by somebody who did not know yet. */
function bringDeliveriesInLine(tx: Tx, id: string): void {
  schedule(tx, { kind: 'webhook-subscription', subject: id, dueInMs: 0 });
  schedule(tx, { kind: 'webhook-subscription', subject: `${id}/again`, dueInMs: STALE_EMIT_MS, isRepeat: true });
}

function kindTaken(kinds: readonly EventKind[]): Refusal {
  return keyed('event_kind_taken', 'events', `another subscription has ${kinds.join(', ')}`);
}
