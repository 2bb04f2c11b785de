import { type Environment, ENVIRONMENTS } from '@pos/core/identity';
import type { Log } from '@pos/service-kit/log';
import { Polling } from '@pos/service-kit/polling';
import type { Database } from '@pos/store/database';
import { type TimerKind, TimerQueue } from '@pos/store/timers';
import type { Config } from './config.js';
import { Hands } from './hands.js';
import { type TimerEffects, TimerWorker } from './timer-worker.js';

/** The settings of the lanes. */
type TimerLaneSettings = Pick<
  Config,
  'TIMER_CONCURRENCY' | 'TIMER_ACCOUNT_CONCURRENCY' | 'ACQUIRER_CONCURRENCY' | 'TIMER_LEASE_MS' | 'POLL_MS'
>;

/** Kinds that are claimed and worked together, and their part of the seats that a setting gives. */
interface TimerLaneSpec {
  readonly name: string;
  readonly kinds: readonly TimerKind[];
  /** A lane that asks an acquirer belongs to one acquirer, and so to one environment. */
  readonly environment: Environment | null;
  readonly seats: 'TIMER_CONCURRENCY' | 'ACQUIRER_CONCURRENCY';
  readonly share: number;
}

/** Asks nobody outside: the windows of terminal sessions, and the ends of intents, holds and setups. */
const DEADLINE_KINDS = [
  'session-window',
  'hold-end',
  'intent-expiry',
  'setup-expiry',
  'setup-card-expiry',
] as const satisfies TimerKind[];
/** Asks the acquirer: how a call ended, and whether it agrees with what a card machine approved. */
const ACQUIRER_KINDS = ['acquirer-call', 'machine-approval'] as const satisfies TimerKind[];
const CHORE_KINDS = ['webhook-subscription', 'webhook-replay', 'retention'] as const satisfies TimerKind[];

/**
 * Each lane has seats, claims and a loop of its own, so that work which waits for somebody outside (an acquirer, a mail
 * server) or takes long never takes the seat of a deadline (ADR 0052).
 */
const LANES: readonly TimerLaneSpec[] = [
  { name: 'deadlines', kinds: DEADLINE_KINDS, environment: null, seats: 'TIMER_CONCURRENCY', share: 1 },
  { name: 'chores', kinds: CHORE_KINDS, environment: null, seats: 'TIMER_CONCURRENCY', share: 1 / 4 },
  { name: 'mails', kinds: ['mail'], environment: null, seats: 'TIMER_CONCURRENCY', share: 1 / 2 },
  ...ENVIRONMENTS.flatMap((environment): TimerLaneSpec[] => {
    const seats = 'ACQUIRER_CONCURRENCY';
    return [
      { name: `acquirer calls of ${environment}`, kinds: ACQUIRER_KINDS, environment, seats, share: 1 },
      { name: `reconciliations of ${environment}`, kinds: ['reconciliation'], environment, seats, share: 1 / 4 },
    ];
  }),
];

/** All lanes of due timers, running. */
export interface TimerLanes {
  readonly workers: readonly TimerWorker[];
  readonly loops: readonly Polling[];
  /** Something may be due now. */
  readonly wake: () => void;
}

/** Makes the lanes; their loops are started and stopped by the caller. Kinds without an effect are left alone. */
export function makeTimerLanes({
  database,
  effects,
  settings,
  log,
}: {
  readonly database: Database;
  readonly effects: TimerEffects;
  readonly settings: TimerLaneSettings;
  readonly log: Log;
}): TimerLanes {
  // A kind that no lane claims would never be worked, in silence.
  const unclaimed = Object.keys(effects).filter(
    (kind) => !LANES.some(({ kinds }) => kinds.some((own) => own === kind)),
  );
  if (unclaimed.length > 0) throw new Error(`no lane of timers claims ${unclaimed.join(', ')}`);
  const queue = new TimerQueue(database);
  const lanes = LANES.map(({ name, kinds, environment, seats, share }) => {
    const shareOf = (max: number): number => Math.max(1, Math.floor(max * share));
    const worker = new TimerWorker({
      ...{ database, queue, log, environment, leaseMs: settings.TIMER_LEASE_MS },
      hands: new Hands({ max: shareOf(settings[seats]), perAccountMax: shareOf(settings.TIMER_ACCOUNT_CONCURRENCY) }),
      effects: Object.fromEntries(Object.entries(effects).filter(([kind]) => kinds.some((each) => each === kind))),
      ended: () => {
        loop.wake();
      },
    });
    const loop = new Polling({ name, pass: () => worker.pass(), pauseMs: settings.POLL_MS, log });
    return { worker, loop };
  });
  requireLanes(effects);
  return {
    workers: lanes.map(({ worker }) => worker),
    loops: lanes.map(({ loop }) => loop),
    wake: () => {
      for (const { loop } of lanes) loop.wake();
    },
  };
}

/** A kind that no lane works would be due for ever. */
function requireLanes(effects: TimerEffects): void {
  const worked = new Set<string>(LANES.flatMap(({ kinds }) => kinds));
  const unworked = Object.keys(effects).filter((kind) => !worked.has(kind));
  if (unworked.length > 0) throw new Error(`no lane works timers of kind ${unworked.join(', ')}`);
}
