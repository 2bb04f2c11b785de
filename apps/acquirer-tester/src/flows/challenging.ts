import { Outcome, type Result } from '@pos/grpc-contracts/acquirer';
import { requireValue } from '@pos/core/refusals';
import { setTimeout as pause } from 'node:timers/promises';
import type { ResultAnswer } from '../acquirer/acquirer-connection.js';
import { type Flow, type Stage, WITHOUT } from '../scene/flow.js';
import type { FlowContext, Payment } from '../scene/flow-context.js';
import {
  checkReceived,
  checkRefused,
  describeAnswer,
  isRefused,
  isUndecided,
  requireResult,
} from '../steps/answers.js';
import {
  acceptAuthorisation,
  authorise,
  checkRepeated,
  sendAuthorisation,
  toMadeCall,
} from '../steps/authorisations.js';
import { checkInquired, checkOutcome, lateLimitMs, POLL_MS, sendInquiry, waitForDecision } from '../steps/inquiries.js';
import { doRefusedFollowUp, newFollowUp } from '../steps/money-calls.js';
import { newReversal, reverse } from '../steps/reversals.js';
import { OVER } from './authorising.js';

const NEEDS = ['challenge'] as const;
/** Long enough for the call to arrive, and short enough to lose the answer of an adapter that calls a processor. */
const CANCEL_AFTER_MS = 100;

