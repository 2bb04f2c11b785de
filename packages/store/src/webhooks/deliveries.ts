import { requireValue } from '@pos/core/refusals';
import type { EventKind } from '@pos/core/events';
import { type DeliveryId, type EventId, isId, parseKnownId, type SubscriptionId } from '@pos/core/identity';
import type { DeliveryState } from '@pos/core/webhooks';
import { type Cursor, type Direction, type Page, buildPage } from '../database/page.js';
import { deliveries, type DeliveryRow, events } from '../relations/queue-relations.js';
import { findRow, type RowOf } from '../relations/relation.js';
import { joinInScope, listSelections, type RowSelect, selectPage, selectRows } from '../relations/scoped-query.js';
import type { Reader } from '../database/transaction.js';

/** An event that is delivered to a subscriber, and its attempts so far. */
export interface Delivery {
  readonly id: DeliveryId;
  readonly eventId: EventId;
  readonly event: EventKind;
  /** The payment intent or the session on a machine that the event is about. */
  readonly subjectId: string;
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
  /** Only events about one of these; left out: about anything. */
  readonly subjectIds?: readonly string[];
  readonly limit: number;
  readonly cursor: Cursor | null;
  readonly direction: Direction;
}

/** The row of another relation that belongs to a delivery. */
export interface DeliveryParts {
  readonly event: Pick<RowOf<typeof events>, 'kind' | 'subject_id'>;
}

/** What is selected of a delivery: of its event, whose body may be large, not the body. */
export const DELIVERY_COLUMNS: readonly string[] = [...listSelections(deliveries), 'event.kind', 'event.subject_id'];

/** Joins deliveries with the kinds of their events. */
export function joinEventKind(select: RowSelect<DeliveryRow>): RowSelect<DeliveryRow> {
  const ofRow = joinInScope('event', 'event.id = row.event_id');
  return select.innerJoinAndMapOne('row.event', events.name, 'event', ofRow).select([...DELIVERY_COLUMNS]);
}

/** A page of a subscription's deliveries, newest first, from a cursor on in one direction. */
export async function searchDeliveries(
  reader: Reader,
  subscriptionId: SubscriptionId,
  search: DeliverySearch,
): Promise<Page<Delivery>> {
  const { state, subjectIds } = search;
  const rows = await selectRows<DeliveryRow, DeliveryParts>(reader, deliveries, (select) => {
    joinEventKind(select).andWhere('row.subscription_id = :subscriptionId', { subscriptionId });
    // A selected value is not compared with the statistics, which may have no delivery in this state yet (ADR 0119).
    if (state !== null) select.andWhere('row.state = (select :state::text)', { state });
    if (subjectIds !== undefined) select.andWhere('event.subject_id = any (:subjectIds)', { subjectIds });
    return selectPage(select, search);
  });
  return buildPage(rows.map(toDelivery), search);
}

/** The delivery if it is the subscription's, or null. */
export async function findDelivery(
  reader: Reader,
  position: { readonly id: string; readonly subscriptionId: SubscriptionId },
): Promise<Delivery | null> {
  if (!isId('delivery', position.id)) return null;
  const [row] = await selectRows<DeliveryRow, DeliveryParts>(reader, deliveries, (select) =>
    joinEventKind(select).andWhere('row.id = :id and row.subscription_id = :subscriptionId', position),
  );
  return row === undefined ? null : toDelivery(row);
}

/** The newest delivery of an event to the subscription, or null. */
export async function findDeliveryOfEvent(
  reader: Reader,
  position: { readonly eventId: EventId; readonly subscriptionId: SubscriptionId },
): Promise<Delivery | null> {
  const [row] = await selectRows<DeliveryRow, DeliveryParts>(reader, deliveries, (select) =>
    joinEventKind(select)
      .andWhere('row.event_id = :eventId and row.subscription_id = :subscriptionId', position)
      .orderBy('row.created_at', 'DESC')
      .limit(1),
  );
  return row === undefined ? null : toDelivery(row);
}

/** The bytes of an event, as they are sent. */
export async function getEventBody(reader: Reader, id: EventId): Promise<Buffer> {
  return requireValue(await findRow(reader, events, { where: { id } }), `event ${id}`).body;
}

function toDelivery(row: DeliveryRow & DeliveryParts): Delivery {
  return {
    id: parseKnownId('delivery', row.id),
    eventId: parseKnownId('event', row.event_id),
    event: row.event.kind,
    subjectId: row.event.subject_id,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
