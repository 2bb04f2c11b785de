import type { EventKind } from '@pos/core/events';
import {
  type DeliveryId,
  type Environment,
  isId,
  parseKnownId,
  type Scope,
  type SubscriptionId,
} from '@pos/core/identity';
import { requireValue } from '@pos/core/refusals';
import { deliveries, type DeliveryRow, subscriptions } from '../relations/queue-relations.js';
import type { RowOf } from '../relations/relation.js';
import { joinInScope, type RowSelect, selectRows } from '../relations/scoped-query.js';
import type { SystemReader } from '../database/database.js';
import type { Reader } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';
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

/** How many dead letters an account has in an environment. */
export interface DeadLetterCount {
  readonly scope: Scope;
  readonly count: number;
}

const COUNTS = defineStatement(
  'count_dead_letters',
  `select d.account_id, d.environment, count(*)::integer as count from deliveries d
   join ${subscriptions.name} s on s.account_id = d.account_id and s.environment = d.environment and s.id = d.subscription_id
   where d.state = 'DeadLettered' and s.deleted_at is null
   group by 1, 2 order by 3 desc, 1, 2 limit $1`,
);

/** The accounts and environments that have dead letters, those with the most first. */
export async function countDeadLetters(reader: SystemReader, limit: number): Promise<DeadLetterCount[]> {
  const rows = await reader.query<{
    readonly account_id: string;
    readonly environment: Environment;
    readonly count: number;
  }>(COUNTS, [limit]);
  return rows.map(({ account_id: id, environment, count }) => ({
    scope: { accountId: parseKnownId('account', id), environment },
    count,
  }));
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
