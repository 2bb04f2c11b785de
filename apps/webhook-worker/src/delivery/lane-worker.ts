import { formatScope, type Scope } from '@pos/core/identity';
import { ATTEMPT_DEADLINE_MS } from '@pos/core/webhooks';
import {
  beginTrace,
  endSpan,
  type Log,
  parseTraceparent,
  runInTrace,
  runSpan,
  type SpanEnd,
  type SpanStart,
} from '@pos/service-kit/telemetry';
import type { AttemptRecord, ClaimedLane, EposLaneQueue, PendingDelivery } from '@pos/store/queues';
import type { EndpointLimiter } from './endpoint-limiter.js';
import type { AccountConcurrencyLimiter } from '@pos/service-kit/lifecycle';

const ACCOUNTS_PER_PASS_MAX = 8;
const DELIVERIES_PER_LANE_MAX = 10;
/** The rest of a lease that an attempt needs to start: its own 15 s, and 5 s to store the result. */
const ATTEMPT_LEASE_MS = 20_000;
const ENDPOINT_WAIT_MS = 2_000;

/** No attempt was made: the delivery stays in its place, and the lane waits. */
export interface LaneRest {
  readonly restMs: number;
}

/** The queue of the lanes, and how one of their deliveries is attempted. */
export interface LaneDefinition<Delivery extends PendingDelivery> {
  readonly queue: Pick<EposLaneQueue, 'listReadyAccounts'> & {
    claim(scope: Scope, limits: Parameters<EposLaneQueue['claim']>[1]): Promise<readonly ClaimedLane<Delivery>[]>;
    complete(lane: ClaimedLane<Delivery>, attempts: readonly AttemptRecord[], restMs?: number): Promise<boolean>;
  };
  /** Names the receiver within its account. Failures delay only deliveries to the same receiver. */
  readonly getEndpoint: (delivery: Delivery) => string;
  readonly attemptDelivery: (order: {
    readonly scope: Scope;
    readonly frozenAt: Date | null;
    readonly isReplay: boolean;
    readonly delivery: Delivery;
    readonly deadlineMs: number;
  }) => Promise<AttemptRecord | LaneRest>;
}

/** Delivers what is due: claims lanes, attempts their first deliveries in order and stores the results. */
export class LaneWorker<Delivery extends PendingDelivery> {
  readonly #task: LaneDefinition<Delivery>;
  readonly #limiter: AccountConcurrencyLimiter;
  readonly #endpointLimiter: EndpointLimiter;
  readonly #log: Log;
  readonly #leaseMs: number;
  readonly #attemptLeaseMs: number;
  #isStopping = false;

  constructor(parts: {
    task: LaneDefinition<Delivery>;
    limiter: AccountConcurrencyLimiter;
    gate: EndpointLimiter;
    log: Log;
    leaseMs: number;
  }) {
    this.#task = parts.task;
    this.#limiter = parts.limiter;
    this.#endpointLimiter = parts.gate;
    this.#log = parts.log;
    this.#leaseMs = parts.leaseMs;
    // A short lease must still leave room for attempts.
    this.#attemptLeaseMs = Math.min(ATTEMPT_LEASE_MS, parts.leaseMs / 3);
  }

