import { parseKnownId } from '@pos/core/identity';
import { defineStatement } from '@pos/postgres/statements';
import type { Tx } from '../database/transaction.js';

/** The state of a subscription's deliveries: they are sent, wait outside their lanes, or end. */
export type SubscriptionState = 'open' | 'paused' | 'deleted';

/** Reads one delivery of each lane and subscription: a lane may hold any number for a paused one. */
const HELD = defineStatement(
  'find_subscriptions_with_held_deliveries',
  `with recursive held as (
     select lane.key, first.subscription_id
     from unnest($3::text[]) as lane(key)
     cross join lateral (
       select subscription_id from deliveries
       where account_id = $1 and environment = $2 and lane_key = lane.key and state = 'Held'
       order by subscription_id limit 1
     ) first
     union all
     select held.key, following.subscription_id
     from held
     cross join lateral (
       select subscription_id from deliveries
       where account_id = $1 and environment = $2 and lane_key = held.key and state = 'Held'
         and subscription_id > held.subscription_id
       order by subscription_id limit 1
     ) following
   )
   select distinct subscription_id from held`,
);

/** Removes deliveries from their lanes: the locked lanes do not count them any more. */
const LEAVE = defineStatement(
  'leave_subscription',
  `with gone as (
     update deliveries set state = $4, next_attempt_at = null, updated_at = $5, last_error = coalesce($7, last_error)
     where account_id = $1 and environment = $2 and lane_key = any ($3::text[]) and subscription_id = $6
       and state = 'Pending'
     returning lane_key
   ), counted as (select lane_key, count(*) as n from gone group by lane_key)
   update lanes set pending = lanes.pending - counted.n
   from counted
   where lanes.account_id = $1 and lanes.environment = $2 and lanes.key = counted.lane_key
   returning lanes.key`,
);

/** Returns deliveries to their lanes at the position they had: the number in the lane gives the order. */
const TAKE_IN = defineStatement(
  'take_held_deliveries_in',
  `with back as (
     update deliveries set state = 'Pending', updated_at = $4
     where account_id = $1 and environment = $2 and lane_key = any ($3::text[]) and subscription_id = $5
       and state = 'Held'
     returning lane_key
   ), counted as (select lane_key, count(*) as n from back group by lane_key)
   update lanes set pending = lanes.pending + counted.n,
     due_at = case when lanes.pending = 0 then $6 else lanes.due_at end
   from counted
   where lanes.account_id = $1 and lanes.environment = $2 and lanes.key = counted.lane_key
   returning lanes.key`,
);

const END = defineStatement(
  'end_held_deliveries',
  `update deliveries set state = 'DeadLettered', updated_at = $4, last_error = $6
   where account_id = $1 and environment = $2 and lane_key = any ($3::text[]) and subscription_id = $5
     and state = 'Held'
   returning id`,
);

const DELETED_REASON = 'the subscription was deleted';

/** The subscriptions for which deliveries of these lanes are held. */
export async function findSubscriptionsWithHeldDeliveries(tx: Tx, keys: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ subscription_id: string }>(HELD, [tx.scope.accountId, tx.scope.environment, keys]);
  return rows.map(({ subscription_id: id }) => id);
}

/** Applies the state of a subscription to its waiting deliveries in these lanes. The caller has locked the lanes. */
export async function applySubscriptionState(
  tx: Tx,
  keys: readonly string[],
  { id, state }: { readonly id: string; readonly state: SubscriptionState },
): Promise<void> {
  const laneValues = [tx.scope.accountId, tx.scope.environment, keys] as const;
  switch (state) {
    case 'open':
      await tx.query(TAKE_IN, [...laneValues, tx.now, id, tx.databaseNow]);
      return;
    case 'paused':
      await tx.query(LEAVE, [...laneValues, 'Held', tx.now, id, null]);
      return;
    case 'deleted':
      await tx.query(LEAVE, [...laneValues, 'DeadLettered', tx.now, id, DELETED_REASON]);
      await tx.query(END, [...laneValues, tx.now, id, DELETED_REASON]);
      return;
  }
}

const SUBSCRIPTION = defineStatement(
  'read_subscription_state',
  `select paused, deleted_at is not null as is_deleted from webhook_subscriptions
   where account_id = $1 and environment = $2 and id = $3 for share`,
);

const LANES = defineStatement(
  'list_lanes_with_held_deliveries',
  `select distinct lane_key from deliveries
   where account_id = $1 and environment = $2 and subscription_id = $3 and lane_key > $4 and state = any ($5::text[])
     and state in ('Pending', 'Held')
   order by lane_key limit $6`,
);

/**
 * Lanes that a worker has claimed stay as they are: what it is sending must not count as held. Their next claim
 * applies the state.
 */
const LOCK = defineStatement(
  'lock_lanes_with_held_deliveries',
  `select key, leased_until > $4 as is_leased from lanes
   where account_id = $1 and environment = $2 and key = any ($3::text[]) order by key for no key update`,
);

const LANES_MAX = 200;
const MISPLACED_STATES = { open: ['Held'], paused: ['Pending'], deleted: ['Pending', 'Held'] } as const;

/**
 * Applies the state of a subscription to its waiting deliveries, some lanes at a time, in the order of their keys.
 * Returns the key after which the next call continues, or null when there are no more.
 */
export async function applyStateToSubscriptionLanes(
  tx: Tx,
  subscriptionId: string,
  afterKey: string,
): Promise<string | null> {
  const { accountId, environment } = tx.scope;
  const id = parseKnownId('subscription', subscriptionId);
  type Row = { readonly paused: boolean; readonly is_deleted: boolean };
  const [row] = await tx.query<Row>(SUBSCRIPTION, [accountId, environment, id]);
  if (row === undefined) return null;
  const state = row.is_deleted ? 'deleted' : row.paused ? 'paused' : 'open';
  const misplaced = MISPLACED_STATES[state];
  const found = await tx.query<{ lane_key: string }>(LANES, [
    accountId,
    environment,
    id,
    afterKey,
    misplaced,
    LANES_MAX,
  ]);
  const keys = found.map(({ lane_key: key }) => key);
  type Lane = { readonly key: string; readonly is_leased: boolean | null };
  const lanes = await tx.query<Lane>(LOCK, [accountId, environment, keys, tx.databaseNow]);
  const free = lanes.filter(({ is_leased: isLeased }) => state === 'open' || isLeased !== true);
  if (free.length > 0)
    await applySubscriptionState(
      tx,
      free.map(({ key }) => key),
      { id, state },
    );
  tx.hint('lanes');
  return keys.length < LANES_MAX ? null : (keys.at(-1) ?? null);
}
