import type { EventKind } from '@pos/core/events/event-kind';
import { type DeliveryId, isId, parseKnownId, type SubscriptionId } from '@pos/core/identity/identity';
import { requireValue } from '@pos/core/refusals/assert';
import { deliveries, type DeliveryRow, subscriptions } from '../relations/queue-relations.js';
import type { RowOf } from '../relations/relation.js';
import { joinInScope, type RowSelect, selectRows } from '../relations/scoped-query.js';
import type { Reader } from '../database/transaction.js';
import { DELIVERY_COLUMNS, type DeliveryParts, joinEventKind } from './deliveries.js';

/** A delivery whose attempts are spent. */
export interface DeadLetter {
  readonly id: DeliveryId;
  readonly subscriptionId: SubscriptionId;
  readonly event: EventKind;
  readonly url: string;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly updatedAt: Date;
}

/** The newest dead letters of the scope, over all its subscriptions. */
export function listDeadLetters(reader: Reader, limit: number): Promise<DeadLetter[]> {
  return selectDeadLetters(reader, (select) =>
    select.orderBy('row.updated_at', 'DESC').addOrderBy('row.id', 'DESC').limit(limit),
  );
}

/** The dead letter with this id, or null. */
export async function findDeadLetter(reader: Reader, id: string): Promise<DeadLetter | null> {
  if (!isId('delivery', id)) return null;
  const [letter = null] = await selectDeadLetters(reader, (select) => select.andWhere('row.id = :id', { id }));
  return letter;
}

interface DeadLetterParts extends DeliveryParts {
  readonly subscription: Pick<RowOf<typeof subscriptions>, 'url'>;
}

async function selectDeadLetters(
  reader: Reader,
  refine: (select: RowSelect<DeliveryRow>) => RowSelect<DeliveryRow>,
): Promise<DeadLetter[]> {
  const ofRow = joinInScope('subscription', 'subscription.id = row.subscription_id');
  const rows = await selectRows<DeliveryRow, DeadLetterParts>(reader, deliveries, (select) =>
    refine(
      joinEventKind(select)
        .innerJoinAndMapOne('row.subscription', subscriptions.name, 'subscription', ofRow)
        .select([...DELIVERY_COLUMNS, 'subscription.url'])
        .andWhere(`row.state = 'DeadLettered' and subscription.deleted_at is null`),
    ),
  );
  return rows.map((row) => ({
    id: parseKnownId('delivery', row.id),
    subscriptionId: parseKnownId(
      'subscription',
      requireValue(row.subscription_id, 'the subscription of a dead letter'),
    ),
    event: row.event.kind,
    url: row.subscription.url,
    attempts: row.attempts,
    lastStatus: row.last_status,
    lastError: row.last_error,
    updatedAt: row.updated_at,
  }));
}