  /**
   * One pass: claims due lanes while slots are free and starts them. True when it claimed any. Calls `onSlotFree` whenever
   * one of them has ended.
   */
  async runPass(onSlotFree: () => void): Promise<boolean> {
    const { freeSlots } = this.#limiter;
    if (freeSlots <= 0 || this.#isStopping) return false;
    const limit = Math.min(freeSlots, ACCOUNTS_PER_PASS_MAX);
    const scopes = await this.#task.queue.listReadyAccounts({ limit, excluded: this.#limiter.listFullAccounts() });
    if (scopes.length === 0) return false;
    const share = Math.max(1, Math.floor(freeSlots / scopes.length));
    const claimedCounts = await Promise.all(scopes.map((scope) => this.#claimLanes(scope, share, onSlotFree)));
    return claimedCounts.some((count) => count > 0);
  }

  /** Starts no more attempts. Resolves when the running ones are stored and every lane is released. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#limiter.drain();
  }

  async #claimLanes(scope: Scope, share: number, onSlotFree: () => void): Promise<number> {
    const lanes = Math.min(share, this.#limiter.getFreeSlotsFor(scope));
    if (lanes <= 0) return 0;
    // Measured before the claim, so that the database's lease never ends before `startUntilMs` assumes.
    const claimedAtMs = performance.now();
    const limits = { lanes, deliveriesPerLane: DELIVERIES_PER_LANE_MAX, leaseMs: this.#leaseMs };
    const claimed = await this.#task.queue.claim(scope, limits);
    for (const lane of claimed) {
      this.#limiter.run(scope, this.#workLane(lane, claimedAtMs), onSlotFree);
    }
    return claimed.length;
  }

  /** Works one lane. Never rejects: a result that cannot be stored is attempted again when the lease ends. */
  #workLane(lane: ClaimedLane<Delivery>, claimedAtMs: number): Promise<void> {
    const trace = beginTrace();
    const startedAtMs = performance.now();
    return runInTrace(trace, async () => {
      try {
        const { attempts, restMs } = await this.#attemptInOrder(lane, claimedAtMs);
        const isStillOurs = await this.#task.queue.complete(lane, attempts, restMs);
        endSpan({ name: 'lane work', kind: 'internal' }, { trace, startedAtMs });
        if (!isStillOurs)
          this.#log.warn('lane.lost', { account_id: lane.scope.accountId, lane: lane.key, fence: lane.fence });
      } catch (error) {
        this.#log.error('lane.failed', { account_id: lane.scope.accountId, lane: lane.key, fence: lane.fence, error });
      }
    });
  }

  /**
   * Stops at the first failure, at the end of the lease, or when the process stops. The rest of the lane is due at
   * once.
   */
  async #attemptInOrder(
    lane: ClaimedLane<Delivery>,
    claimedAtMs: number,
  ): Promise<LaneRest & { readonly attempts: readonly AttemptRecord[] }> {
    const attempts: AttemptRecord[] = [];
    const startUntilMs = claimedAtMs + this.#leaseMs - this.#attemptLeaseMs;
    for (const delivery of lane.deliveries) {
      const record = await this.#attemptWithinLease(lane, delivery, startUntilMs);
      if (record === null) break;
      if ('restMs' in record) return { attempts, ...record };
      attempts.push(record);
      if (!record.isDelivered) break;
    }
    return { attempts, restMs: 0 };
  }

  async #attemptWithinLease(
    { scope, frozenAt, isReplay }: ClaimedLane<Delivery>,
    delivery: Delivery,
    startUntilMs: number,
  ): Promise<AttemptRecord | LaneRest | null> {
    if (!this.#canStart(startUntilMs)) return null;
    const endpoint = `${formatScope(scope)}/${this.#task.getEndpoint(delivery)}`;
    const waitMs = Math.min(ENDPOINT_WAIT_MS, startUntilMs - performance.now());
    if (!(await this.#endpointLimiter.acquire(endpoint, waitMs))) return null;
    let record: AttemptRecord | LaneRest | null = null;
    try {
      if (!this.#canStart(startUntilMs)) return null;
      const deadlineMs = Math.min(ATTEMPT_DEADLINE_MS, Math.floor(this.#attemptLeaseMs * 0.75));
      const order = { scope, frozenAt, isReplay, delivery, deadlineMs };
      record = await runSpan(describeDelivery(delivery), () => this.#task.attemptDelivery(order), toSpanEnd);
      return record;
    } finally {
      this.#endpointLimiter.release(endpoint, toAttemptEnd(record));
    }
  }

  #canStart(startUntilMs: number): boolean {
    return !this.#isStopping && performance.now() < startUntilMs;
  }
}

/** The delivery is a trace of its own, often much later: a link leads to the change that caused it. */
function describeDelivery({ kind, attempts, traceparent }: PendingDelivery): SpanStart {
  const cause = parseTraceparent(traceparent);
  return {
    ...{ name: `deliver ${kind}`, kind: 'consumer', attributes: { 'pos.attempt': attempts + 1 } },
    links: cause === null ? [] : [cause],
  };
}

function toSpanEnd(record: AttemptRecord | LaneRest): SpanEnd {
  return { hasFailed: 'isDelivered' in record && !record.isDelivered };
}

function toAttemptEnd(record: AttemptRecord | LaneRest | null): 'delivered' | 'failed' | 'untried' {
  if (record === null || 'restMs' in record) return 'untried';
  return record.isDelivered ? 'delivered' : 'failed';
}
