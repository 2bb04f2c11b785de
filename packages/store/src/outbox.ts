import { capabilityNamed } from '@pos/core/epos-capability';
import { type Envelope, eventBody, eventSubjectId } from '@pos/core/event';
import { EPOS_LANES, laneKey as laneOf } from '@pos/core/webhook';
import { statement } from './statement.js';
import type { Tx } from './transaction.js';

/**
 * The event, and its delivery if somebody subscribes to the kind. The lane comes first: its row lock orders the
 * transactions that write to it, so the number it gives is the order in which they commit, of events nobody wants too.
 * Whether the subscription is paused is read unlocked; what is held by mistake is taken in by the lane's next claim.
 */
const EMIT = statement(
  'emit',
  `with target as (
     select s.id, s.paused
     from webhook_subscription_kinds k
     join webhook_subscriptions s on s.account_id = $1 and s.environment = $2 and s.id = k.subscription_id
     where k.account_id = $1 and k.environment = $2 and k.kind = $4
   ), lane as (
     insert into lanes (account_id, environment, key, last_number, pending, due_at, fence, failures, is_replay)
     select $1, $2, $9, 1, count(*) filter (where not paused), $8, $10, 0, false from target
     on conflict (account_id, environment, key) do update
       set last_number = lanes.last_number + 1,
           pending = lanes.pending + excluded.pending,
           due_at = case when lanes.pending = 0 then excluded.due_at else lanes.due_at end
     returning last_number
   ), event as (
     insert into events (account_id, environment, id, kind, subject_id, subscription_id, body, number, created_at,
       recorded_at)
     select $1, $2, $3, $4, $5, (select id from target), $6, lane.last_number, $7, $8 from lane
   )
   insert into deliveries (account_id, environment, lane_key, number, id, event_id, subscription_id, state, attempts,
     created_at, updated_at)
   select $1, $2, $9, lane.last_number, $11, $3, target.id, case when target.paused then 'Held' else 'Pending' end, 0,
     $12, $12
   from lane cross join target
   returning id`,
);

/**
 * Deliveries to the account's EPOS of the kinds that it has registered, in the order given. One statement for all events
 * of a transaction, so that the lanes are always locked in the same order. Which lane: how the kind is registered now.
 */
const EMIT_TO_EPOS = statement(
  'emit_to_epos',
  `with told as (
     select e.id, e.place, e.delivery_id,
       case when bool_or(i.kind = 'rest') then '${EPOS_LANES.called}' else '${EPOS_LANES.connected}' end as key
     from unnest($3::text[], $4::text[], $5::text[]) with ordinality as e (id, kind, delivery_id, place)
     join epos_integrations i on i.account_id = $1 and i.environment = $2 and i.kind in ('rest', 'ws')
       and i.capabilities @> jsonb_build_array(jsonb_build_object('name', 'HandleEvent:' || e.kind))
     group by e.id, e.place, e.delivery_id
   ), counted as (
     select key, count(*) as n from told group by key
   ), lane as (
     insert into lanes (account_id, environment, key, last_number, pending, due_at, fence, failures, is_replay, is_epos)
     select $1, $2, key, n, n, $6, $7, 0, false, true from counted order by key
     on conflict (account_id, environment, key) do update
       set last_number = lanes.last_number + excluded.last_number,
           pending = lanes.pending + excluded.pending,
           due_at = case when lanes.pending = 0 then excluded.due_at else lanes.due_at end
     returning key, last_number
   )
   insert into deliveries (account_id, environment, lane_key, number, id, event_id, state, attempts, created_at, updated_at)
   select $1, $2, told.key,
     lane.last_number - counted.n + row_number() over (partition by told.key order by told.place),
     told.delivery_id, told.id, 'Pending', 0, $8, $8
   from told join lane on lane.key = told.key join counted on counted.key = told.key
   returning id`,
);

/**
 * Stores an event with the change it tells of, and its way to the subscriber, if there is one. Whoever emits to several
 * lanes in one transaction does so in the order of their keys, or with `emitAll`.
 */
export async function emit(tx: Tx, envelope: Envelope, { laneKey = laneOf(envelope) } = {}): Promise<void> {
  const { accountId, environment } = tx.scope;
  const deliveryId = await tx.newId('delivery');
  const values = [
    accountId,
    environment,
    envelope.id,
    envelope.event,
    eventSubjectId(envelope),
    Buffer.from(eventBody(envelope), 'utf8'),
    envelope.createdAt,
    tx.databaseNow,
    laneKey,
    // A fence that starts at the time never repeats one of a row that was deleted.
    tx.databaseNow.getTime(),
    deliveryId,
    tx.now,
  ];
  tx.later(EMIT, values, (rows) => {
    if (rows.length > 0) tx.hint('lanes');
  });
}

/** Emits several events, to webhooks and to the EPOS, each lane's in the given order and the lanes in the order that cannot deadlock. */
export async function emitAll(tx: Tx, envelopes: readonly Envelope[]): Promise<void> {
  await emitToEpos(tx, envelopes);
  const ordered = envelopes
    .map((envelope) => ({ envelope, laneKey: laneOf(envelope) }))
    .sort((first, second) => (first.laneKey < second.laneKey ? -1 : first.laneKey > second.laneKey ? 1 : 0));
  for (const { envelope, laneKey } of ordered) await emit(tx, envelope, { laneKey });
}

/** Its lanes come before those of webhooks: `epos/` is the first of all names. Events that are no news go behind what waits. */
export async function emitToEpos(tx: Tx, envelopes: readonly Pick<Envelope, 'id' | 'event'>[]): Promise<void> {
  const told = envelopes.filter(({ event }) => isForEpos(event));
  if (told.length === 0) return;
  const deliveryIds: string[] = [];
  while (deliveryIds.length < told.length) deliveryIds.push(await tx.newId('delivery'));
  const values = [
    tx.scope.accountId,
    tx.scope.environment,
    told.map(({ id }) => id),
    told.map(({ event }) => event),
    deliveryIds,
    tx.databaseNow,
    tx.databaseNow.getTime(),
    tx.now,
  ];
  tx.later(EMIT_TO_EPOS, values, (rows) => {
    if (rows.length > 0) tx.hint('lanes');
  });
}

function isForEpos(event: string): boolean {
  return capabilityNamed(`HandleEvent:${event}`) !== null;
}
