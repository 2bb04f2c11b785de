import { EVENTS_KEPT_MS } from '@pos/core/webhooks';
import { DAY_MS, HOUR_MS } from '@pos/core/time';
import { defineSeparateChange, defineStatement } from '@pos/postgres/statements';
import type { Tx } from '../database/transaction.js';

/** The only deadline of a scope for deleting old data. */
const RETENTION = { kind: 'retention', subject: 'account' } as const;

const BEGIN = defineSeparateChange(
  'schedule_retention',
  `insert into timers (account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat, account_due_at)
   select $1, world.environment, $2, $3, $4, $5, 0, 0, false, case when world.environment = $7 then $6::timestamptz end
   from (values ('sandbox'), ('production')) as world (environment)
   on conflict (account_id, environment, kind, subject) do nothing returning subject`,
);

/** Gives a new account its deadlines, one in each environment: none of its data can be old enough before. */
export function scheduleRetention(tx: Tx): void {
  const { accountId, environment } = tx.scope;
  const { kind, subject } = RETENTION;
  const dueAt = new Date(tx.databaseNow.getTime() + EVENTS_KEPT_MS);
  const accountDueAt = new Date(tx.now.getTime() + EVENTS_KEPT_MS);
  tx.enqueue(BEGIN, [accountId, kind, subject, dueAt, tx.databaseNow.getTime(), accountDueAt, environment]);
}

const EVENTS_MAX = 200;
const KEYS_MAX = 1_000;

const OLD_EVENTS = defineStatement(
  'list_expired_events',
  `select id, subject_id from events
   where account_id = $1 and environment = $2 and created_at <= $3 order by created_at limit ${EVENTS_MAX}`,
);

const LANES_OF = defineStatement(
  'list_lanes_of_expired_events',
  `select distinct lane_key from deliveries
   where account_id = $1 and environment = $2 and event_id = any ($3::text[])`,
);

const LOCK = defineStatement(
  'lock_lanes_of_expired_events',
  `select key from lanes where account_id = $1 and environment = $2 and key = any ($3::text[])
   order by key for update`,
);

const DELETE_DELIVERIES = defineStatement(
  'delete_expired_deliveries',
  `with gone as (
     delete from deliveries
     where account_id = $1 and environment = $2 and event_id = any ($3::text[]) returning lane_key, state
   ), counted as (select lane_key, count(*) as n from gone where state = 'Pending' group by lane_key)
   update lanes set pending = lanes.pending - counted.n
   from counted
   where lanes.account_id = $1 and lanes.environment = $2 and lanes.key = counted.lane_key
   returning lanes.key`,
);

const DELETE_EVENTS = defineStatement(
  'delete_expired_events',
  `delete from events where account_id = $1 and environment = $2 and id = any ($3::text[]) returning id`,
);

/**
 * A lane is deleted with the last of its events and deliveries, so that its numbers never restart beside old ones.
 */
const DELETE_LANES = defineStatement(
  'delete_empty_lanes',
  `delete from lanes
   where account_id = $1 and environment = $2 and key = any ($3::text[])
     and not exists (select from deliveries d
       where d.account_id = $1 and d.environment = $2 and d.lane_key = lanes.key)
     and not exists (select from events e
       where e.account_id = $1 and e.environment = $2 and e.subject_id = lanes.key)
   returning key`,
);

/**
 * Deletes the oldest events that have expired by the account's clock, with all their deliveries in any state. True
 * if there may be more.
 */
