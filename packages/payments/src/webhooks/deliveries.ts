import { Refusal, requireValue } from '@pos/core/refusals';
import type { DeliveryState, ReplayState } from '@pos/core/webhooks';
import type { Reader, Tx } from '@pos/store/database';
import {
  countReplayEvents,
  type Delivery,
  type DeliveryAttemptEntry,
  findDelivery,
  getEventBody,
  insertReplay,
  listDeliveryAttempts,
  replayDeadLetter,
  searchDeliveries,
} from '@pos/store/webhooks';
import { schedule } from '@pos/store/queues';
import { buildPageCursors, type PageCursors, type PageQuery, readPosition } from '../paging/page-cursors.js';
import { getSubscription } from './subscriptions.js';

/** The deliveries to list. */
export interface DeliveryPageQuery extends PageQuery {
  readonly state: DeliveryState | null;
}

export interface DeliveryPage extends PageCursors {
  readonly deliveries: readonly Delivery[];
}

/** The events to send again: by the time they happened, `from` inclusive, `to` exclusive. */
export interface ReplayRequest {
  readonly from: Date | null;
  readonly to: Date | null;
  readonly states: readonly ReplayState[];
}

/** A subscription's deliveries, newest first. */
export async function listDeliveries(reader: Reader, id: string, query: DeliveryPageQuery): Promise<DeliveryPage> {
  const { before, after, ...terms } = query;
  const subscription = await getSubscription(reader, id);
  const position = readPosition(reader.scope, 'delivery', { before, after });
  const page = await searchDeliveries(reader, subscription.id, { ...terms, ...position });
  return { deliveries: page.elements, ...buildPageCursors(reader.scope, page) };
}

/** A delivery with the event that is sent and the attempts that the activity log still has, newest first. */
export interface DeliveryDetails {
  readonly delivery: Delivery;
  readonly body: Buffer;
  readonly attempts: readonly DeliveryAttemptEntry[];
}

/** Reads one delivery of a subscription. Refuses `subscription_not_found` and `delivery_not_found`. */
export async function readDelivery(
  reader: Reader,
  { id, subscriptionId }: { readonly id: string; readonly subscriptionId: string },
): Promise<DeliveryDetails> {
  const subscription = await getSubscription(reader, subscriptionId);
  const delivery = await findDelivery(reader, { id, subscriptionId: subscription.id });
  if (delivery === null) throw createUnknownDeliveryRefusal();
  const body = await getEventBody(reader, delivery.eventId);
  return { delivery, body, attempts: await listDeliveryAttempts(reader, delivery) };
}

/** Queues a dead letter again, with all its attempts, beside the other deliveries. */
export async function replayDelivery(
  tx: Tx,
  { id, subscriptionId }: { readonly id: string; readonly subscriptionId: string },
): Promise<Delivery> {
  const subscription = await getSubscription(tx, subscriptionId);
  const position = { id, subscriptionId: subscription.id };
  const delivery = await findDelivery(tx, position);
  if (delivery === null) throw createUnknownDeliveryRefusal();
  const isRequeued = delivery.state === 'DeadLettered' && (await replayDeadLetter(tx, position));
  if (!isRequeued) throw new Refusal('delivery_not_dead_lettered', 'only a dead letter can be sent again');
  return requireValue(await findDelivery(tx, position), `delivery ${id}`);
}

/**
 * Has a worker queue the events of a range again, of the kinds that the subscription has now. Returns their number.
 * They are sent beside live events and never before them, each subject's in the order in which they happened.
 */
export async function replayRange(tx: Tx, subscriptionId: string, request: ReplayRequest): Promise<number> {
  const { id } = await getSubscription(tx, subscriptionId);
  const range = { from: request.from, to: earlierDate(request.to, addMillisecond(tx.now)), states: request.states };
  const queued = await countReplayEvents(tx, id, range);
  if (queued === 0) return 0;
  schedule(tx, { kind: 'webhook-replay', subject: await insertReplay(tx, id, range), dueInMs: 0 });
  return queued;
}

function createUnknownDeliveryRefusal(): Refusal {
  return new Refusal('delivery_not_found', 'the subscription has no such delivery');
}

/** Events until now are in the range, including this millisecond; later ones are delivered anyway. */
function addMillisecond(now: Date): Date {
  return new Date(now.getTime() + 1);
}

function earlierDate(first: Date | null, second: Date): Date {
  return first !== null && first < second ? first : second;
}
