import { assert } from '@pos/core/refusals';
import { isEposLane, isLetGo } from '@pos/core/webhooks';
import type { AttemptRecord, ClaimedLane, PendingDelivery } from './claimed-lane.js';
import { defineChange, defineStatement, sql } from '@pos/postgres/statements';
import type { Tx } from '../database/transaction.js';

/**
 * One statement. The lane's row is locked before its deliveries are changed. The remaining count is taken from the
 * lane's own counter: a subquery over the deliveries would not see one that is being added right now.
 */
const COMPLETE = defineStatement(
  'complete_lanes',
  `with lane as (
     select key from lanes where account_id = $1 and environment = $2 and key = $3 and fence = $4 for no key update
   ), attempt as (
     select * from unnest($5::bigint[], $6::text[], $7::integer[], $8::text[], $9::timestamptz[])
       as attempt(number, state, last_status, last_error, next_attempt_at)
   ), done as (
     update deliveries d
     set state = attempt.state, attempts = d.attempts + 1, last_status = attempt.last_status,
       last_error = attempt.last_error, next_attempt_at = attempt.next_attempt_at, updated_at = $10
     from attempt cross join lane
     where d.account_id = $1 and d.environment = $2 and d.lane_key = $3 and d.number = attempt.number
       and d.state = 'Pending'
     returning d.state
   )
   update lanes
   set pending = lanes.pending - (select count(*) from done where state <> 'Pending') - $11::bigint,
     due_at = $12, leased_until = null, failures = $13
   where account_id = $1 and environment = $2 and key = $3 and fence = $4
   returning key`,
);

const LOCK = defineStatement(
  'lock_lanes',
  `select key from lanes where account_id = $1 and environment = $2 and key = $3 and fence = $4 for no key update`,
);

const DETACH = defineStatement(
  'detach_delivery',
  `with moved as (
     update deliveries set lane_key = $5, number = 1, attempts = attempts + 1, last_status = $6, last_error = $7,
       next_attempt_at = $8, updated_at = $9
     where account_id = $1 and environment = $2 and lane_key = $3 and number = $4 and state = 'Pending'
     returning lane_key
   )
   insert into lanes (account_id, environment, key, last_number, pending, due_at, fence, failures, is_replay, is_epos)
   select $1, $2, $5, 1, 1, $10, $11, 1, $12, $13 from moved
   returning key`,
);

const RECORD_USE = defineChange(
  'record_secret_use',
  sql.update('webhook_secrets')`set last_used_at = ${5}
   where account_id = ${1} and environment = ${2} and subscription_id = ${3} and id = ${4}
     and (last_used_at is null or last_used_at < ${6})
   returning id`,
);

/** The result of a claimed lane: its attempts, and how long its next delivery rests although it was not tried. */
export interface LaneResult {
  readonly attempts: readonly AttemptRecord[];
  readonly delayMs?: number;
}

/** Writes the attempts of a claimed lane; see `LaneQueue.finish`. */
export async function completeLane(
  tx: Tx,
  lane: ClaimedLane<PendingDelivery>,
  { attempts, delayMs = 0 }: LaneResult,
): Promise<boolean> {
  const laneValues = [tx.scope.accountId, tx.scope.environment, lane.key] as const;
  const last = attempts.at(-1);
  const retryInMs = last === undefined || last.isDelivered ? null : last.retryInMs;
  const isDetaching = retryInMs !== null && isLetGo(lane.key);
  let detachedCount = 0;
  if (isDetaching && last !== undefined) {
    const held = await tx.query(LOCK, [...laneValues, lane.fence]);
    if (held.length === 0) return false;
    detachedCount = await detachDelivery(tx, lane, { ...last, retryInMs });
  }
  const recorded = isDetaching ? attempts.slice(0, -1) : attempts;
  const waitMs = retryInMs !== null && !isDetaching ? retryInMs : delayMs;
  const rows = await tx.query(COMPLETE, [
    ...laneValues,
    lane.fence,
    recorded.map(({ number }) => number),
    recorded.map(toDeliveryState),
    recorded.map(({ status }) => status),
    recorded.map(({ error }) => error),
    recorded.map((attempt) => computeRetryTime(tx, lane, attempt)),
    tx.now,
    detachedCount,
    new Date(tx.databaseNow.getTime() + waitMs),
    retryInMs === null || isDetaching ? 0 : lane.failures + 1,
  ]);
  return rows.length > 0;
}

async function detachDelivery(
  tx: Tx,
  lane: ClaimedLane<PendingDelivery>,
  failed: AttemptRecord & { readonly retryInMs: number },
): Promise<number> {
  const delivery = lane.deliveries.find(({ number }) => number === failed.number);
  assert(delivery !== undefined, `attempt ${failed.number} is not of lane ${lane.key}`);
  const rows = await tx.query(DETACH, [
    tx.scope.accountId,
    tx.scope.environment,
    lane.key,
    failed.number,
    delivery.id,
    failed.status,
    failed.error,
    computeRetryTime(tx, lane, failed),
    tx.now,
    new Date(tx.databaseNow.getTime() + failed.retryInMs),
    tx.databaseNow.getTime(),
    lane.isReplay,
    isEposLane(lane.key),
  ]);
  return rows.length;
}

/** All lanes of a subscription share this row: written at each attempt, they would wait for each other. */
const USE_RECORD_INTERVAL_MS = 60_000;

/** A secret's last use is the time of an attempt that it signed, with any result, to the minute. */
export function recordSecretUse(tx: Tx, lane: ClaimedLane, attempts: readonly AttemptRecord[]): void {
  const signed = lane.deliveries.filter(({ number }) => attempts.some((attempt) => attempt.number === number));
  const secrets = new Map(signed.map(({ secretId, subscriptionId }) => [secretId, subscriptionId]));
  const before = new Date(tx.now.getTime() - USE_RECORD_INTERVAL_MS);
  for (const [secretId, subscriptionId] of [...secrets].sort(([one], [other]) => (one < other ? -1 : 1))) {
    tx.enqueue(RECORD_USE, [tx.scope.accountId, tx.scope.environment, subscriptionId, secretId, tx.now, before]);
  }
}

function toDeliveryState({ isDelivered, retryInMs }: AttemptRecord): string {
  if (isDelivered) return 'Delivered';
  return retryInMs === null ? 'DeadLettered' : 'Pending';
}

/** Counts from the attempt's own time: another lane may have advanced a frozen clock since. */
function computeRetryTime(
  tx: Tx,
  { frozenAt }: ClaimedLane<PendingDelivery>,
  { isDelivered, retryInMs }: AttemptRecord,
): Date | null {
  return isDelivered || retryInMs === null ? null : new Date((frozenAt ?? tx.now).getTime() + retryInMs);
}
