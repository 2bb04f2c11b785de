import { attemptStep } from '@pos/conformance/steps';
import { type FlowEnding, type FlowRecord, findWorstStatus, type StepRecord } from '@pos/conformance/records';
import type { Log } from '@pos/service-kit/telemetry';
import { CLAUSES } from '../clauses/clauses.js';
import { checkBooks } from '../steps/books.js';
import { releaseHolds } from '../steps/cleanup.js';
import type { Flow, Stage } from '../scene/flow.js';
import type { FlowContext } from '../scene/flow-context.js';

const STEP_LIMIT_MS = 30_000;
const CLEANUP_LIMIT_MS = 30_000;

interface FlowPlay {
  readonly scene: FlowContext;
  /** Aborted when the tester shuts down. */
  readonly stop: AbortSignal;
  readonly log: Log;
  /** ISO 8601, for the reports. */
  readonly startedAt: string;
}

/** Plays a flow to its end: its steps, the check of the books, and the cleanup, which always runs. */
export async function playFlow(
  flow: Flow,
  { scene, stop, log, startedAt }: FlowPlay,
): Promise<Pick<FlowRecord, 'status' | 'startedAt' | 'tookMs' | 'steps'>> {
  const steps: StepRecord[] = [];
  const startedMs = performance.now();
  const attempt = async (
    name: string,
    act: (stage: Stage) => Promise<void>,
    { limitMs, outer }: { readonly limitMs: number; readonly outer: AbortSignal | null },
  ): Promise<FlowEnding> => {
    const stepMs = performance.now();
    const onDefect = (error: Error): void => {
      log.error('tester.step_failed', { step: name, error });
    };
    const end = await attemptStep({
      ...{ clauses: CLAUSES, limitMs, outer, onDefect },
      act: (step) => act({ scene, step }),
    });
    steps.push({ name, tookMs: Math.round(performance.now() - stepMs), ...end });
    return end.status;
  };
  const step = async <T>(name: string, act: (stage: Stage) => Promise<T>, waitsMs = 0): Promise<T> => {
    const made: T[] = [];
    const status = await attempt(
      name,
      async (stage) => {
        made.push(await act(stage));
      },
      { limitMs: STEP_LIMIT_MS + waitsMs, outer: stop },
    );
    const [value] = made;
    if (status !== 'SUCCESS' || made.length === 0) throw new FlowEnded();
    return value as T;
  };
  try {
    await flow.play({ scene, step });
    if (scene.can('bookedList')) await step('books', checkBooks);
  } catch (error) {
    if (!(error instanceof FlowEnded)) throw error;
  }
  await attempt('cleanup', releaseHolds, { limitMs: CLEANUP_LIMIT_MS, outer: null });
  const status = findWorstStatus(steps.map((each) => (each.status === 'IN_PROGRESS' ? 'FAILURE' : each.status)));
  return { status, startedAt, tookMs: Math.round(performance.now() - startedMs), steps };
}

/** A step did not succeed, so the flow has ended. Its record says why. */
class FlowEnded extends Error {
  override readonly name = 'FlowEnded';
}
