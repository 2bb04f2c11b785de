import type { EventKind } from '@pos/core/events/event-kind';
import { type DeliveryId, type EventId, isId, parseKnownId, type SubscriptionId } from '@pos/core/identity/identity';
import type { DeliveryState } from '@pos/core/webhooks/delivery-schedule';
import { type Cursor, type Direction, DIRECTIONS, type Page, buildPage } from '../database/page.js';
import { type Statement, defineStatement } from '../postgres/statement.js';
import type { Reader } from '../database/transaction.js';

/** An event that is delivered to a subscriber, and its attempts so far. */
export interface Delivery {
  readonly id: DeliveryId;
  readonly eventId: EventId;
  readonly event: EventKind;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The deliveries of a subscription to list. */
export interface DeliverySearch {
  readonly state: DeliveryState | null;
  readonly limit: number;
  readonly cursor: Cursor | null;
  readonly direction: Direction;
}

interface DeliveryQueryRow {
  readonly id: string;
  readonly event_id: string;
  readonly kind: EventKind;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const COLUMNS = `d.id, d.event_id, e.kind, d.state, d.attempts, d.next_attempt_at, d.last_status, d.last_error,
  d.created_at, d.updated_at`;
const FROM = `deliveries d join events e on e.account_id = $1 and e.environment = $2 and e.id = d.event_id
  where d.account_id = $1 and d.environment = $2 and d.subscription_id = $3`;

const ONE = defineStatement('delivery_one', `select ${COLUMNS} from ${FROM} and d.id = $4`);

const PAGES = { older: definePageStatement('older'), newer: definePageStatement('newer') } as const;

function definePageStatement(direction: Direction): Statement {
  const { sign, order } = DIRECTIONS[direction];
  return defineStatement(
    'delivery_page',
    `select ${COLUMNS} from ${FROM} and ($4::text is null or d.state = $4)
       and ($5::timestamptz is null or (d.created_at, d.id) ${sign} ($5, $6::text))
     order by d.created_at ${order}, d.id ${order} limit $7`,
  );
}

/** A page of a subscription's deliveries, newest first, from a cursor on in one direction. */
export async function searchDeliveries(
  reader: Reader,
  subscriptionId: SubscriptionId,
  search: DeliverySearch,
): Promise<Page<Delivery>> {
  const { accountId, environment } = reader.scope;
  const { state, limit, cursor, direction } = search;
  const from = [cursor?.createdAt ?? null, cursor?.id ?? null] as const;
  const rows = await reader.query<DeliveryQueryRow>(PAGES[direction], [
    ...[accountId, environment, subscriptionId, state],
    ...from,
    limit + 1,
  ]);
  return buildPage(rows.map(toDelivery), search);
}

/** The delivery if it is the subscription's, or null. */
export async function findDelivery(
  reader: Reader,
  { id, subscriptionId }: { readonly id: string; readonly subscriptionId: SubscriptionId },
): Promise<Delivery | null> {
  if (!isId('delivery', id)) return null;
  const { accountId, environment } = reader.scope;
  const [row] = await reader.query<DeliveryQueryRow>(ONE, [accountId, environment, subscriptionId, id]);
  return row === undefined ? null : toDelivery(row);
}

function toDelivery(row: DeliveryQueryRow): Delivery {
  return {
    id: parseKnownId('delivery', row.id),
    eventId: parseKnownId('event', row.event_id),
    event: row.kind,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
