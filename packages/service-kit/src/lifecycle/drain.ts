import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../telemetry/log.js';

/**
 * A part of a process that must finish before the exit: `stop` ends the intake of work and resolves when none is left.
 */
export interface DrainStep {
  readonly name: string;
  readonly stop: () => Promise<void> | void;
}

/** The time limit between SIGTERM and the exit. */
const DRAIN_TIMEOUT_MS = 30_000;

/** The time between the announcement of the end and the end, in which the ports still serve. */
export interface LameDuck {
  /** Has the ports say that they will close. */
  readonly announce: () => void;
  readonly timeMs: number;
}

/**
 * On SIGTERM: announces the end, serves on for the lame-duck time, in which load balancers and clients with open
 * connections move to other processes, and then drains. SIGINT comes from a person, who does not want to wait: the drain
 * follows at once. On both: stops the parts one after another, in their current order in the list, and exits with 0. What
 * is not finished 30 seconds after the drain has begun is abandoned (its lease expires) and the process exits with 1. A part
 * that fails is logged and does not keep the next from stopping; further signals have no effect. Call it before the
 * first part starts, with a list to which each started part is added, so that every part is stopped. Returns a function
 * that does the same without a signal.
 */
export function drainOnSignal({
  log,
  steps,
  lameDuck = null,
  limitMs = DRAIN_TIMEOUT_MS,
  exit = (code) => process.exit(code),
}: {
  log: Log;
  steps: readonly DrainStep[];
  lameDuck?: LameDuck | null;
  limitMs?: number;
  exit?: (code: number) => void;
}): (reason: string) => Promise<void> {
  let draining: Promise<void> | null = null;
  const drain = (reason: string): Promise<void> =>
    (draining ??= (async () => {
      lameDuck?.announce();
      const waitMs = reason === 'SIGTERM' ? (lameDuck?.timeMs ?? 0) : 0;
      if (waitMs > 0) {
        log.info('process.shutdown_announced', { lame_duck_ms: waitMs });
        await pause(waitMs);
      }
      await runDrainSteps({ log, steps: [...steps], limitMs, exit, reason });
    })().finally(() => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    }));
  // Not `once`: a second signal would find no listener and end the process during the drain.
  const onSignal = (signal: string): void => void drain(signal);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return drain;
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

interface DrainRun {
  readonly log: Log;
  readonly steps: readonly DrainStep[];
  readonly limitMs: number;
  readonly exit: (code: number) => void;
  readonly reason: string;
}

async function runDrainSteps({ log, steps, limitMs, exit, reason }: DrainRun): Promise<void> {
  const startedAt = performance.now();
  const finished: string[] = [];
  const failed: string[] = [];
  const drainDeadline = startDeadline(limitMs);
  const stopSteps = (async () => {
    for (const { name, stop } of steps) {
      try {
        await stop();
        finished.push(name);
      } catch (error) {
        failed.push(name);
        log.error('process.drain_failed', { part: name, error });
      }
    }
    return 'stopped' as const;
  })();
  const outcome = await Promise.race([stopSteps, drainDeadline.passed]);
  drainDeadline.clear();
  const unfinished = steps.map(({ name }) => name).filter((name) => !finished.includes(name) && !failed.includes(name));
  log.info('process.drained', {
    reason,
    finished,
    failed,
    unfinished,
    took_ms: Math.round(performance.now() - startedAt),
  });
  exit(outcome === 'stopped' && failed.length === 0 ? 0 : 1);
}

function startDeadline(limitMs: number): { passed: Promise<'late'>; clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => {
      resolve('late');
    }, limitMs);
  });
  return { passed, clear: () => clearTimeout(timer) };
}
