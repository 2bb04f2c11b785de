import type { EventKind } from '@pos/core/events';
import { type EventId, parseKnownId } from '@pos/core/identity';
import { EPOS_LANES } from '@pos/core/webhooks';
import { emitToEpos } from './outbox.js';
import { defineStatement } from '@pos/postgres/statements';
import type { Tx } from '../database/transaction.js';

/** Events by the time they happened; `to` is exclusive. */
export interface EventPeriod {
  readonly from: Date | null;
  readonly to: Date;
}

/** A replay locks the lanes of the EPOS, so that two of them do not each send the same events again. */
const LOCK_LANES = defineStatement(
  'lock_epos_lanes_for_replay',
  `select key from lanes where account_id = $1 and environment = $2 and key = any ($3::text[]) order by key for update`,
);

/** An event whose last delivery to the EPOS is a dead letter, of a kind that is registered now, in the order of events. */
const MISSED = defineStatement(
  'list_events_missed_by_epos',
  `select e.id, e.kind from deliveries d
   join events e on e.account_id = $1 and e.environment = $2 and e.id = d.event_id
   where d.account_id = $1 and d.environment = $2 and d.subscription_id is null and d.state = 'DeadLettered'
     and ($3::timestamptz is null or e.created_at >= $3) and e.created_at < $4
     and not exists (select from deliveries n where n.account_id = $1 and n.environment = $2 and n.event_id = e.id
       and n.subscription_id is null and (n.created_at, n.id) > (d.created_at, d.id))
     and exists (select from epos_integrations i where i.account_id = $1 and i.environment = $2
       and i.kind in ('rest', 'ws')
       and i.capabilities @> jsonb_build_array(jsonb_build_object('name', 'HandleEvent:' || e.kind)))
   order by e.recorded_at, e.number nulls first, e.id limit $5`,
);

/**
 * Queues the events again that the account's EPOS has missed, with all their attempts, behind its waiting events.
 * Returns their number, at most `limit`, beginning with the oldest.
 */
export async function replayEventsToEpos(tx: Tx, { from, to }: EventPeriod, limit: number): Promise<number> {
  const scopeValues = [tx.scope.accountId, tx.scope.environment] as const;
  await tx.query(LOCK_LANES, [...scopeValues, Object.values(EPOS_LANES)]);
  const missed = await tx.query<{ readonly id: string; readonly kind: EventKind }>(MISSED, [
    ...scopeValues,
    from,
    to,
    limit,
  ]);
  await emitToEpos(
    tx,
    missed.map(({ id, kind }): { id: EventId; event: EventKind } => ({ id: parseKnownId('event', id), event: kind })),
  );
  return missed.length;
}
