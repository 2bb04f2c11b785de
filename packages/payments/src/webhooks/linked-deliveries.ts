import { isId } from '@pos/core/identity';
import type { Reader } from '@pos/store/database';
import { findAccount } from '@pos/store/repositories';
import { listSessionsOfIntent } from '@pos/store/terminals';
import {
  type Delivery,
  type DeliveryAttemptEntry,
  findSubscription,
  listAttemptsOf,
  searchDeliveries,
} from '@pos/store/webhooks';

/** What a link to deliveries permits to read. */
export interface LinkedDeliveriesQuery {
  readonly subscriptionId: string;
  /** Null: events about every payment. */
  readonly paymentIntentId: string | null;
}

/** What the page of a link shows: the newest deliveries, and the attempts of them that the log still has. */
export interface LinkedDeliveries {
  readonly tradingName: string;
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  readonly attempts: readonly DeliveryAttemptEntry[];
}

const DELIVERIES_MAX = 25;

/** Reads the deliveries of a link; null once its subscription is deleted or its account is disabled. */
export async function readLinkedDeliveries(
  reader: Reader,
  { subscriptionId, paymentIntentId }: LinkedDeliveriesQuery,
): Promise<LinkedDeliveries | null> {
  const account = await findAccount(reader);
  const subscription = await findSubscription(reader, subscriptionId);
  if (account === null || account.status === 'Disabled' || subscription === null) return null;
  const { elements: deliveries } = await searchDeliveries(reader, subscription.id, {
    ...({ state: null, limit: DELIVERIES_MAX, cursor: null, direction: 'older' } as const),
    ...(paymentIntentId !== null && { subjectIds: await listSubjects(reader, paymentIntentId) }),
  });
  const attempts = await listAttemptsOf(reader, deliveries);
  return { tradingName: account.tradingName, url: subscription.url, deliveries, attempts };
}

/** The events of a payment are about it, or about a session of it on a card machine. */
async function listSubjects(reader: Reader, paymentIntentId: string): Promise<readonly string[]> {
  if (!isId('paymentIntent', paymentIntentId, reader.scope.environment)) return [];
  const sessions = await listSessionsOfIntent(reader, paymentIntentId);
  return [paymentIntentId, ...sessions.map(({ id }) => id)];
}
