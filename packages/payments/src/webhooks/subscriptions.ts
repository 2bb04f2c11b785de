import { type EventKind, SUBSCRIBABLE_EVENT_KINDS } from '@pos/core/events';
import { createViolation, Refusal } from '@pos/core/refusals';
import type { Reader, Tx } from '@pos/store/database';
import { isUniqueViolation } from '@pos/postgres/statements';
import {
  deleteSubscription,
  findSubscription,
  insertSubscription,
  findTakenKinds,
  lockSubscriptions,
  type Subscription,
  findSubscriptions,
  updateSubscription,
} from '@pos/store/webhooks';
import { schedule } from '@pos/store/queues';
import { STALE_EMIT_MS } from './delivery-maintenance.js';
import { createSigningSecret } from './signing-secrets.js';

/** An endpoint and the kinds of events for it. */
export interface SubscriptionRequest {
  readonly events: readonly EventKind[];
  readonly url: string;
  readonly description: string | null;
}

/** The members to change; absent ones stay. */
export interface SubscriptionChange {
  readonly events?: readonly EventKind[] | undefined;
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly paused?: boolean | undefined;
}

/** Subscribes to kinds of events, with one active signing secret. Each kind belongs to one subscription only. */
export async function createSubscription(tx: Tx, request: SubscriptionRequest): Promise<Subscription> {
  const events = SUBSCRIBABLE_EVENT_KINDS.filter((kind) => request.events.includes(kind));
  await lockSubscriptions(tx);
  const taken = await findTakenKinds(tx, events);
  if (taken.length > 0) throw createKindTakenRefusal(taken);
  const subscription: Subscription = {
    id: await tx.newId('subscription'),
    url: request.url,
    description: request.description,
    isPaused: false,
    events,
    secrets: [await createSigningSecret(tx, { isActive: true })],
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await insertSubscription(tx, subscription).catch((error: unknown) => {
    throw isUniqueViolation(error) ? createKindTakenRefusal(events) : error;
  });
  return subscription;
}

/** The account's subscriptions, oldest first. */
export function listSubscriptions(reader: Reader): Promise<Subscription[]> {
  return findSubscriptions(reader);
}

/** The subscription. Refuses an id that is unknown, foreign, malformed or deleted. */
export async function getSubscription(reader: Reader, id: string): Promise<Subscription> {
  const subscription = await findSubscription(reader, id);
  if (subscription === null) throw new Refusal('subscription_not_found', 'there is no such subscription');
  return subscription;
}

/** The subscription, locked against other changes. */
export async function getLockedSubscription(tx: Tx, id: string): Promise<Subscription> {
  await lockSubscriptions(tx);
  return getSubscription(tx, id);
}

/**
 * Changes a subscription. Waiting deliveries are sent to a new url, too; deliveries of removed kinds stay queued. A
 * pause lets a running attempt end, and holds the rest; held deliveries are sent, oldest first, when the pause is
 * over.
 */
export async function changeSubscription(tx: Tx, id: string, change: SubscriptionChange): Promise<Subscription> {
  const before = await getLockedSubscription(tx, id);
  const requestedKinds = change.events ?? before.events;
  const events = SUBSCRIBABLE_EVENT_KINDS.filter((kind) => requestedKinds.includes(kind));
  const added = events.filter((kind) => !before.events.includes(kind));
  const taken = await findTakenKinds(tx, added);
  if (taken.length > 0) throw createKindTakenRefusal(taken);
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
    throw isUniqueViolation(error) ? createKindTakenRefusal(added) : error;
  });
  if (isPaused !== before.isPaused) scheduleDeliveryUpdate(tx, before.id);
  return after;
}

/** Ends a subscription: its kinds are free, its waiting deliveries are dead-lettered, its events stay stored. */
export async function unsubscribe(tx: Tx, id: string): Promise<void> {
  const { id: lockedId } = await getLockedSubscription(tx, id);
  await deleteSubscription(tx, lockedId);
  scheduleDeliveryUpdate(tx, lockedId);
}

/** A worker updates some lanes at a time, and again later, for deliveries of transactions that read the old state. */
function scheduleDeliveryUpdate(tx: Tx, id: string): void {
  schedule(tx, { kind: 'webhook-subscription', subject: id, dueInMs: 0 });
  schedule(tx, { kind: 'webhook-subscription', subject: `${id}/again`, dueInMs: STALE_EMIT_MS, isRepeat: true });
}

function createKindTakenRefusal(kinds: readonly EventKind[]): Refusal {
  return createViolation('event_kind_taken', 'events', `another subscription has ${kinds.join(', ')}`);
}
