import { formatReplayLaneKey, type ReplayState } from '@pos/core/webhooks';
import type { SubscriptionId } from '@pos/core/identity';
import { replays } from '../relations/queue-relations.js';
import { defineChange, defineStatement, sql } from '@pos/postgres/statements';
import { findRow, insertRow, updateRows } from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

/** A range of events that a subscription receives again; `to` is exclusive. */
export interface ReplayRange {
  readonly from: Date | null;
  readonly to: Date;
  readonly states: readonly ReplayState[];
}

/**
 * An event is in the range if the subscription has its kind now and its latest delivery, to any receiver, is in one
 * of the states. A delivery that is pending, or held, is not sent twice.
 */
const IN_RANGE = `e.account_id = $1 and e.environment = $2
   and e.kind in (select k.kind from webhook_subscription_kinds k
     where k.account_id = $1 and k.environment = $2 and k.subscription_id = $3)
   and ($4::timestamptz is null or e.created_at >= $4) and e.created_at < $5
   and coalesce((select d.state from deliveries d
     where d.account_id = $1 and d.environment = $2 and d.event_id = e.id and d.subscription_id is not null
     order by d.created_at desc, d.id desc limit 1), 'NotSubscribed') = any ($6::text[])`;

const COUNT = defineStatement('count_replay_events', `select count(*) as n from events e where ${IN_RANGE}`);

const SUBJECTS = defineStatement(
  'list_replay_subjects',
  `select distinct e.subject_id from events e where ${IN_RANGE} and e.subject_id > $7 order by e.subject_id limit $8`,
);

/** In the order of each subject. */
const EVENTS = defineStatement(
  'insert_replay_events',
  `select e.id, e.subject_id from events e where ${IN_RANGE} and e.subject_id = any ($7::text[])
   order by e.subject_id, e.number, e.id`,
);

const LANES = defineChange(
  'insert_replay_lanes',
  sql.insertInto('lanes')`(account_id, environment, key, last_number, pending, due_at, fence, failures, is_replay)
   select ${1}, ${2}, lane.key, lane.n, lane.n, ${5}, ${6}, 0, true from unnest(${3}::text[], ${4}::bigint[]) as lane (key, n)
   returning key`,
);

const DELIVERIES = defineChange(
  'insert_replay_deliveries',
  sql.insertInto('deliveries')`
   (account_id, environment, lane_key, number, id, event_id, subscription_id, state, attempts,
     created_at, updated_at)
   select ${1}, ${2}, made.lane_key, made.number, made.id, made.event_id, ${7}, 'Pending', 0, ${8}, ${8}
   from unnest(${3}::text[], ${4}::bigint[], ${5}::text[], ${6}::text[]) as made (lane_key, number, id, event_id)
   returning id`,
);

/** The number of events in the range now. */
export async function countReplayEvents(reader: Reader, id: SubscriptionId, range: ReplayRange): Promise<number> {
  const [row] = await reader.query<{ n: number }>(COUNT, toRangeValues(reader, id, range));
  return row?.n ?? 0;
}

/** Stores what is to be queued; `enqueueReplay` does it. Returns the id of the replay. */
export async function insertReplay(tx: Tx, id: SubscriptionId, range: ReplayRange): Promise<string> {
  const replayId = await tx.newUuid();
  insertRow(tx, replays, {
    id: replayId,
    subscription_id: id,
    from_at: range.from,
    to_at: range.to,
    states: [...range.states],
    after_subject: '',
    created_at: tx.now,
  });
  return replayId;
}

const SUBJECTS_MAX = 100;
const DELETE_REPLAY = defineStatement(
  'delete_replay',
  `delete from webhook_replays where account_id = $1 and environment = $2 and id = $3 returning id`,
);

/**
 * Queues the events of the next subjects, each subject's in their order in its own lane, and stores the progress.
 * True if there may be more. A replay that has reached its end is deleted.
 */
