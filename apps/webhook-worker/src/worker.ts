import type { Egress } from '@pos/service-kit/egress';
import type { FaultPoint } from '@pos/service-kit/fault-point';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { LaneQueue, type LaneTraffic } from '@pos/store/lanes';
import { TimerQueue } from '@pos/store/timers';
import type { Config } from './config.js';
import type { DeliveryOutside } from './delivery.js';
import { EndpointGate } from './endpoint-gate.js';
import { Hands } from './hands.js';
import { jitterOf } from './jitter.js';
import { LaneWorker } from './lane-worker.js';
import { Polling } from '@pos/service-kit/polling';
import { TimerWorker, type TimerEffects } from './timer-worker.js';

/** The settings the loops need; the rest of the configuration is the process's. */
export type WorkerSettings = Pick<
  Config,
  | 'DELIVERY_CONCURRENCY'
  | 'DELIVERY_ACCOUNT_CONCURRENCY'
  | 'DELIVERY_ENDPOINT_CONCURRENCY'
  | 'TIMER_CONCURRENCY'
  | 'TIMER_ACCOUNT_CONCURRENCY'
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
  effects,
  log,
  fault,
  settings,
}: {
  database: Database;
  egress: Pick<Egress, 'send'>;
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
  const live = laneWorker('live', { database, outside, settings, ended: () => liveLoop.wake() });
  const replays = laneWorker('replays', { database, outside, settings, ended: () => replayLoop.wake() });
  const timers = new TimerWorker({
    database,
    queue: new TimerQueue(database),
    hands: new Hands({ max: settings.TIMER_CONCURRENCY, perAccountMax: settings.TIMER_ACCOUNT_CONCURRENCY }),
    effects,
    log,
    leaseMs: settings.TIMER_LEASE_MS,
    ended: () => timerLoop.wake(),
  });
  const liveLoop = new Polling({ name: 'lanes', pass: () => live.pass(), pauseMs: settings.POLL_MS, log });
  const replayLoop = new Polling({ name: 'replays', pass: () => replays.pass(), pauseMs: settings.POLL_MS, log });
  const timerLoop = new Polling({ name: 'timers', pass: () => timers.pass(), pauseMs: settings.POLL_MS, log });
  const unlisten = [
    await database.listen('lanes', () => {
      liveLoop.wake();
      replayLoop.wake();
    }),
    await database.listen('timers', () => timerLoop.wake()),
  ];
  liveLoop.start();
  replayLoop.start();
  timerLoop.start();
  return {
    stop: async () => {
      // Told first, so that no lane begins another attempt; asked again last, for what a running pass still took.
      const workers = [live, replays, timers];
      const told = workers.map((worker) => worker.stop());
      await Promise.all([liveLoop.stop(), replayLoop.stop(), timerLoop.stop(), ...told]);
      await Promise.all(workers.map((worker) => worker.stop()));
      for (const stop of unlisten) await stop();
    },
  };
}

/** Of everything that this process may do at once; a replay is never in the place of a live event. */
const REPLAY_SHARE = 4;

function laneWorker(
  traffic: LaneTraffic,
  {
    database,
    outside,
    settings,
    ended,
  }: { database: Database; outside: DeliveryOutside; settings: WorkerSettings; ended: () => void },
): LaneWorker {
  const share = (max: number): number => (traffic === 'live' ? max : Math.max(1, Math.floor(max / REPLAY_SHARE)));
  return new LaneWorker({
    queue: new LaneQueue(database, traffic),
    hands: new Hands({
      max: share(settings.DELIVERY_CONCURRENCY),
      perAccountMax: share(settings.DELIVERY_ACCOUNT_CONCURRENCY),
    }),
    gate: new EndpointGate({ max: share(settings.DELIVERY_ENDPOINT_CONCURRENCY) }),
    outside,
    leaseMs: settings.LANE_LEASE_MS,
    ended,
  });
}
