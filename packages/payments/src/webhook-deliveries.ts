import { required } from '@pos/core/assert';
import { Refusal } from '@pos/core/refusal';
import type { DeliveryState, ReplayState } from '@pos/core/webhook';
import type { Reader, Tx } from '@pos/store/database';
import { type Delivery, findDelivery, searchDeliveries } from '@pos/store/deliveries';
import { countReplayed, insertReplay, replayDeadLetter } from '@pos/store/replays';
import { schedule } from '@pos/store/timers';
import { endsOf, type PageEnds, type PageWish, readPlace } from './cursors.js';
import { getSubscription } from './webhooks.js';

/** Which deliveries are looked for. */
export interface DeliveryQuery extends PageWish {
  readonly state: DeliveryState | null;
}

export interface DeliveryPage extends PageEnds {
  readonly deliveries: readonly Delivery[];
}

/** Which events go out once more: by the time they happened, `from` inclusive, `to` exclusive. */
export interface ReplayWish {
  readonly from: Date | null;
  readonly to: Date | null;
  readonly states: readonly ReplayState[];
}

/** A subscription's deliveries, newest first. */
export async function listDeliveries(reader: Reader, id: string, query: DeliveryQuery): Promise<DeliveryPage> {
  const { before, after, ...terms } = query;
  const subscription = await getSubscription(reader, id);
  const place = readPlace(reader.scope, 'delivery', { before, after });
  const page = await searchDeliveries(reader, subscription.id, { ...terms, ...place });
  return { deliveries: page.elements, ...endsOf(reader.scope, page) };
}

/** Queues a dead letter anew, with all its attempts, beside whatever else is on its way. */
export async function replayDelivery(
  tx: Tx,
  { id, subscriptionId }: { readonly id: string; readonly subscriptionId: string },
): Promise<Delivery> {
  const subscription = await getSubscription(tx, subscriptionId);
  const place = { id, subscriptionId: subscription.id };
  const delivery = await findDelivery(tx, place);
  if (delivery === null) throw new Refusal('delivery_not_found', 'the subscription has no such delivery');
  const isAgain = delivery.state === 'DeadLettered' && (await replayDeadLetter(tx, place));
  if (!isAgain) throw new Refusal('delivery_not_dead_lettered', 'only a dead letter can be sent again');
  return required(await findDelivery(tx, place), `delivery ${id}`);
}

/**
 * Has a worker queue the events of a range once more, of the kinds that the subscription has now. Says how many there
 * are; they go out beside live events and never before them, each subject's in the order in which they happened.
 */
export async function replayRange(tx: Tx, subscriptionId: string, wish: ReplayWish): Promise<number> {
  const { id } = await getSubscription(tx, subscriptionId);
  const range = { from: wish.from, to: earlier(wish.to, justAfter(tx.now)), states: wish.states };
  const queued = await countReplayed(tx, id, range);
  if (queued === 0) return 0;
  schedule(tx, { kind: 'webhook-replay', subject: await insertReplay(tx, id, range), dueInMs: 0 });
  return queued;
}

/** What happened until now is in the range, this millisecond included; what comes goes out by itself. */
function justAfter(now: Date): Date {
  return new Date(now.getTime() + 1);
}

function earlier(first: Date | null, second: Date): Date {
  return first !== null && first < second ? first : second;
}
