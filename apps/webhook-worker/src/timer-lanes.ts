import { type Environment, ENVIRONMENTS } from '@pos/core/identity';
import type { Log } from '@pos/service-kit/telemetry';
import { AccountConcurrencyLimiter, PollingLoop } from '@pos/service-kit/lifecycle';
import type { Database } from '@pos/store/database';
import { type TimerKind, TimerQueue } from '@pos/store/queues';
import type { Config } from './config/config.js';
import { type TimerEffects, TimerWorker } from './timers/timer-worker.js';

/** The settings of the lanes. */
type TimerLaneSettings = Pick<
  Config,
  'TIMER_CONCURRENCY' | 'TIMER_ACCOUNT_CONCURRENCY' | 'ACQUIRER_CONCURRENCY' | 'TIMER_LEASE_MS' | 'POLL_MS'
>;

/** Kinds that are claimed and worked together, and their share of the slots of a setting. */
interface TimerLaneDefinition {
  readonly name: string;
  readonly kinds: readonly TimerKind[];
  /** A lane with calls to an acquirer belongs to that acquirer, and so to one environment. */
  readonly environment: Environment | null;
  readonly concurrencySetting: 'TIMER_CONCURRENCY' | 'ACQUIRER_CONCURRENCY';
  readonly share: number;
}

/** Timers without external calls: the windows of terminal sessions, and the ends of intents, holds and setups. */
const DEADLINE_KINDS = [
  'session-window',
  'hold-end',
  'intent-expiry',
  'setup-expiry',
  'setup-card-expiry',
] as const satisfies TimerKind[];
/** Timers with calls to the acquirer: to find outcomes, and to check the approvals of card machines. */
const ACQUIRER_KINDS = ['acquirer-call', 'machine-approval'] as const satisfies TimerKind[];
const MAINTENANCE_KINDS = [
  'webhook-subscription',
  'webhook-replay',
  'retention',
  'portal-users',
] as const satisfies TimerKind[];

/**
 * Each lane has its own slots, claims and loop. Work that waits for an external service (an acquirer, a mail server) or
 * takes long never occupies the slot of a deadline (ADR 0052).
 */
const TIMER_LANES: readonly TimerLaneDefinition[] = [
  { name: 'deadlines', kinds: DEADLINE_KINDS, environment: null, concurrencySetting: 'TIMER_CONCURRENCY', share: 1 },
  {
    name: 'maintenance',
    kinds: MAINTENANCE_KINDS,
    environment: null,
    concurrencySetting: 'TIMER_CONCURRENCY',
    share: 1 / 4,
  },
  { name: 'mails', kinds: ['mail'], environment: null, concurrencySetting: 'TIMER_CONCURRENCY', share: 1 / 2 },
  ...ENVIRONMENTS.flatMap((environment): TimerLaneDefinition[] => {
    const concurrencySetting = 'ACQUIRER_CONCURRENCY';
    return [
      {
        name: `acquirer calls of ${environment}`,
        kinds: ACQUIRER_KINDS,
        environment,
        concurrencySetting,
        share: 1,
      },
      {
        name: `reconciliations of ${environment}`,
        kinds: ['reconciliation'],
        environment,
        concurrencySetting,
        share: 1 / 4,
      },
    ];
  }),
];

/** The running lanes of due timers. */
export interface TimerLanes {
  readonly workers: readonly TimerWorker[];
  readonly loops: readonly PollingLoop[];
  /** Runs a pass at once, because a timer may be due. */
  readonly wake: () => void;
}

/** Creates the lanes; the caller starts and stops their loops. Timers of kinds without an effect are not claimed. */
export function createTimerLanes({
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
  requireLaneForEveryKind(effects);
  const queue = new TimerQueue(database);
  const lanes = TIMER_LANES.map(({ name, kinds, environment, concurrencySetting, share }) => {
    const takeShare = (max: number): number => Math.max(1, Math.floor(max * share));
    const worker = new TimerWorker({
      ...{ database, queue, log, environment, leaseMs: settings.TIMER_LEASE_MS },
      limiter: new AccountConcurrencyLimiter({
        total: takeShare(settings[concurrencySetting]),
        perAccount: takeShare(settings.TIMER_ACCOUNT_CONCURRENCY),
      }),
      effects: Object.fromEntries(Object.entries(effects).filter(([kind]) => kinds.some((each) => each === kind))),
    });
    const loop = new PollingLoop({ name, pass: (wake) => worker.runPass(wake), pauseMs: settings.POLL_MS, log });
    return { worker, loop };
  });
  return {
    workers: lanes.map(({ worker }) => worker),
    loops: lanes.map(({ loop }) => loop),
    wake: () => {
      for (const { loop } of lanes) loop.wake();
    },
  };
}

/** Throws for a kind without a lane, whose timers would stay due without any error. */
function requireLaneForEveryKind(effects: TimerEffects): void {
  const coveredKinds = new Set<string>(TIMER_LANES.flatMap(({ kinds }) => kinds));
  const uncoveredKinds = Object.keys(effects).filter((kind) => !coveredKinds.has(kind));
  if (uncoveredKinds.length > 0) throw new Error(`no lane works timers of kind ${uncoveredKinds.join(', ')}`);
}
