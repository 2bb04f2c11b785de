import type { EgressClient } from '@pos/service-kit/egress';
import type { Log } from '@pos/service-kit/telemetry';
import type { Database } from '@pos/store/database';
import {
  type ClaimedDelivery,
  type EposDelivery,
  EposLaneQueue,
  LaneQueue,
  type PendingDelivery,
} from '@pos/store/queues';
import { deleteFullBuckets } from '@pos/store/rate-limits';
import type { Config } from './config/config.js';
import { attemptDelivery, type DeliveryServices } from './delivery/webhook-delivery.js';
import { attemptEposDelivery, type EposDeliveryServices } from './delivery/epos-delivery.js';
import type { EposGatewayClient } from './delivery/epos-gateway-client.js';
import { EndpointLimiter } from './delivery/endpoint-limiter.js';
import { AccountConcurrencyLimiter, type FaultPoint, PollingLoop } from '@pos/service-kit/lifecycle';
import { createJitter } from './delivery/jitter.js';
import { type LaneDefinition, LaneWorker } from './delivery/lane-worker.js';
import { createTimerLanes } from './timer-lanes.js';
import type { TimerEffects } from './timers/timer-worker.js';

/** The settings the loops need; the rest of the configuration is the process's. */
export type WorkerSettings = Pick<
  Config,
  | 'DELIVERY_CONCURRENCY'
  | 'DELIVERY_ACCOUNT_CONCURRENCY'
  | 'DELIVERY_ENDPOINT_CONCURRENCY'
  | 'TIMER_CONCURRENCY'
  | 'TIMER_ACCOUNT_CONCURRENCY'
  | 'ACQUIRER_CONCURRENCY'
  | 'LANE_LEASE_MS'
  | 'TIMER_LEASE_MS'
  | 'POLL_MS'
  | 'WEBHOOK_BACKOFF_SCALE'
  | 'SEED'
  | 'NODE_ENV'
> &
  Partial<Pick<Config, 'ACTIVITY_RETENTION_DAYS'>>;

/** All loops of the worker, running. */
export interface WebhookWorker {
  /** Claims no more work, and finishes or releases the claimed work. */
  stop(): Promise<void>;
}

/** Starts the delivery of webhooks and the work of timers. Hints wake the loops; without hints they poll. */
export async function startWebhookWorker({
  database,
  egress,
  gatewayClient,
  effects,
  log,
  fault,
  settings,
}: {
  database: Database;
  egress: Pick<EgressClient, 'send'>;
  gatewayClient: Pick<EposGatewayClient, 'sendEvent'>;
  effects: TimerEffects;
  log: Log;
  fault: FaultPoint;
  settings: WorkerSettings;
}): Promise<WebhookWorker> {
  const services: DeliveryServices = {
    egress,
    log,
    fault,
    clock: () => new Date(),
    jitter: createJitter(settings.SEED ?? null),
    backoffScale: settings.WEBHOOK_BACKOFF_SCALE,
    allowsLoopback: settings.NODE_ENV !== 'production',
  };
  const logsAttempts = (settings.ACTIVITY_RETENTION_DAYS ?? 0) > 0;
  const workerOptions = { settings, log };
  const liveWorker = createLaneWorker(
    createWebhookLane(new LaneQueue(database, 'live', logsAttempts), services),
    workerOptions,
  );
  const backgroundOptions = { ...workerOptions, share: BACKGROUND_SHARE };
  const replayWorker = createLaneWorker(
    createWebhookLane(new LaneQueue(database, 'replays', logsAttempts), services),
    backgroundOptions,
  );
  const eposWorker = createLaneWorker(
    createEposLane(new EposLaneQueue(database), { ...services, gatewayClient }),
    backgroundOptions,
  );
  const timers = createTimerLanes({ database, effects, settings, log });
  const createLoop = (name: string, worker: { runPass(onSlotFree: () => void): Promise<boolean> }): PollingLoop =>
    new PollingLoop({ name, pass: (wake) => worker.runPass(wake), pauseMs: settings.POLL_MS, log });
  const liveLoop = createLoop('lanes', liveWorker);
  const replayLoop = createLoop('replays', replayWorker);
  const eposLoop = createLoop('epos', eposWorker);
  const unlisten = [
    await database.listen('lanes', () => {
      liveLoop.wake();
      replayLoop.wake();
      eposLoop.wake();
    }),
    await database.listen('timers', () => timers.wake()),
  ];
  const loops = [liveLoop, replayLoop, eposLoop, ...timers.loops, createBucketLoop(database, log)];
  for (const loop of loops) loop.start();
  return {
    stop: async () => {
      // First, so that no lane starts another attempt; again at the end, for claims of a pass that was running.
      const workers = [liveWorker, replayWorker, eposWorker, ...timers.workers];
      const stopping = workers.map((worker) => worker.stop());
      await Promise.all([...loops.map((loop) => loop.stop()), ...stopping]);
      await Promise.all(workers.map((worker) => worker.stop()));
      for (const stop of unlisten) await stop();
    },
  };
}

/** The slowest bucket is full a minute after its last call. */
const BUCKET_CLEANUP_INTERVAL_MS = 60_000;

function createBucketLoop(database: Database, log: Log): PollingLoop {
  const pass = () => deleteFullBuckets(database);
  return new PollingLoop({ name: 'full buckets', pass, pauseMs: BUCKET_CLEANUP_INTERVAL_MS, log });
}

/** The share of the process's slots, so that a replay or an EPOS event never occupies the slot of a due webhook. */
const BACKGROUND_SHARE = 1 / 4;

function createWebhookLane(queue: LaneQueue, services: DeliveryServices): LaneDefinition<ClaimedDelivery> {
  return {
    queue,
    // Named by its URL: the failures of an earlier URL of the subscription do not count.
    getEndpoint: ({ url }) => url,
    attemptDelivery: (order) => attemptDelivery(services, order),
  };
}

function createEposLane(queue: EposLaneQueue, services: EposDeliveryServices): LaneDefinition<EposDelivery> {
  return { queue, getEndpoint: () => 'epos', attemptDelivery: (order) => attemptEposDelivery(services, order) };
}

function createLaneWorker<Delivery extends PendingDelivery>(
  task: LaneDefinition<Delivery>,
  {
    share = 1,
    settings,
    log,
  }: {
    readonly share?: number;
    readonly settings: WorkerSettings;
    readonly log: Log;
  },
): LaneWorker<Delivery> {
  const takeShare = (max: number): number => Math.max(1, Math.floor(max * share));
  return new LaneWorker({
    task,
    limiter: new AccountConcurrencyLimiter({
      total: takeShare(settings.DELIVERY_CONCURRENCY),
      perAccount: takeShare(settings.DELIVERY_ACCOUNT_CONCURRENCY),
    }),
    gate: new EndpointLimiter({ max: takeShare(settings.DELIVERY_ENDPOINT_CONCURRENCY) }),
    log,
    leaseMs: settings.LANE_LEASE_MS,
  });
}
