import { Check } from '@pos/conformance/checks';
import type { StepEnd } from '@pos/conformance/steps';
import type { Scope } from '@pos/core/identity';
import { presentMoment } from '@pos/rest-contracts/shapes';
import type { Database } from '@pos/store/database';
import { type TesterRun, type TesterRunStatus, updateTesterRun } from '@pos/store/repositories';
import { z } from 'zod';

export type RunStatus = TesterRunStatus;
/** How a step or a run ends. */
export type RunEnding = Exclude<RunStatus, 'IN_PROGRESS'>;

const StoredStep = z.object({
  name: z.string(),
  status: z.enum(['IN_PROGRESS', 'SUCCESS', 'FAILURE', 'TIMED_OUT']),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
  additionalInformation: z.array(z.string()),
  checks: z.array(Check),
  /** While the step runs: until when its process is known to be alive. */
  aliveUntil: z.string().nullable(),
});

/** A step as it is stored; times are ISO text, of the database's clock. */
export type RunStep = z.output<typeof StoredStep>;

/** A run with its steps read. */
export interface Run extends Omit<TesterRun, 'steps'> {
  readonly steps: readonly RunStep[];
}

/** A run that was not renewed for this long has lost its process. */
const ALIVE_MS = 20_000;
const UNPRINTABLE = /\0|\p{Surrogate}/gu;

/** Parses a stored run. */
export function createRun(stored: TesterRun): Run {
  return { ...stored, steps: z.array(StoredStep).parse(stored.steps) };
}

/** A step that starts now. */
export function createOpenStep(name: string, now: Date): RunStep {
  return {
    name,
    status: 'IN_PROGRESS',
    startedAt: presentMoment(now),
    finishedAt: null,
    additionalInformation: [],
    checks: [],
    aliveUntil: presentMoment(new Date(now.getTime() + ALIVE_MS)),
  };
}

/** The step with its end. */
export function endStep(step: RunStep, end: StepEnd & { readonly now: Date }): RunStep {
  return {
    ...step,
    status: end.status,
    finishedAt: presentMoment(end.now),
    additionalInformation: end.lines.map(toStorableRun),
    checks: end.checks.map((check) => ({
      ...check,
      member: toStorableRun(check.member),
      found: toStorableRun(check.found),
    })),
    aliveUntil: null,
  };
}

/** JSON columns accept neither NUL nor lone surrogates. */
function toStorableRun(line: string): string {
  return line.replace(UNPRINTABLE, '\uFFFD');
}

/** Whether no process plays the run any more. */
export function isAbandoned({ status, steps }: Run, now: Date): boolean {
  const aliveUntil = steps.at(-1)?.aliveUntil ?? null;
  return status === 'IN_PROGRESS' && (aliveUntil === null || Date.parse(aliveUntil) < now.getTime());
}

/** The record of one active run. Writes happen in the order of the calls. */
export class RunRecorder {
  #steps: readonly RunStep[];
  #writing: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: { readonly database: Database; readonly scope: Scope; readonly run: Run }) {
    this.#steps = parts.run.steps;
  }

  /** Ends the current step and starts the next. */
  async next(name: string, end: StepEnd): Promise<void> {
    await this.#write('IN_PROGRESS', (now) => [...this.#ended(end, now), createOpenStep(name, now)]);
  }

  /** Ends the last step, and with it the run. */
  async finish(status: RunEnding, end: StepEnd): Promise<void> {
    await this.#write(status, (now) => this.#ended(end, now));
  }

  /** Renews the run, so that it does not count as abandoned. */
  async renew(): Promise<void> {
    await this.#write('IN_PROGRESS', (now) =>
      this.#steps.map((step) =>
        step.aliveUntil === null ? step : { ...step, aliveUntil: createOpenStep(step.name, now).aliveUntil },
      ),
    );
  }

  #ended(end: StepEnd, now: Date): RunStep[] {
    return this.#steps.map((step) => (step.status === 'IN_PROGRESS' ? endStep(step, { ...end, now }) : step));
  }

  #write(status: RunStatus, change: (now: Date) => readonly RunStep[]): Promise<void> {
    const { database, scope, run } = this.parts;
    const written = this.#writing.then(() =>
      database.transact(scope, async (tx) => {
        const steps = change(tx.databaseNow);
        const finishedAt = status === 'IN_PROGRESS' ? null : tx.databaseNow;
        if (!(await updateTesterRun(tx, { id: run.id, status, finishedAt, steps }))) throw new RunLostError();
        this.#steps = steps;
      }),
    );
    // A failed write must not prevent the next one.
    this.#writing = written.catch(() => undefined);
    return written;
  }
}

/** Another tester has ended the run, because it counted as abandoned. */
export class RunLostError extends Error {
  override readonly name = 'RunLost';
}
