import { assert } from '@pos/core/refusals';
import { parseKnownId } from '@pos/core/identity';
import type { ClaimedDelivery, ClaimedLane, ClaimLimits, LaneTraffic } from './claimed-lane.js';
import {
  applySubscriptionState,
  findSubscriptionsWithHeldDeliveries,
  type SubscriptionState,
} from '../webhooks/held-deliveries.js';
import { type Statement, defineStatement } from '@pos/postgres/statements';
import { webhookSecretContext } from '../webhooks/subscriptions.js';
import type { Tx } from '../database/transaction.js';

const CLAIM = defineStatement(
  'lease_lanes',
  `with ready as (
     select key from lanes
     where account_id = $1 and environment = $2 and is_replay = $6 and is_epos = $7 and ready_at <= $3
     order by ready_at limit $4
     for update skip locked
   )
   update lanes set leased_until = $5, fence = lanes.fence + 1
   from ready
   where lanes.account_id = $1 and lanes.environment = $2 and lanes.key = ready.key
   returning lanes.key, lanes.fence, lanes.failures, lanes.is_replay`,
);

/** The statement that reads the first deliveries of lanes, each with its event: parameters `$1` to `$4`. */
export function defineFirstDeliveriesStatement(
  label: string,
  { column, extraColumns = '' }: { readonly column: string; readonly extraColumns?: string },
): Statement {
  return defineStatement(
    label,
    `select d.*, e.kind, e.subject_id, e.body, e.recorded_at, e.traceparent${extraColumns}
     from unnest($3::text[]) as lane(key)
     cross join lateral (
       select lane_key, number, id, event_id, attempts, next_attempt_at, ${column}
       from deliveries
       where account_id = $1 and environment = $2 and lane_key = lane.key and state = 'Pending'
       order by number limit $4
     ) d
     join events e on e.account_id = $1 and e.environment = $2 and e.id = d.event_id
     order by d.lane_key, d.number`,
  );
}

const FIRST = defineFirstDeliveriesStatement('read_first_deliveries', { column: 'subscription_id' });

/** Locked, so that a pause or a deletion cannot overtake us; a running one is not awaited. */
const TARGETS = defineStatement(
  'read_targets',
  `select s.id, s.url, s.paused, s.deleted_at is not null as is_deleted, k.id as secret_id, k.value_ciphertext
   from webhook_subscriptions s
   left join webhook_secrets k
     on k.account_id = $1 and k.environment = $2 and k.subscription_id = s.id and k.is_active
   where s.account_id = $1 and s.environment = $2 and s.id = any ($3::text[])
   for share of s skip locked`,
);

const RELEASE = defineStatement(
  'release_lanes',
  `update lanes set leased_until = null, due_at = $4
   where account_id = $1 and environment = $2 and key = any ($3::text[]) returning key`,
);

/** A change of a subscription ends soon; the lane is not polled meanwhile. */
const RETRY_CLAIM_MS = 250;

/** A delivery that waits at the head of its lane. */
export interface FirstDelivery {
  readonly lane_key: string;
  readonly number: number;
  readonly id: string;
  readonly event_id: string;
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly kind: string;
  readonly subject_id: string;
  readonly body: Buffer;
  readonly recorded_at: Date;
  readonly traceparent: string | null;
}

interface FirstWebhookDeliveryRow extends FirstDelivery {
  readonly subscription_id: string;
}

interface TargetRow {
  readonly id: string;
  readonly url: string;
  readonly paused: boolean;
  readonly is_deleted: boolean;
  readonly secret_id: string | null;
  readonly value_ciphertext: Buffer | null;
}

/** A lane that was leased. */
export interface LaneRow {
  readonly key: string;
  readonly fence: number;
  readonly failures: number;
  readonly is_replay: boolean;
}

/** The claimed lanes, and the time to which a frozen clock must be advanced because real time has reached a retry. */
export interface LaneClaim {
  readonly claimed: readonly ClaimedLane[];
  readonly frozenUntil: Date | null;
}

/** Leases lanes of one account, with any content. */
export async function leaseLanes(
  tx: Tx,
  { traffic, lanes, leaseMs }: ClaimLimits & { readonly traffic: LaneTraffic },
): Promise<LaneRow[]> {
  const { accountId, environment } = tx.scope;
  const leasedUntil = new Date(tx.databaseNow.getTime() + leaseMs);
  return tx.query<LaneRow>(CLAIM, [
    ...[accountId, environment, tx.databaseNow, lanes, leasedUntil],
    ...[traffic === 'replays', traffic === 'epos'],
  ]);
}

/** Claims in one account; see `LaneQueue.claim`. */
export async function claimLanes(tx: Tx, limits: ClaimLimits & { readonly traffic: LaneTraffic }): Promise<LaneClaim> {
  const lanes = await leaseLanes(tx, limits);
  if (lanes.length === 0) return { claimed: [], frozenUntil: null };
  const keys = lanes.map(({ key }) => key);
  const { first, targets } = await readLaneContents(tx, keys, limits.deliveriesPerLane);
  const isOpen = ({ subscription_id: id }: FirstWebhookDeliveryRow): boolean => {
    const target = targets.get(id);
    return target !== undefined && getSubscriptionState(target) === 'open';
  };
  const all = lanes.map(({ is_replay: isReplay, ...lane }): ClaimedLane => {
    const rows = first.filter((row) => row.lane_key === lane.key);
    const end = rows.findIndex((row) => !isOpen(row));
    const taken = end === -1 ? rows : rows.slice(0, end);
    return {
      scope: tx.scope,
      ...lane,
      isReplay,
      frozenAt: tx.isClockFrozen ? laterDate(tx.now, taken[0]?.next_attempt_at ?? tx.now) : null,
      deliveries: taken.map((row) => toClaimedDelivery(tx, row, targets.get(row.subscription_id))),
    };
  });
  await releaseIdleLanes(tx, all, { first, targets });
  return {
    claimed: all.filter(({ deliveries }) => deliveries.length > 0),
    frozenUntil: findLatestAttemptAt(tx, first),
  };
}