/** 3-D Secure challenges of the issuer. */
export const CHALLENGING_FLOWS: readonly Flow[] = [
  {
    name: 'challenge-passed',
    tests: 'the payer passes, and the completion is repeated',
    needs: NEEDS,
    findSkip: WITHOUT.challengeCard,
    play: async ({ scene, step }) => {
      const payment = newChallengedPayment(scene);
      const challenged = await step('authorise', (stage) => authoriseChallenged(stage, payment));
      await step('authorise again', async (stage) => {
        const answer = await sendAuthorisation(stage, payment);
        checkRepeated(stage, toMadeCall(payment), { answer, first: challenged });
      });
      const first = await step('complete', async (stage) => {
        const answer = await complete(stage, { payment, challenged, hasPassed: true });
        const result = acceptAuthorisation(stage, payment, { answer, clause: 'challenge.passes' });
        stage.step.check(result.challengePassed, {
          ...{ clause: 'challenge.passes', member: 'challenge_passed', expected: 'true', found: false },
        });
        return result;
      });
      await step('complete again', async (stage) => {
        const answer = await complete(stage, { payment, challenged, hasPassed: true });
        checkRepeated(stage, toMadeCall(payment), { answer, first, clause: 'challenge.repeats' });
        const other = await complete(stage, { payment, challenged, hasPassed: false });
        checkRepeated(stage, toMadeCall(payment), { answer: other, first, clause: 'challenge.repeats' });
      });
      await step('inquire', (stage) => checkInquired(stage, toMadeCall(payment), first));
    },
  },
  {
    name: 'challenge-failed',
    tests: 'the payer fails, and nothing is held',
    needs: NEEDS,
    findSkip: WITHOUT.challengeCard,
    play: async ({ scene, step }) => {
      const payment = newChallengedPayment(scene);
      const challenged = await step('authorise', (stage) => authoriseChallenged(stage, payment));
      const first = await step('complete', async (stage) => {
        const answer = await complete(stage, { payment, challenged, hasPassed: false });
        stage.step.require(answer.kind === 'content' && isRefused(answer), {
          ...{ clause: 'challenge.fails', member: 'CompleteChallenge.outcome', expected: 'DECLINED or FAILED' },
          found: describeAnswer(answer),
        });
        return requireResult(stage, toMadeCall(payment), answer);
      });
      await step('complete again', async (stage) => {
        const answer = await complete(stage, { payment, challenged, hasPassed: true });
        checkRepeated(stage, toMadeCall(payment), { answer, first, clause: 'challenge.repeats' });
      });
    },
  },
  {
    name: 'challenge-answer-lost',
    tests: 'the answer to a completion is lost, and the inquiry finds the decision',
    needs: NEEDS,
    findSkip: WITHOUT.challengeCard,
    play: async ({ scene, step }) => {
      const payment = newChallengedPayment(scene);
      const challenged = await step('authorise', (stage) => authoriseChallenged(stage, payment));
      await step('complete', async (stage) => {
        await complete(stage, { payment, challenged, hasPassed: true, cancelAfterMs: CANCEL_AFTER_MS });
      });
      const waitsMs = scene.profile.lateSeconds * 1_000;
      const isFound = await step('wait', (stage) => waitForChallenge(stage, payment.reference, waitsMs), waitsMs);
      // Decided after every inquiry that has answered a challenge.
      const marker = isFound ? null : await step('authorise another', (stage) => authorise(stage, scene.newPayment()));
      const completed = await step('complete again', async (stage) => {
        const answer = await complete(stage, { payment, challenged, hasPassed: true });
        const result = acceptAuthorisation(stage, payment, { answer, clause: 'challenge.passes' });
        const wasOpen = marker === null || !isEarlier(result.processedAt, marker.processedAt);
        stage.step.check(wasOpen, {
          ...{ clause: 'challenge.lost', member: 'Inquire.outcome', expected: 'the decision', found: 'CHALLENGED' },
        });
        return result;
      });
      await step('inquire', (stage) => checkInquired(stage, toMadeCall(payment), completed));
    },
  },
  {
    name: 'challenge-open',
    tests: 'an open challenge holds nothing, and other merchant data decide nothing',
    needs: NEEDS,
    findSkip: WITHOUT.challengeCard,
    play: async ({ scene, step }) => {
      const payment = newChallengedPayment(scene);
      const challenged = await step('authorise', (stage) => authoriseChallenged(stage, payment));
      await step('wrong md', async (stage) => {
        const answer = await complete(stage, { payment, challenged, hasPassed: true, md: 'of another challenge' });
        checkRefused(
          stage,
          { method: 'CompleteChallenge' },
          {
            ...{ answer, clause: 'challenge.md', of: 'another challenge' },
          },
        );
      });
      await step('inquire', (stage) =>
        checkOutcome(stage, payment.reference, {
          ...{ clause: 'challenge.md', outcomes: [Outcome.OUTCOME_CHALLENGED] },
        }),
      );
      if (!scene.can('separateCapture')) return;
      await step('capture', (stage) =>
        doRefusedFollowUp(stage, newFollowUp(stage, 'capture', { payment, amount: payment.amount }), {
          ...{ clause: 'capture.needs-hold', of: 'an open challenge' },
        }),
      );
    },
  },
  {
    name: 'challenge-reversed',
    tests: 'a reversed challenge cannot be completed',
    needs: NEEDS,
    findSkip: WITHOUT.challengeCard,
    play: async ({ scene, step }) => {
      const payment = newChallengedPayment(scene);
      const challenged = await step('authorise', (stage) => authoriseChallenged(stage, payment));
      await step('reverse', (stage) =>
        reverse(stage, newReversal(stage, payment.reference), { clause: 'reverse.undoes' }),
      );
      await step('complete', async (stage) => {
        const answer = await complete(stage, { payment, challenged, hasPassed: true });
        const isApproved = answer.kind === 'content' && answer.content?.outcome === Outcome.OUTCOME_APPROVED;
        stage.step.check(!isApproved, {
          ...{ clause: 'challenge.reversed', member: 'CompleteChallenge.outcome', expected: 'no approval' },
          found: describeAnswer(answer),
        });
      });
      await step('inquire', (stage) =>
        checkOutcome(stage, payment.reference, { clause: 'challenge.reversed', outcomes: OVER }),
      );
    },
  },
  {
    name: 'challenge-none',
    tests: 'a card that needs a challenge is decided without one where none is possible',
    needs: [],
    findSkip: WITHOUT.challengedCard,
    play: async ({ scene, step }) => {
      const payment = newChallengedPayment(scene);
      const answer = await step('authorise', async (stage) => {
        const sent = await sendAuthorisation(stage, payment, { values: { noChallenge: true } });
        requireUnchallenged(stage, 'Authorise', sent);
        return sent;
      });
      const decided = await step('inquire', (stage) => inquireUnchallenged(stage, payment, answer), lateLimitMs(scene));
      if (!isRefused(decided) || !scene.can('separateCapture')) return;
      await step('capture', (stage) =>
        doRefusedFollowUp(stage, newFollowUp(stage, 'capture', { payment, amount: payment.amount }), {
          ...{ clause: 'challenge.none', of: 'an authorisation that was declined' },
        }),
      );
    },
  },
  {
    name: 'challenge-never',
    tests: 'what was never challenged, or is unknown, cannot be completed',
    needs: NEEDS,
    play: async ({ scene, step }) => {
      const payment = scene.newPayment();
      await step('authorise', (stage) => authorise(stage, payment));
      for (const subject of ['an approval', 'an unknown reference']) {
        await step(`complete ${subject}`, async (stage) => {
          const reference = subject === 'an approval' ? payment.reference : scene.newReference();
          const answer = await scene.connection.call('completeChallenge', { reference, paRes: 'any', md: 'any' });
          checkReceived(stage, { method: 'CompleteChallenge', reference }, answer);
          checkRefused(stage, { method: 'CompleteChallenge' }, { answer, clause: 'challenge.never', of: subject });
        });
      }
    },
  },
];