export async function deleteExpiredEvents(tx: Tx): Promise<boolean> {
  const scopeValues = [tx.scope.accountId, tx.scope.environment] as const;
  const until = new Date(tx.now.getTime() - EVENTS_KEPT_MS);
  const expired = await tx.query<{ id: string; subject_id: string }>(OLD_EVENTS, [...scopeValues, until]);
  if (expired.length === 0) return false;
  const ids = expired.map(({ id }) => id);
  const lanes = await tx.query<{ lane_key: string }>(LANES_OF, [...scopeValues, ids]);
  const keys = [...expired.map(({ subject_id: subject }) => subject), ...lanes.map(({ lane_key: key }) => key)];
  await tx.query(LOCK, [...scopeValues, keys]);
  await tx.query(DELETE_DELIVERIES, [...scopeValues, ids]);
  await tx.query(DELETE_EVENTS, [...scopeValues, ids]);
  await tx.query(DELETE_LANES, [...scopeValues, keys]);
  return expired.length === EVENTS_MAX;
}

/** Answers are kept by real time: a caller repeats a request in real time, not in the sandbox's. */
const DELETE_KEYS = defineStatement(
  'delete_expired_idempotency_keys',
  `with old as (
     select method, path, key from idempotency_keys
     where account_id = $1 and environment = $2 and keep_until <= $3 order by keep_until limit ${KEYS_MAX}
     for update skip locked
   )
   delete from idempotency_keys k using old
   where k.account_id = $1 and k.environment = $2 and k.method = old.method and k.path = old.path and k.key = old.key
   returning k.key`,
);

/** Deletes expired idempotency keys. True if there may be more. */
export async function deleteExpiredIdempotencyKeys(tx: Tx): Promise<boolean> {
  const { accountId, environment } = tx.scope;
  return (await tx.query(DELETE_KEYS, [accountId, environment, tx.databaseNow])).length === KEYS_MAX;
}

const MAILS_MAX = 1_000;

const DELETE_MAILS = defineStatement(
  'delete_expired_mails',
  `delete from mails where account_id = $1 and environment = $2 and id in (
     select id from mails where account_id = $1 and environment = $2 and created_at <= $3 and state <> 'Waiting'
     order by created_at limit ${MAILS_MAX})
   returning id`,
);

/** Deletes mails that are as old as the deleted events. True if there may be more. */
export async function deleteExpiredMails(tx: Tx): Promise<boolean> {
  const { accountId, environment } = tx.scope;
  const until = new Date(tx.now.getTime() - EVENTS_KEPT_MS);
  return (await tx.query(DELETE_MAILS, [accountId, environment, until])).length === MAILS_MAX;
}

const ACTIVITIES_MAX = 5_000;

const DELETE_ACTIVITIES = defineStatement(
  'delete_expired_activities',
  `with old as (
     select trace_id, id from activities
     where account_id = $1 and environment = $2 and created_at <= $3 order by created_at, id limit ${ACTIVITIES_MAX}
   )
   delete from activities a using old
   where a.account_id = $1 and a.environment = $2 and a.trace_id = old.trace_id and a.id = old.id
   returning a.id`,
);

/** Deletes the activities that are older than that by the account's clock. True if there may be more. */
export async function deleteExpiredActivities(tx: Tx, keptMs: number): Promise<boolean> {
  const { accountId, environment } = tx.scope;
  const until = new Date(tx.now.getTime() - keptMs);
  return (await tx.query(DELETE_ACTIVITIES, [accountId, environment, until])).length === ACTIVITIES_MAX;
}

const SECRETS_MAX = 1_000;

const DELETE_CUSTOMER_SECRETS = defineStatement(
  'delete_expired_customer_secrets',
  // A list of ids: a plan for any values would join with all secrets.
  `delete from customer_secrets
   where account_id = $1 and environment = $2 and id = any (array(
     select id from customer_secrets
     where account_id = $1 and environment = $2 and expire_at <= $3 order by expire_at limit ${SECRETS_MAX}
     for update skip locked))
   returning id`,
);

/** Deletes the secrets of customers that have expired by the account's clock. True if there may be more. */
export async function deleteExpiredCustomerSecrets(tx: Tx): Promise<boolean> {
  const { accountId, environment } = tx.scope;
  return (await tx.query(DELETE_CUSTOMER_SECRETS, [accountId, environment, tx.now])).length === SECRETS_MAX;
}

