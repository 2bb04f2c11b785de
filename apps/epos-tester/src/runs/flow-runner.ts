import { attemptStep, type StepEnd } from '@pos/conformance/steps';
import { findWorstStatus } from '@pos/conformance/records';
import type { Log } from '@pos/service-kit/telemetry';
import { createTimeLimit } from '@pos/service-kit/lifecycle';
import { cleanup } from './cleanup.js';
import type { FlowStep } from '../flow-context/flow.js';
import { CLAUSES } from '../checks/clauses.js';
import type { RunEnding, RunRecorder } from './run.js';
import type { FlowContext } from '../flow-context/flow-context.js';

/** A run takes at most this long, its cleanup included. */
const RUN_LIMIT_MS = 10 * 60_000;
const CLEANUP_LIMIT_MS = 30_000;

/** A run to play. */
export interface FlowRun {
  readonly flowContext: FlowContext;
  readonly steps: readonly FlowStep[];
  readonly recorder: RunRecorder;
  /** Aborted when the tester shuts down. */
  readonly stop: AbortSignal;
  readonly log: Log;
}

/**
 * Plays a flow to its end and returns its outcome. After the first step that does not succeed only the cleanup runs.
 */
export async function runFlow({ flowContext, steps, recorder, stop, log }: FlowRun): Promise<RunEnding> {
  const { signal: outer, clearLimit } = createTimeLimit(RUN_LIMIT_MS - CLEANUP_LIMIT_MS, stop);
  const stepMs = flowContext.params.timeoutSeconds * 1000;
  const endings: RunEnding[] = [];
  let last: StepEnd = { status: 'SUCCESS', lines: [], checks: [] };
  let written: Promise<void> = Promise.resolve();
  try {
    for (const [index, step] of steps.entries()) {
      // The first step was opened with the run.
      if (index > 0) await recorder.next(step.name, last);
      const limitMs = stepMs + (step.waitsMs?.(flowContext.params) ?? 0);
      last = await playStep(step, { flowContext, limitMs, outer, log });
      endings.push(last.status);
      if (last.status !== 'SUCCESS') break;
    }
    await recorder.next(cleanup.name, last);
  } catch (error) {
    // The record cannot be written; locks and payments are released all the same.
    written = Promise.reject(error instanceof Error ? error : new Error(String(error)));
    written.catch(() => undefined);
  } finally {
    clearLimit();
  }
  const cleaned = await playStep(cleanup, { flowContext, limitMs: CLEANUP_LIMIT_MS, outer: null, log });
  await written;
  const status = findWorstStatus([...endings, cleaned.status]);
  await recorder.finish(status, cleaned);
  return status;
}

function playStep(
  { name, act }: FlowStep,
  at: {
    readonly flowContext: FlowContext;
    readonly limitMs: number;
    readonly outer: AbortSignal | null;
    readonly log: Log;
  },
): Promise<StepEnd> {
  const { flowContext, limitMs, outer, log } = at;
  return attemptStep({
    ...{ clauses: CLAUSES, limitMs, outer },
    act: (step) => act({ flowContext, step }),
    onDefect: (error) => {
      log.error('tester.step_failed', { step: name, error });
    },
  });
}