function newChallengedPayment(scene: FlowContext): Payment {
  const { challenges, approves } = scene.profile.cards;
  return scene.newPayment({ card: challenges ?? approves });
}

async function authoriseChallenged(stage: Stage, payment: Payment): Promise<Result> {
  const answer = await sendAuthorisation(stage, payment);
  const result = requireResult(stage, toMadeCall(payment), answer);
  const { stepUpUrl = '', paReq = '', md = '' } = result.challenge ?? {};
  const isWhole = result.outcome === Outcome.OUTCOME_CHALLENGED && URL.canParse(stepUpUrl) && paReq !== '' && md !== '';
  stage.step.require(isWhole, {
    ...{ clause: 'challenge.asks', member: 'Authorise.challenge', expected: 'CHALLENGED with page, message and data' },
    found: `${describeAnswer(answer)} with ${stepUpUrl === '' ? 'no page' : stepUpUrl}`,
  });
  return result;
}

function requireUnchallenged({ step }: Stage, method: string, answer: ResultAnswer): void {
  const isChallenged = answer.kind === 'content' && answer.content?.outcome === Outcome.OUTCOME_CHALLENGED;
  step.require(!isChallenged, {
    ...{ clause: 'challenge.none', member: `${method}.outcome`, expected: 'DECLINED, or another decision' },
    found: describeAnswer(answer),
  });
}

/** Inquires until an authorisation without challenges is decided, and returns the decision. An approval is booked. */
async function inquireUnchallenged(stage: Stage, payment: Payment, answer: ResultAnswer): Promise<ResultAnswer> {
  const decided: ResultAnswer = isUndecided(answer)
    ? { kind: 'content', content: await waitForDecision(stage, payment.reference) }
    : answer;
  requireUnchallenged(stage, 'Inquire', decided);
  // Refused for good by a status: nothing is stored under the reference.
  if (decided.kind === 'status') return decided;
  const isApproved = decided.content?.outcome === Outcome.OUTCOME_APPROVED;
  const result = isApproved
    ? acceptAuthorisation(stage, payment, { answer: decided, clause: 'challenge.none' })
    : requireResult(stage, toMadeCall(payment), decided);
  await checkInquired(stage, toMadeCall(payment), result);
  return decided;
}

/**
 * Inquires until the challenge is decided, or for this long. An adapter that never received the completion answers
 * CHALLENGED all the time, and is right.
 */
async function waitForChallenge(stage: Stage, reference: string, forMs: number): Promise<boolean> {
  const endsAtMs = performance.now() + forMs;
  for (;;) {
    const answer = await sendInquiry(stage, reference);
    const outcome = answer.kind === 'content' ? answer.content?.outcome : undefined;
    const isOpen = outcome === Outcome.OUTCOME_CHALLENGED || isUndecided(answer);
    stage.step.check(isOpen || outcome === Outcome.OUTCOME_APPROVED, {
      ...{ clause: 'challenge.lost', member: 'Inquire.outcome', expected: 'APPROVED, or CHALLENGED until then' },
      found: describeAnswer(answer),
    });
    if (!isOpen) return true;
    if (performance.now() > endsAtMs || stage.step.signal.aborted) return false;
    await pause(POLL_MS);
  }
}

function isEarlier(time: Date | undefined, other: Date | undefined): boolean {
  return time !== undefined && other !== undefined && time.getTime() < other.getTime();
}

async function complete(
  stage: Stage,
  order: {
    readonly payment: Payment;
    readonly challenged: Result;
    readonly hasPassed: boolean;
    readonly md?: string;
    readonly cancelAfterMs?: number;
  },
): Promise<ResultAnswer> {
  const { profile, connection } = stage.scene;
  const { reference } = order.payment;
  const answers = requireValue(profile.challengeAnswers, 'the answers to a challenge');
  const md = order.md ?? order.challenged.challenge?.md ?? '';
  const request = { reference, paRes: order.hasPassed ? answers.passed : answers.failed, md };
  const { cancelAfterMs } = order;
  const options = cancelAfterMs === undefined ? {} : { cancelAfterMs };
  const answer = await connection.call('completeChallenge', request, options);
  checkReceived(stage, { method: 'CompleteChallenge', reference }, answer);
  return answer;
}
