import type { Egress } from '@pos/service-kit/egress';
import type { FaultPoint } from '@pos/service-kit/fault-point';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { LaneQueue } from '@pos/store/lanes';
import { TimerQueue } from '@pos/store/timers';
import type { Config } from './config.js';
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

/** Both loops of the worker, running. */
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
  const lanes = new LaneWorker({
    queue: new LaneQueue(database),
    hands: new Hands({ max: settings.DELIVERY_CONCURRENCY, perAccountMax: settings.DELIVERY_ACCOUNT_CONCURRENCY }),
    gate: new EndpointGate({ max: settings.DELIVERY_ENDPOINT_CONCURRENCY }),
    outside: {
      egress,
      log,
      fault,
      clock: () => new Date(),
      jitter: jitterOf(settings.SEED ?? null),
      backoffScale: settings.WEBHOOK_BACKOFF_SCALE,
    },
    leaseMs: settings.LANE_LEASE_MS,
    ended: () => laneLoop.wake(),
  });
  const timers = new TimerWorker({
    database,
    queue: new TimerQueue(database),
    hands: new Hands({ max: settings.TIMER_CONCURRENCY, perAccountMax: settings.TIMER_ACCOUNT_CONCURRENCY }),
    effects,
    log,
    leaseMs: settings.TIMER_LEASE_MS,
    ended: () => timerLoop.wake(),
  });
  const laneLoop = new Polling({ name: 'lanes', pass: () => lanes.pass(), pauseMs: settings.POLL_MS, log });
  const timerLoop = new Polling({ name: 'timers', pass: () => timers.pass(), pauseMs: settings.POLL_MS, log });
  const unlisten = [
    await database.listen('lanes', () => laneLoop.wake()),
    await database.listen('timers', () => timerLoop.wake()),
  ];
  laneLoop.start();
  timerLoop.start();
  return {
    stop: async () => {
      // Told first, so that no lane begins another attempt; asked again last, for what a running pass still took.
      const told = [lanes.stop(), timers.stop()];
      await Promise.all([laneLoop.stop(), timerLoop.stop(), ...told]);
      await Promise.all([lanes.stop(), timers.stop()]);
      for (const stop of unlisten) await stop();
    },
  };
}
