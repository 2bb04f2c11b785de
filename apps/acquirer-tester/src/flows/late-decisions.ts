import { setTimeout as pause } from 'node:timers/promises';
import { type Flow, type Stage, WITHOUT } from '../scene/flow.js';
import type { FlowContext, Payment } from '../scene/flow-context.js';
import { checkInTime, describeAnswer, isRefused, isUndecided } from '../steps/answers.js';
import {
  acceptAuthorisation,
  authorise,
  checkRepeated,
  sendAuthorisation,
  toMadeCall,
} from '../steps/authorisations.js';
import { checkInquired, checkOutcome, lateLimitMs, waitForDecision } from '../steps/inquiries.js';
import { newReversal, reverse } from '../steps/reversals.js';
import { OVER } from './authorising.js';
import { repeatUntilDecided } from './repeating.js';

/** A deadline that a late decision does not meet. */
const SHORT_DEADLINE_MS = 300;

/** Authorisations whose call ends before their decision. */
export const LATE_FLOWS: readonly Flow[] = [
  {
    name: 'late-approval',
    tests: 'a decision that comes after its call has ended, by inquiry and by a repeat',
    needs: [],
    findSkip: WITHOUT.lateCard,
    play: async ({ scene, step }) => {
      const payment = newLatePayment(scene);
      await step('authorise', async (stage) => {
        checkInTime(stage, toMadeCall(payment), await sendAuthorisation(stage, payment));
      });
      const decided = await step('wait', (stage) => waitForDecision(stage, payment.reference), lateLimitMs(scene));
      await step('again', async (stage) => {
        const answer = await sendAuthorisation(stage, payment);
        acceptAuthorisation(stage, payment, { answer, clause: 'repeat.after-lost' });
        checkRepeated(stage, toMadeCall(payment), { answer, first: decided, clause: 'inquire.agrees' });
      });
      await step('inquire', async (stage) => {
        await checkOutcome(stage, payment.reference, { clause: 'inquire.final', outcomes: [decided.outcome] });
        await checkInquired(stage, toMadeCall(payment), decided);
      });
    },
  },
  {
    name: 'deadline-exceeded',
    tests: 'a caller whose deadline ends first inquires, and reverses',
    needs: ['separateCapture'],
    findSkip: WITHOUT.lateCard,
    play: async ({ scene, step }) => {
      const payment = { ...newLatePayment(scene), isPurchase: false };
      await step('authorise', async (stage) => {
        await sendAuthorisation(stage, payment, { deadlineMs: SHORT_DEADLINE_MS });
      });
      await step('wait', (stage) => waitForDecision(stage, payment.reference), lateLimitMs(scene));
      await step('again', (stage) => repeatUntilDecided(stage, payment), lateLimitMs(scene));
      await step('reverse', (stage) =>
        reverse(stage, newReversal(stage, payment.reference), { clause: 'reverse.undoes' }),
      );
      await step('inquire', (stage) =>
        checkOutcome(stage, payment.reference, { clause: 'reverse.undoes', outcomes: OVER.slice(0, 1) }),
      );
    },
  },
  {
    name: 'late-reversed',
    tests: 'a reversal that overtakes the decision wins',
    needs: ['separateCapture'],
    findSkip: WITHOUT.lateCard,
    play: async ({ scene, step }) => {
      const payment = newLatePayment(scene);
      await step('authorise', async (stage) => {
        await sendAuthorisation(stage, payment, { deadlineMs: SHORT_DEADLINE_MS });
      });
      await step(
        'reverse',
        (stage) => reverse(stage, newReversal(stage, payment.reference), { clause: 'reverse.late' }),
        lateLimitMs(scene),
      );
      const quietMs = scene.profile.lateSeconds * 1_000;
      await step(
        'wait',
        async (stage) => {
          await pause(quietMs, undefined, { signal: stage.step.signal });
        },
        quietMs,
      );
      await step('inquire', (stage) =>
        checkOutcome(stage, payment.reference, { clause: 'reverse.late', outcomes: OVER }),
      );
      await step('authorise again', (stage) => checkPrevented(stage, payment));
    },
  },
  {
    name: 'reverse-at-once',
    tests: 'an authorisation and its reversal at the same time',
    needs: ['reversalOfUnknownReference', 'separateCapture'],
    play: async ({ scene, step }) => {
      for (const round of [1, 2, 3]) {
        const payment = scene.newPayment({});
        await step(`both ${round}`, async (stage) => {
          const reversal = newReversal(stage, payment.reference);
          await Promise.all([
            sendAuthorisation(stage, payment),
            reverse(stage, reversal, { clause: 'reverse.unknown' }),
          ]);
        });
        await step(`inquire ${round}`, (stage) =>
          checkOutcome(stage, payment.reference, { clause: 'reverse.prevents', outcomes: OVER }),
        );
        await step(`authorise ${round} again`, (stage) => checkPrevented(stage, payment));
      }
    },
  },
  {
    name: 'final-outcome',
    tests: 'an outcome that does not change',
    needs: [],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true });
      const first = await step('authorise', (stage) => authorise(stage, payment));
      await step('inquire', async (stage) => {
        for (let time = 0; time < INQUIRIES; time += 1) {
          await checkInquired(stage, toMadeCall(payment), first);
          await checkOutcome(stage, payment.reference, { clause: 'inquire.final', outcomes: [first.outcome] });
        }
      });
    },
  },
];

const INQUIRIES = 3;

/** Checks that an authorisation under a reversed reference is not approved. */
export async function checkPrevented(stage: Stage, payment: Payment): Promise<void> {
  const answer = await sendAuthorisation(stage, payment);
  stage.step.check(isRefused(answer), {
    ...{ clause: 'reverse.prevents', member: 'Authorise after its reversal', expected: 'DECLINED' },
    found: describeAnswer(answer),
  });
  stage.step.check(!isUndecided(answer), {
    ...{ clause: 'reverse.prevents', member: 'Authorise after its reversal', expected: 'a decision' },
    found: describeAnswer(answer),
  });
}

function newLatePayment(scene: FlowContext): Payment {
  const { approvesLate, approves } = scene.profile.cards;
  return scene.newPayment({ card: approvesLate ?? approves });
}
