import { Refusal } from '@pos/core/refusals';
import { createTimeLimit } from '@pos/service-kit/lifecycle';
import type { Check } from '../checks/check.js';
import { OpenStep, StepFailed } from '../checks/open-step.js';
import type { FlowEnding } from '../records/flow-record.js';

/** The end of a step: its lines and its checks. */
export interface StepEnd {
  readonly status: FlowEnding;
  readonly lines: readonly string[];
  readonly checks: readonly Check[];
}

/** A step to run, with its limits. */
interface StepAttempt<C extends string> {
  readonly act: (step: OpenStep<C>) => Promise<void>;
  readonly clauses: Readonly<Record<C, string>>;
  readonly limitMs: number;
  /** Aborted when the whole run must end. */
  readonly outer: AbortSignal | null;
  /** Receives an error that is neither a failed check nor a refusal. */
  readonly onDefect: (error: Error) => void;
}

/** How long a step may still record after it was aborted. */
const END_GRACE_MS = 1_000;
const STOPPED = 'the run was ended: it took its 10 minutes, or the tester was stopped';

/** Runs one step within its limit and returns its end. It never throws. */
export async function attemptStep<C extends string>(attempt: StepAttempt<C>): Promise<StepEnd> {
  const { act, clauses, limitMs, outer, onDefect } = attempt;
  const { signal, clearLimit } = createTimeLimit(limitMs, outer);
  const step = new OpenStep({ limitMs, signal, clauses });
  const failure = await Promise.race([findFailure(act(step)), abortRun(signal)]);
  clearLimit();
  if (failure !== null && signal.aborted) {
    step.note(outer?.aborted === true ? STOPPED : `took longer than ${limitMs / 1000} seconds`);
    return getStepEnd(step, 'TIMED_OUT');
  }
  if (failure === null) return getStepEnd(step, 'SUCCESS');
  if (!(failure instanceof StepFailed)) {
    if (!(failure instanceof Refusal)) onDefect(failure);
    step.note(`the tester cannot continue: ${failure instanceof Refusal ? failure.detail : 'an error of its own'}`);
  }
  return getStepEnd(step, 'FAILURE');
}

/** A failed check has priority over the other result of the step. */
function getStepEnd<C extends string>(step: OpenStep<C>, status: FlowEnding): StepEnd {
  return { status: step.hasFailed ? 'FAILURE' : status, lines: step.lines(), checks: step.checks() };
}

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
