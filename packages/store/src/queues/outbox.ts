import { findCapability } from '@pos/core/tables';
import { encodeEvent, type Envelope, EPOS_LANES, formatLaneKey as laneOf, getEventSubjectId } from '@pos/core/webhooks';
import { defineSeparateChange } from '@pos/postgres/statements';
import { readTraceparent } from '@pos/postgres/telemetry';
import type { Tx } from '../database/transaction.js';

/**
 * Inserts the events of one lane in their order, and a delivery for each whose kind has a subscription. The lane
 * comes first: its row lock orders the transactions that write to it. So the numbers that it gives are the commit
 * order, also of events without a subscription. Whether a subscription is paused is read without locks; the lane's
 * next claim takes in what is held by mistake.
 */
const EMIT = defineSeparateChange(
  'emit_to_lane',
  `with given as (
     select e.place, e.id, e.kind, e.body, e.created_at, e.delivery_id, s.id as subscription_id, s.paused
     from unnest($4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[])
       with ordinality as e (id, kind, body, created_at, delivery_id, place)
     left join webhook_subscription_kinds k on k.account_id = $1 and k.environment = $2 and k.kind = e.kind
     left join webhook_subscriptions s on s.account_id = $1 and s.environment = $2 and s.id = k.subscription_id
   ), lane as (
     insert into lanes (account_id, environment, key, last_number, pending, due_at, fence, failures, is_replay)
     select $1, $2, $3, count(*), count(subscription_id) filter (where not paused), $10, $11, 0, false from given
     on conflict (account_id, environment, key) do update
       set last_number = lanes.last_number + excluded.last_number,
           pending = lanes.pending + excluded.pending,
           due_at = case when lanes.pending = 0 then excluded.due_at else lanes.due_at end
     returning last_number
   ), numbered as (
     select given.*, lane.last_number - count(*) over () + given.place as number from given cross join lane
   ), event as (
     insert into events (account_id, environment, id, kind, subject_id, subscription_id, body, number, created_at,
       recorded_at, traceparent)
     select $1, $2, id, kind, $9, subscription_id, convert_to(body, 'UTF8'), number, created_at, $10, $13 from numbered
   )
   insert into deliveries (account_id, environment, lane_key, number, id, event_id, subscription_id, state, attempts,
     created_at, updated_at)
   select $1, $2, $3, number, delivery_id, id, subscription_id, case when paused then 'Held' else 'Pending' end, 0,
     $12, $12
   from numbered where subscription_id is not null
   order by number
   returning id`,
);

/**
 * Inserts deliveries to the account's EPOS of the kinds that it has registered, in the order given. One statement
 * for all events of a transaction, so that the lanes are always locked in the same order. The registration of the
 * kind selects the lane.
 */
const EMIT_TO_EPOS = defineSeparateChange(
  'emit_to_epos',
  `with published as (
     select e.id, e.place, e.delivery_id,
       case when bool_or(i.kind = 'rest') then '${EPOS_LANES.called}' else '${EPOS_LANES.connected}' end as key
     from unnest($3::text[], $4::text[], $5::text[]) with ordinality as e (id, kind, delivery_id, place)
     join epos_integrations i on i.account_id = $1 and i.environment = $2 and i.kind in ('rest', 'ws')
       and i.capabilities @> jsonb_build_array(jsonb_build_object('name', 'HandleEvent:' || e.kind))
     group by e.id, e.place, e.delivery_id
   ), counted as (
     select key, count(*) as n from published group by key
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
   select $1, $2, published.key,
     lane.last_number - counted.n + row_number() over (partition by published.key order by published.place),
     published.delivery_id, published.id, 'Pending', 0, $8, $8
   from published join lane on lane.key = published.key join counted on counted.key = published.key
   returning id`,
);

/**
 * Stores an event with the change that it is about, and its delivery to the subscriber, if there is one. Callers
 * that emit to several lanes in one transaction do so in the order of their keys, or with `emitAll`.
 */
export function emit(tx: Tx, envelope: Envelope, { laneKey = laneOf(envelope) } = {}): Promise<void> {
  return emitToLane(tx, laneKey, [envelope]);
}

/**
 * Emits several events, to webhooks and to the EPOS, each lane's in the given order and the lanes in an order that
 * cannot deadlock.
 */
export async function emitAll(tx: Tx, envelopes: readonly Envelope[]): Promise<void> {
  await emitToEpos(tx, envelopes);
  const laneKeys = [...new Set(envelopes.map(laneOf))].sort();
  for (const laneKey of laneKeys) {
    const laneEnvelopes = envelopes.filter((envelope) => laneOf(envelope) === laneKey);
    await emitToLane(tx, laneKey, laneEnvelopes);
  }
}

async function emitToLane(tx: Tx, laneKey: string, envelopes: readonly Envelope[]): Promise<void> {
  const [first] = envelopes;
  if (first === undefined) return;
  const deliveryIds: string[] = [];
  while (deliveryIds.length < envelopes.length) deliveryIds.push(await tx.newId('delivery'));
  const values = [
    tx.scope.accountId,
    tx.scope.environment,
    laneKey,
    envelopes.map(({ id }) => id),
    envelopes.map(({ event }) => event),
    envelopes.map(encodeEvent),
    envelopes.map(({ createdAt }) => createdAt),
    deliveryIds,
    // A lane belongs to one subject, so its events share it.
    getEventSubjectId(first),
    tx.databaseNow,
    // A fence that starts at the current time never repeats one of a deleted row.
    tx.databaseNow.getTime(),
    tx.now,
    readTraceparent(),
  ];
  tx.enqueue(EMIT, values, (rows) => {
    if (rows.length > 0) tx.hint('lanes');
  });
}

/**
 * The lanes of EPOSes are locked before those of webhooks: `epos/` sorts first. Replayed events follow those that
 * wait.
 */
export async function emitToEpos(tx: Tx, envelopes: readonly Pick<Envelope, 'id' | 'event'>[]): Promise<void> {
  const eposEnvelopes = envelopes.filter(({ event }) => isForEpos(event));
  if (eposEnvelopes.length === 0) return;
  const deliveryIds: string[] = [];
  while (deliveryIds.length < eposEnvelopes.length) deliveryIds.push(await tx.newId('delivery'));
  const values = [
    tx.scope.accountId,
    tx.scope.environment,
    eposEnvelopes.map(({ id }) => id),
    eposEnvelopes.map(({ event }) => event),
    deliveryIds,
    tx.databaseNow,
    tx.databaseNow.getTime(),
    tx.now,
  ];
  tx.enqueue(EMIT_TO_EPOS, values, (rows) => {
    if (rows.length > 0) tx.hint('lanes');
  });
}

function isForEpos(event: string): boolean {
  return findCapability(`HandleEvent:${event}`) !== null;
}
