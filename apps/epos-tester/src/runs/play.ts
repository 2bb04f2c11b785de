import { Refusal } from '@pos/core/refusals/refusal';
import type { Log } from '@pos/service-kit/telemetry/log';
import { createTimeLimit } from '@pos/service-kit/lifecycle/time-limit';
import { cleanup } from './cleanup.js';
import type { FlowStep } from '../scene/flow.js';
import { OpenStep, StepFailed } from '../checks/open-step.js';
import { type RunEnding, type RunRegistry, type StepEnd, findWorstStatus } from './run.js';
import type { FlowContext } from '../scene/scene.js';

/** A run takes at most this long, its cleanup included. */
const RUN_LIMIT_MS = 10 * 60_000;
const CLEANUP_LIMIT_MS = 30_000;
/** How long a step may still record after it was aborted. */
const END_GRACE_MS = 1_000;

/** A run to play. */
export interface FlowRun {
  readonly scene: FlowContext;
  readonly steps: readonly FlowStep[];
  readonly book: RunRegistry;
  /** Aborted when the tester shuts down. */
  readonly stop: AbortSignal;
  readonly log: Log;
}

/**
 * Plays a flow to its end and returns its outcome. After the first step that does not succeed only the cleanup runs.
 */
export async function runFlow({ scene, steps, book, stop, log }: FlowRun): Promise<RunEnding> {
  const { signal: outer, clearLimit } = createTimeLimit(RUN_LIMIT_MS - CLEANUP_LIMIT_MS, stop);
  const stepMs = scene.params.timeoutSeconds * 1000;
  const endings: RunEnding[] = [];
  let last: StepEnd = { status: 'SUCCESS', lines: [], checks: [] };
  let written: Promise<void> = Promise.resolve();
  try {
    for (const [index, step] of steps.entries()) {
      // The first step was opened with the run.
      if (index > 0) await book.next(step.name, last);
      const limitMs = stepMs + (step.waitsMs?.(scene.params) ?? 0);
      last = await attemptStep(step, { scene, limitMs, outer, log });
      endings.push(last.status);
      if (last.status !== 'SUCCESS') break;
    }
    await book.next(cleanup.name, last);
  } catch (error) {
    // The record cannot be written; locks and payments are released all the same.
    written = Promise.reject(error instanceof Error ? error : new Error(String(error)));
    written.catch(() => undefined);
  } finally {
    clearLimit();
  }
  const cleaned = await attemptStep(cleanup, { scene, limitMs: CLEANUP_LIMIT_MS, outer: null, log });
  await written;
  const status = findWorstStatus([...endings, cleaned.status]);
  await book.finish(status, cleaned);
  return status;
}

async function attemptStep(
  { name, act }: FlowStep,
  at: { readonly scene: FlowContext; readonly limitMs: number; readonly outer: AbortSignal | null; readonly log: Log },
): Promise<StepEnd> {
  const { scene, limitMs, outer, log } = at;
  const { signal, clearLimit } = createTimeLimit(limitMs, outer);
  const step = new OpenStep(limitMs, signal);
  const failure = await Promise.race([findFailure(act({ scene, step })), abortRun(signal)]);
  clearLimit();
  if (failure !== null && signal.aborted) {
    step.note(outer?.aborted === true ? STOPPED : `took longer than ${limitMs / 1000} seconds`);
    return getStepEnd(step, 'TIMED_OUT');
  }
  if (failure === null) return getStepEnd(step, 'SUCCESS');
  if (!(failure instanceof StepFailed)) {
    if (!(failure instanceof Refusal)) log.error('tester.step_failed', { step: name, error: failure });
    step.note(`the tester cannot continue: ${failure instanceof Refusal ? failure.detail : 'an error of its own'}`);
  }
  return getStepEnd(step, 'FAILURE');
}

/** A failed check has priority over the other result of the step. */
function getStepEnd(step: OpenStep, status: RunEnding): StepEnd {
  return { status: step.hasFailed ? 'FAILURE' : status, lines: step.lines(), checks: step.checks() };
}

const STOPPED = 'the run was ended: it took its 10 minutes, or the tester was stopped';

/** Null: it did not fail. */
async function findFailure(work: Promise<void>): Promise<Error | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** A step that does not react to the abort is left behind. */
async function abortRun(signal: AbortSignal): Promise<Error> {
  await new Promise<void>((resolve) => {
    const later = (): void => {
      setTimeout(resolve, END_GRACE_MS).unref();
    };
    if (signal.aborted) later();
    else signal.addEventListener('abort', later, { once: true });
  });
  return new StepFailed();
}