export async function enqueueReplay(tx: Tx, replayId: string): Promise<boolean> {
  const row = await findRow(tx, replays, { where: { id: replayId }, isLocking: true });
  if (row === null) return false;
  const range = { from: row.from_at, to: row.to_at, states: row.states };
  const values = toRangeValues(tx, row.subscription_id, range);
  type Subject = { readonly subject_id: string };
  const subjects = (await tx.query<Subject>(SUBJECTS, [...values, row.after_subject, SUBJECTS_MAX])).map(
    ({ subject_id: subject }) => subject,
  );
  const events = await tx.query<Subject & { readonly id: string }>(EVENTS, [...values, subjects]);
  await insertDeliveries(tx, row, events);
  const last = subjects.at(-1);
  if (last === undefined || subjects.length < SUBJECTS_MAX) {
    await tx.query(DELETE_REPLAY, [tx.scope.accountId, tx.scope.environment, replayId]);
    return false;
  }
  await updateRows(tx, replays, { where: { id: replayId }, set: { after_subject: last } });
  return true;
}

async function insertDeliveries(
  tx: Tx,
  { id: replayId, subscription_id: subscriptionId }: { readonly id: string; readonly subscription_id: string },
  events: readonly { readonly id: string; readonly subject_id: string }[],
): Promise<void> {
  if (events.length === 0) return;
  const { accountId, environment } = tx.scope;
  const counts = new Map<string, number>();
  const newDeliveries = [];
  for (const { id: eventId, subject_id: subjectId } of events) {
    const key = formatReplayLaneKey({ replayId, subjectId });
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    newDeliveries.push({ key, number, id: await tx.newId('delivery'), eventId });
  }
  const due = [tx.databaseNow, tx.databaseNow.getTime()] as const;
  tx.enqueue(LANES, [accountId, environment, [...counts.keys()], [...counts.values()], ...due]);
  tx.enqueue(DELIVERIES, [
    ...[accountId, environment],
    newDeliveries.map(({ key }) => key),
    newDeliveries.map(({ number }) => number),
    newDeliveries.map(({ id }) => id),
    newDeliveries.map(({ eventId }) => eventId),
    ...[subscriptionId, tx.now],
  ]);
  tx.hint('lanes');
}

const NEXT_LANE = defineChange(
  'find_next_replay_lane',
  sql.insertInto('lanes')`(account_id, environment, key, last_number, pending, due_at, fence, failures, is_replay)
   values (${1}, ${2}, ${3}, 1, 1, ${4}, ${5}, 0, true)
   on conflict (account_id, environment, key) do update
     set pending = lanes.pending + 1, due_at = excluded.due_at, failures = 0, is_replay = true
   returning key`,
);

const REQUEUE = defineStatement(
  'requeue_dead_letter',
  `update deliveries set lane_key = id, number = 1, state = 'Pending', attempts = 0, next_attempt_at = null,
     updated_at = $5
   where account_id = $1 and environment = $2 and id = $3 and subscription_id = $4 and state = 'DeadLettered'
   returning id`,
);

/**
 * Starts a new round for a dead letter in its own lane. False if it is none: the caller must not continue the
 * transaction.
 */
export async function replayDeadLetter(
  tx: Tx,
  { id, subscriptionId }: { readonly id: string; readonly subscriptionId: string },
): Promise<boolean> {
  const { scope, databaseNow } = tx;
  const deliveryValues = [scope.accountId, scope.environment, id] as const;
  // The lane is locked first, as everywhere.
  tx.enqueue(NEXT_LANE, [...deliveryValues, databaseNow, databaseNow.getTime()]);
  const requeued = await tx.query(REQUEUE, [...deliveryValues, subscriptionId, tx.now]);
  tx.hint('lanes');
  return requeued.length === 1;
}

function toRangeValues({ scope }: Reader, id: string, { from, to, states }: ReplayRange): readonly unknown[] {
  return [scope.accountId, scope.environment, id, from, to, [...states]];
}
