import { setTimeout as pause } from 'node:timers/promises';
import type { AlertStage } from './alert-stage.js';

/** A condition that an operator must learn of, provoked in the real service. */
export interface AlertScenario {
  /** The alerts that must fire, and clear again. */
  readonly alerts: readonly string[];
  readonly says: string;
  /** Whether this machine permits to provoke it; true when left out. */
  readonly isPossible?: () => boolean;
  /** Provokes the condition. Returns what ends it. */
  readonly provoke: (at: AlertStage) => Promise<() => Promise<void>>;
  /** What happens before each scrape while the condition lasts: traffic that it affects. */
  readonly during?: (at: AlertStage) => Promise<void>;
  /** What happens before each scrape after it has ended. */
  readonly after?: (at: AlertStage) => Promise<void>;
}

/** A worker reads the counts over all accounts again after this time. It is real time, not the time of the monitor. */
const STATE_AGE_MS_MAX = 2_100;
/** More scrapes than the longest window and `for` of a rule: 15 and 10 minutes of the monitor's clock. */
const STEPS_MAX = 70;

/** Provokes the condition, waits until its alerts fire, ends it, and waits until they are clear. Throws otherwise. */
export async function runAlertScenario(
  at: AlertStage,
  { alerts, provoke, during, after }: AlertScenario,
): Promise<{ readonly firedAfter: number; readonly clearedAfter: number }> {
  const end = await provoke(at);
  await pause(STATE_AGE_MS_MAX);
  let firedAfter: number;
  try {
    firedAfter = await stepUntil(at, {
      before: during,
      isReached: (firing) => alerts.every((alert) => firing.has(alert)),
      failure: (firing) => `${alerts.filter((alert) => !firing.has(alert)).join(', ')} did not fire`,
    });
  } finally {
    await end();
  }
  await pause(STATE_AGE_MS_MAX);
  const clearedAfter = await stepUntil(at, {
    before: after,
    isReached: (firing) => alerts.every((alert) => !firing.has(alert)),
    failure: (firing) => `${alerts.filter((alert) => firing.has(alert)).join(', ')} did not clear`,
  });
  return { firedAfter, clearedAfter };
}

/** Scrapes until no alert fires. Throws with the names of those that do. */
export async function awaitQuiet(at: AlertStage): Promise<void> {
  await stepUntil(at, {
    isReached: (firing) => firing.size === 0,
    failure: (firing) => `without any cause there fires ${[...firing].join(', ')}`,
  });
}

async function stepUntil(
  at: AlertStage,
  {
    before = () => Promise.resolve(),
    isReached,
    failure,
  }: {
    readonly before?: AlertScenario['during'] | undefined;
    readonly isReached: (firing: ReadonlySet<string>) => boolean;
    readonly failure: (firing: ReadonlySet<string>) => string;
  },
): Promise<number> {
  let firing = new Set<string>();
  for (let steps = 1; steps <= STEPS_MAX; steps += 1) {
    await before(at);
    const active = await at.monitor.step();
    firing = new Set(active.filter(({ state }) => state === 'firing').map(({ alert }) => alert));
    if (isReached(firing)) return steps;
  }
  throw new Error(`${failure(firing)} within ${STEPS_MAX} scrapes`);
}
