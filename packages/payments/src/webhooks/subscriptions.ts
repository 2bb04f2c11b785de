import { type EventKind, SUBSCRIBABLE_EVENT_KINDS } from '@pos/core/events/event-kind';
import { createViolation, Refusal } from '@pos/core/refusals/refusal';
import type { Reader, Tx } from '@pos/store/database/database';
import { isUniqueViolation } from '@pos/store/postgres/sql-errors';
import {
  deleteSubscription,
  findSubscription,
  insertSubscription,
  findTakenKinds,
  lockSubscriptions,
  type Subscription,
  findSubscriptions,
  updateSubscription,
} from '@pos/store/webhooks/subscriptions';
import { schedule } from '@pos/store/queues/timers';
import { STALE_EMIT_MS } from './delivery-maintenance.js';
import { createSigningSecret } from './signing-secrets.js';

/** Where an account wants which events. */
export interface SubscriptionRequest {
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

/** The subscription, while nobody else can change it. */
export async function getLockedSubscription(tx: Tx, id: string): Promise<Subscription> {
  await lockSubscriptions(tx);
  return getSubscription(tx, id);
}

/**
 * Changes a subscription. A new url takes what waits too; kinds it gives up keep what was on its way. Pausing lets an
 * attempt that has begun end, and holds the rest; what was held goes out, oldest first, when the pause is over.
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

/** Ends a subscription: its kinds are free, what waited for it is dead-lettered, its events are kept. */
export async function unsubscribe(tx: Tx, id: string): Promise<void> {
  const { id: known } = await getLockedSubscription(tx, id);
  await deleteSubscription(tx, known);
  scheduleDeliveryUpdate(tx, known);
}

/** By a worker, lanes at a time; and once more for what was stored meanwhile by somebody who did not know yet. */
function scheduleDeliveryUpdate(tx: Tx, id: string): void {
  schedule(tx, { kind: 'webhook-subscription', subject: id, dueInMs: 0 });
  schedule(tx, { kind: 'webhook-subscription', subject: `${id}/again`, dueInMs: STALE_EMIT_MS, isRepeat: true });
}

function createKindTakenRefusal(kinds: readonly EventKind[]): Refusal {
  return createViolation('event_kind_taken', 'events', `another subscription has ${kinds.join(', ')}`);
}