const SUBSCRIPTIONS_MAX = 200;

/**
 * The row of a deleted subscription is kept for its past deliveries, which end with their events. A replay that has
 * not ended refers to it, and a delivery that was created later waits for its own event.
 */
const DELETE_SUBSCRIPTIONS = defineStatement(
  'delete_expired_subscriptions',
  `delete from webhook_subscriptions
   where account_id = $1 and environment = $2 and id = any (array(
     select id from webhook_subscriptions s
     where account_id = $1 and environment = $2 and deleted_at <= $3
       and not exists (select from deliveries d
         where d.account_id = $1 and d.environment = $2 and d.subscription_id = s.id)
       and not exists (select from webhook_replays r
         where r.account_id = $1 and r.environment = $2 and r.subscription_id = s.id)
     order by deleted_at limit ${SUBSCRIPTIONS_MAX} for update skip locked))
   returning id`,
);

/** Deletes the subscriptions that were deleted as long ago as events are kept. True if there may be more. */
export async function deleteExpiredSubscriptions(tx: Tx): Promise<boolean> {
  const { accountId, environment } = tx.scope;
  const until = new Date(tx.now.getTime() - EVENTS_KEPT_MS);
  return (await tx.query(DELETE_SUBSCRIPTIONS, [accountId, environment, until])).length === SUBSCRIPTIONS_MAX;
}

const OLDEST = defineStatement(
  'find_next_retention_in_ms',
  `select least((select min(created_at) from events where account_id = $1 and environment = $2),
       (select min(created_at) from mails where account_id = $1 and environment = $2),
       (select min(deleted_at) from webhook_subscriptions where account_id = $1 and environment = $2)) as event_at,
     (select min(expire_at) from customer_secrets where account_id = $1 and environment = $2) as secret_until,
     (select min(created_at) from activities where account_id = $1 and environment = $2) as activity_at,
     least((select min(keep_until) from epos_bookings where account_id = $1 and environment = $2),
       (select min(check_at) from deposit_claims where account_id = $1 and environment = $2)) as booking_until,
     (select min(keep_until) from idempotency_keys where account_id = $1 and environment = $2) as key_until`,
);

/** A busy account has expired data at any moment: it is deleted a few times a day. */
const EVENTS_INTERVAL_MS = 6 * HOUR_MS;
const KEYS_INTERVAL_MS = DAY_MS;

/** The time until data may have to be deleted. */
export async function findNextRetentionInMs(tx: Tx, activitiesKeptMs: number): Promise<number> {
  const { scope, now, databaseNow } = tx;
  type Row = Readonly<Record<'event_at' | 'activity_at' | 'key_until' | 'secret_until' | 'booking_until', Date | null>>;
  const [row] = await tx.query<Row>(OLDEST, [scope.accountId, scope.environment]);
  const eventsInMs = computeRemainingMs(row?.event_at ?? null, EVENTS_KEPT_MS - now.getTime());
  const activitiesInMs = computeRemainingMs(row?.activity_at ?? null, activitiesKeptMs - now.getTime());
  const keysInMs = computeRemainingMs(row?.key_until ?? null, -databaseNow.getTime());
  const secretsInMs = computeRemainingMs(row?.secret_until ?? null, -now.getTime());
  const bookingsInMs = computeRemainingMs(row?.booking_until ?? null, -now.getTime());
  return Math.min(
    Math.max(Math.min(eventsInMs, activitiesInMs, secretsInMs, bookingsInMs), EVENTS_INTERVAL_MS),
    Math.max(keysInMs, KEYS_INTERVAL_MS),
    // An account without data has no older data at the next check.
    Math.max(Math.min(EVENTS_KEPT_MS, activitiesKeptMs), EVENTS_INTERVAL_MS),
  );
}

function computeRemainingMs(at: Date | null, more: number): number {
  return at === null ? Infinity : at.getTime() + more;
}