/**
 * The time to which a frozen clock must be advanced because real time has reached these attempts; null where time
 * runs.
 */
export function findLatestAttemptAt(tx: Tx, rows: readonly { readonly next_attempt_at: Date | null }[]): Date | null {
  const times = tx.isClockFrozen ? rows.map(({ next_attempt_at: at }) => at) : [];
  return times.reduce((latest, at) => (latest === null || (at !== null && at > latest) ? at : latest), null);
}

function laterDate(one: Date, other: Date): Date {
  return one > other ? one : other;
}

interface LaneContents {
  readonly first: readonly FirstWebhookDeliveryRow[];
  readonly targets: ReadonlyMap<string, TargetRow>;
}

/** The first deliveries of the lanes and their targets, after each subscription's state was applied. */
async function readLaneContents(tx: Tx, keys: readonly string[], limit: number): Promise<LaneContents> {
  const { accountId, environment } = tx.scope;
  const readFirst = () => tx.query<FirstWebhookDeliveryRow>(FIRST, [accountId, environment, keys, limit]);
  const [first, held] = await Promise.all([readFirst(), findSubscriptionsWithHeldDeliveries(tx, keys)]);
  const targets = await readTargets(tx, [...first.map((row) => row.subscription_id), ...held]);
  for (const target of targets.values()) {
    const state = getSubscriptionState(target);
    const isFirst = first.some((row) => row.subscription_id === target.id);
    // An open subscription takes in what is held for it, a deleted one ends it. For a paused one, nothing changes until
    // one of its deliveries would be sent.
    const isMisplaced = state === 'paused' ? isFirst : state === 'deleted' || held.includes(target.id);
    if (isMisplaced) await applySubscriptionState(tx, keys, { id: target.id, state });
  }
  const hasChanged = held.some((id) => targets.has(id) && !targets.get(id)?.paused);
  return { first: hasChanged ? await readFirst() : first, targets };
}

function getSubscriptionState({ paused, is_deleted: isDeleted }: TargetRow): SubscriptionState {
  return isDeleted ? 'deleted' : paused ? 'paused' : 'open';
}

async function readTargets(tx: Tx, ids: readonly string[]): Promise<Map<string, TargetRow>> {
  const targets = await tx.query<TargetRow>(TARGETS, [tx.scope.accountId, tx.scope.environment, [...new Set(ids)]]);
  return new Map(targets.map((target) => [target.id, target]));
}

/**
 * Releases a lane that has nothing to send at once; a lane whose subscription is being changed is due a moment
 * later.
 */
async function releaseIdleLanes(
  tx: Tx,
  lanes: readonly ClaimedLane[],
  { first, targets }: LaneContents,
): Promise<void> {
  const isTargetLocked = ({ key }: ClaimedLane): boolean => {
    const next = first.find((row) => row.lane_key === key);
    return next !== undefined && !targets.has(next.subscription_id);
  };
  const idle = lanes.filter(({ deliveries }) => deliveries.length === 0);
  await releaseLanes(tx, idle.filter(isTargetLocked), RETRY_CLAIM_MS);
  await releaseLanes(
    tx,
    idle.filter((lane) => !isTargetLocked(lane)),
    0,
  );
}

async function releaseLanes(tx: Tx, idle: readonly ClaimedLane[], inMs: number): Promise<void> {
  if (idle.length === 0) return;
  const dueAt = new Date(tx.databaseNow.getTime() + inMs);
  await tx.query(RELEASE, [tx.scope.accountId, tx.scope.environment, idle.map(({ key }) => key), dueAt]);
}

/** What the event is about, when it was committed, by the database's clock, and in which trace. */
export function toEventOrigin(
  tx: Tx,
  { subject_id: subjectId, recorded_at: recordedAt, traceparent }: FirstDelivery,
): Pick<ClaimedDelivery, 'subjectId' | 'recordedForMs' | 'traceparent'> {
  return { subjectId, recordedForMs: Math.max(0, tx.databaseNow.getTime() - recordedAt.getTime()), traceparent };
}

function toClaimedDelivery(tx: Tx, row: FirstWebhookDeliveryRow, target: TargetRow | undefined): ClaimedDelivery {
  assert(target !== undefined, `the subscription of ${row.id} was not read`);
  assert(target.secret_id !== null && target.value_ciphertext !== null, `${target.id} has no active secret`);
  return {
    id: parseKnownId('delivery', row.id),
    number: row.number,
    attempts: row.attempts,
    eventId: parseKnownId('event', row.event_id),
    kind: row.kind,
    body: row.body,
    ...toEventOrigin(tx, row),
    subscriptionId: parseKnownId('subscription', target.id),
    url: target.url,
    secretId: parseKnownId('secret', target.secret_id),
    secret: tx.open(webhookSecretContext(target.id, target.secret_id), target.value_ciphertext),
  };
}
