import { Outcome, type Result } from '@pos/grpc-contracts/acquirer';
import { setTimeout as pause } from 'node:timers/promises';
import type { ResultAnswer } from '../acquirer/acquirer-connection.js';
import type { ClauseId } from '../clauses/clauses.js';
import type { Stage } from '../scene/flow.js';
import type { FlowContext } from '../scene/flow-context.js';
import {
  checkReceived,
  describeAnswer,
  describeOutcome,
  isUndecided,
  type MadeCall,
  requireResult,
} from './answers.js';
import { describeDecision } from './authorisations.js';

/** How often a pending decision is looked for. */
export const POLL_MS = 50;
/** What a busy machine may add to the time of the profile. */
const GRACE_MS = 10_000;

/** How long the flows wait for a late decision. */
export function lateLimitMs({ profile }: FlowContext): number {
  return profile.lateSeconds * 1_000 + GRACE_MS;
}

/** Asks for the state of the call under a reference, and checks only what holds for every answer. */
export async function sendInquiry(stage: Stage, reference: string): Promise<ResultAnswer> {
  const answer = await stage.scene.connection.call('inquire', { reference });
  checkReceived(stage, { method: 'Inquire', reference }, answer);
  return answer;
}

/** The result of an inquiry about a call that the adapter must know. */
async function inquire(stage: Stage, made: Pick<MadeCall, 'reference' | 'originalReference'>): Promise<Result> {
  const answer = await sendInquiry(stage, made.reference);
  return requireResult(stage, { ...made, method: 'Inquire' }, answer);
}

/** Checks that Inquire agrees with the answer to the call. */
export async function checkInquired(stage: Stage, made: MadeCall, first: Result): Promise<void> {
  const result = await inquire(stage, made);
  stage.step.check(describeDecision(result) === describeDecision(first), {
    ...{ clause: 'inquire.agrees', member: `Inquire of ${made.method}`, expected: describeDecision(first) },
    found: describeDecision(result),
  });
}

/** Checks the outcome that Inquire answers. */
export async function checkOutcome(
  stage: Stage,
  reference: string,
  { clause, outcomes }: { readonly clause: ClauseId; readonly outcomes: readonly Outcome[] },
): Promise<void> {
  const answer = await sendInquiry(stage, reference);
  const outcome = answer.kind === 'content' ? answer.content?.outcome : undefined;
  stage.step.check(outcome !== undefined && outcomes.includes(outcome), {
    ...{ clause, member: 'Inquire.outcome', expected: outcomes.map(describeOutcome).join(' or ') },
    found: describeAnswer(answer),
  });
}

/** Whether the adapter does not know the reference: the outcome NOT_FOUND, or the status. */
function isNotFound(answer: ResultAnswer): boolean {
  if (answer.kind === 'status') return answer.status === 'NOT_FOUND';
  return answer.content?.outcome === Outcome.OUTCOME_NOT_FOUND;
}

/** Checks that nothing is stored under a reference. */
export async function checkUnknown(
  stage: Stage,
  reference: string,
  { clause, of }: { readonly clause: ClauseId; readonly of: string },
): Promise<void> {
  const answer = await sendInquiry(stage, reference);
  stage.step.check(isNotFound(answer), {
    ...{ clause, member: `Inquire of ${of}`, expected: 'NOT_FOUND', found: describeAnswer(answer) },
  });
}

/** Inquires until the call is decided, and checks that it is never unknown in between. */
export async function waitForDecision(stage: Stage, reference: string): Promise<Result> {
  const { scene, step } = stage;
  const endsAtMs = performance.now() + lateLimitMs(scene);
  for (;;) {
    const answer = await sendInquiry(stage, reference);
    step.check(!isNotFound(answer), {
      ...{ clause: 'inquire.in-progress', member: 'Inquire.outcome', expected: 'IN_PROGRESS or the decision' },
      found: describeAnswer(answer),
    });
    if (!isUndecided(answer) && !isNotFound(answer)) {
      step.saw('inquire.late', { member: 'Inquire.outcome', what: 'the decision' });
      return requireResult(stage, { method: 'Inquire', reference, originalReference: '' }, answer);
    }
    if (performance.now() > endsAtMs || step.signal.aborted) {
      step.fail({
        ...{ clause: 'inquire.late', member: 'Inquire.outcome', expected: 'a decision' },
        found: describeAnswer(answer),
      });
    }
    await pause(POLL_MS);
  }
}
