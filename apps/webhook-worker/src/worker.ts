import type { Egress } from '@pos/service-kit/egress';
import type { FaultPoint } from '@pos/service-kit/fault-point';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import {
  type ClaimedDelivery,
  type EposDelivery,
  EposLaneQueue,
  LaneQueue,
  type PendingDelivery,
} from '@pos/store/lanes';
import { deleteFullBuckets } from '@pos/store/token-buckets';
import type { Config } from './config.js';
import { attemptDelivery, type DeliveryOutside } from './delivery.js';
import { attemptEposDelivery, type EposOutside } from './epos-delivery.js';
import type { EposDoor } from './epos-door.js';
import { EndpointGate } from './endpoint-gate.js';
import { Hands } from './hands.js';
import { jitterOf } from './jitter.js';
import { type LaneTask, LaneWorker } from './lane-worker.js';
import { Polling } from '@pos/service-kit/polling';
import { makeTimerLanes } from './timer-lanes.js';
import type { TimerEffects } from './timer-worker.js';

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
>;

/** All loops of the worker, running. */
export interface Worker {
  /** Claims nothing more, finishes or hands back what is in hand. */
  stop(): Promise<void>;
}

/** Starts delivering webhooks and working timers. Hints wake the loops; without any they look by themselves. */
export async function startWorker({
  database,
  egress,
  eposDoor,
  effects,
  log,
  fault,
  settings,
}: {
  database: Database;
  egress: Pick<Egress, 'send'>;
  eposDoor: Pick<EposDoor, 'tell'>;
  effects: TimerEffects;
  log: Log;
  fault: FaultPoint;
  settings: WorkerSettings;
}): Promise<Worker> {
  const outside: DeliveryOutside = {
    egress,
    log,
    fault,
    clock: () => new Date(),
    jitter: jitterOf(settings.SEED ?? null),
    backoffScale: settings.WEBHOOK_BACKOFF_SCALE,
  };
  const around = { settings, log };
  const live = laneWorker(webhookTask(new LaneQueue(database), outside), { ...around, ended: () => liveLoop.wake() });
  const beside = { ...around, share: BESIDE_SHARE };
  const replays = laneWorker(webhookTask(new LaneQueue(database, 'replays'), outside), {
    ...beside,
    ended: () => replayLoop.wake(),
  });
  const epos = laneWorker(eposTask(new EposLaneQueue(database), { ...outside, door: eposDoor }), {
    ...beside,
    ended: () => eposLoop.wake(),
  });
  const timers = makeTimerLanes({ database, effects, settings, log });
  const liveLoop = new Polling({ name: 'lanes', pass: () => live.pass(), pauseMs: settings.POLL_MS, log });
  const replayLoop = new Polling({ name: 'replays', pass: () => replays.pass(), pauseMs: settings.POLL_MS, log });
  const eposLoop = new Polling({ name: 'epos', pass: () => epos.pass(), pauseMs: settings.POLL_MS, log });
  const unlisten = [
    await database.listen('lanes', () => {
      liveLoop.wake();
      replayLoop.wake();
      eposLoop.wake();
    }),
    await database.listen('timers', () => timers.wake()),
  ];
  const loops = [liveLoop, replayLoop, eposLoop, ...timers.loops, bucketLoop(database, log)];
  for (const loop of loops) loop.start();
  return {
    stop: async () => {
      // Told first, so that no lane begins another attempt; asked again last, for what a running pass still took.
      const workers = [live, replays, epos, ...timers.workers];
      const told = workers.map((worker) => worker.stop());
      await Promise.all([...loops.map((loop) => loop.stop()), ...told]);
      await Promise.all(workers.map((worker) => worker.stop()));
      for (const stop of unlisten) await stop();
    },
  };
}

/** The slowest bucket is full a minute after its last call. */
const FULL_BUCKETS_PAUSE_MS = 60_000;

function bucketLoop(database: Database, log: Log): Polling {
  const pass = () => deleteFullBuckets(database);
  return new Polling({ name: 'full buckets', pass, pauseMs: FULL_BUCKETS_PAUSE_MS, log });
}

/** Of everything that this process may do at once: a replay or a till is never in the place of a webhook that is due. */
const BESIDE_SHARE = 1 / 4;

function webhookTask(queue: LaneQueue, outside: DeliveryOutside): LaneTask<ClaimedDelivery> {
  return {
    queue,
    // Named by its url: a subscription that is sent elsewhere begins there without the failures of the old place.
    endpointOf: ({ url }) => url,
    attempt: (order) => attemptDelivery(outside, order),
  };
}

function eposTask(queue: EposLaneQueue, outside: EposOutside): LaneTask<EposDelivery> {
  return { queue, endpointOf: () => 'epos', attempt: (order) => attemptEposDelivery(outside, order) };
}

function laneWorker<Delivery extends PendingDelivery>(
  task: LaneTask<Delivery>,
  {
    share = 1,
    settings,
    log,
    ended,
  }: {
    readonly share?: number;
    readonly settings: WorkerSettings;
    readonly log: Log;
    readonly ended: () => void;
  },
): LaneWorker<Delivery> {
  const shareOf = (max: number): number => Math.max(1, Math.floor(max * share));
  return new LaneWorker({
    task,
    hands: new Hands({
      max: shareOf(settings.DELIVERY_CONCURRENCY),
      perAccountMax: shareOf(settings.DELIVERY_ACCOUNT_CONCURRENCY),
    }),
    gate: new EndpointGate({ max: shareOf(settings.DELIVERY_ENDPOINT_CONCURRENCY) }),
    log,
    leaseMs: settings.LANE_LEASE_MS,
    ended,
  });
}
