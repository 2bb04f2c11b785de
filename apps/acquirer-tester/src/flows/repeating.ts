import { Outcome, type Result } from '@pos/grpc-contracts/acquirer';
import { setTimeout as pause } from 'node:timers/promises';
import type { ResultAnswer } from '../acquirer/acquirer-connection.js';
import type { ClauseId } from '../clauses/clauses.js';
import type { Flow, Stage } from '../scene/flow.js';
import type { Payment } from '../scene/flow-context.js';
import { checkStatus, describeAnswer, isUndecided } from '../steps/answers.js';
import {
  acceptAuthorisation,
  authorise,
  checkRepeated,
  sendAuthorisation,
  toMadeCall,
} from '../steps/authorisations.js';
import { checkInquired, lateLimitMs, POLL_MS } from '../steps/inquiries.js';
import { doFollowUp, newFollowUp, sendFollowUp, toFollowUpCall } from '../steps/money-calls.js';

const EQUAL_CALLS = 5;
const CANCEL_AFTER_MS = [0, 1, 3, 10] as const;

/** Calls under one reference that are made more than once. */
export const REPEATING_FLOWS: readonly Flow[] = [
  {
    name: 'repeat-authorise',
    tests: 'an authorisation that is sent again',
    needs: [],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true });
      const first = await step('authorise', (stage) => authorise(stage, payment));
      await step('again', (stage) => repeat(stage, payment, { first, times: 2 }));
      await step('inquire', (stage) => checkInquired(stage, toMadeCall(payment), first));
    },
  },
  {
    name: 'repeat-declined',
    tests: 'a declined authorisation that is sent again stays declined',
    needs: [],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ card: scene.profile.cards.declines });
      const first = await step('authorise', (stage) => sendAuthorisation(stage, payment));
      await step('again', async (stage) => {
        const answer = await sendAuthorisation(stage, payment);
        stage.step.check(describeAnswer(answer) === describeAnswer(first), {
          ...{ clause: 'repeat.same', member: 'Authorise again', expected: describeAnswer(first) },
          found: describeAnswer(answer),
        });
      });
    },
  },
  {
    name: 'repeat-at-once',
    tests: 'equal authorisations at the same time',
    needs: [],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true });
      await step('authorise', async (stage) => {
        const calls = Array.from({ length: EQUAL_CALLS }, () => sendAuthorisation(stage, payment));
        const answers = await Promise.all(calls);
        for (const answer of answers) checkAgrees(stage, answer);
      });
      const first = await step('again', (stage) => repeatUntilDecided(stage, payment));
      await step('inquire', (stage) => checkInquired(stage, toMadeCall(payment), first));
    },
  },
  {
    name: 'repeat-after-lost-answer',
    tests: 'an authorisation whose caller does not get the answer is sent again',
    needs: [],
    play: async ({ scene, step }) => {
      for (const cancelAfterMs of CANCEL_AFTER_MS) {
        const payment = scene.newPayment({ isPurchase: true });
        await step(`lost after ${cancelAfterMs} ms`, async (stage) => {
          await sendAuthorisation(stage, payment, { cancelAfterMs });
        });
        const first = await step(`again after ${cancelAfterMs} ms`, (stage) => repeatUntilDecided(stage, payment));
        await step(`inquire after ${cancelAfterMs} ms`, (stage) => checkInquired(stage, toMadeCall(payment), first));
      }
    },
  },
  {
    name: 'repeat-differs',
    tests: 'a known reference with other values is refused, and the payment stays',
    needs: [],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true });
      const first = await step('authorise', (stage) => authorise(stage, payment));
      const [, otherCurrency] = scene.profile.currencies;
      const others: readonly (readonly [string, Partial<Payment>])[] = [
        ['another amount', { amount: payment.amount + 1_000n }],
        ['another card', { card: scene.profile.cards.approvesToo }],
        ...(otherCurrency === undefined ? [] : [['another currency', { currency: otherCurrency }] as const]),
        ...(scene.can('separateCapture') ? [['a hold', { isPurchase: false }] as const] : []),
      ];
      for (const [name, values] of others) {
        await step(name, async (stage) => {
          const answer = await sendAuthorisation(stage, { ...payment, ...values });
          const member = `Authorise with ${name}`;
          checkStatus(stage, { clause: 'repeat.differs', member }, { answer, statuses: ['ALREADY_EXISTS'] });
        });
      }
      await step('inquire', (stage) => checkInquired(stage, toMadeCall(payment), first));
      await step('refund under the reference', async (stage) => {
        const call = newFollowUp(stage, 'refund', { payment, amount: payment.amount });
        const answer = await sendFollowUp(stage, { ...call, reference: payment.reference });
        const member = 'Refund under the reference of an authorisation';
        checkStatus(stage, { clause: 'repeat.differs', member }, { answer, statuses: ['ALREADY_EXISTS'] });
      });
    },
  },
  {
    name: 'repeat-capture',
    tests: 'a capture that is sent again, at once and with another amount',
    needs: ['separateCapture', 'partialCapture'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: false });
      await step('authorise', (stage) => authorise(stage, payment));
      await step('capture', async (stage) => {
        const call = newFollowUp(stage, 'capture', { payment, amount: scene.tenths(4) });
        await repeatFollowUp(stage, call);
      });
    },
  },
  {
    name: 'repeat-refund',
    tests: 'a refund that is sent again, at once and with another amount',
    needs: ['partialRefund'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true });
      await step('authorise', (stage) => authorise(stage, payment));
      await step('refund', async (stage) => {
        const call = newFollowUp(stage, 'refund', { payment, amount: scene.tenths(4) });
        await repeatFollowUp(stage, call);
      });
    },
  },
];

async function repeat(
  stage: Stage,
  payment: Payment,
  { first, times }: { readonly first: Parameters<typeof checkInquired>[2]; readonly times: number },
): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    checkRepeated(stage, toMadeCall(payment), { answer: await sendAuthorisation(stage, payment), first });
  }
}

/** Sends the call as the first time until its answer is a decision, which must be an approval. */
export async function repeatUntilDecided(
  stage: Stage,
  payment: Payment,
  clause: ClauseId = 'repeat.after-lost',
): Promise<Result> {
  const endsAtMs = performance.now() + lateLimitMs(stage.scene);
  let answer = await sendAuthorisation(stage, payment);
  while (isUndecided(answer) && performance.now() < endsAtMs && !stage.step.signal.aborted) {
    await pause(POLL_MS);
    answer = await sendAuthorisation(stage, payment);
  }
  return acceptAuthorisation(stage, payment, { answer, clause });
}

function checkAgrees({ step }: Stage, answer: ResultAnswer): void {
  const isApproved = answer.kind === 'content' && answer.content?.outcome === Outcome.OUTCOME_APPROVED;
  step.check(isApproved || isUndecided(answer), {
    ...{
      clause: 'repeat.at-once',
      member: 'Authorise',
      expected: 'APPROVED, IN_PROGRESS or a status that proves nothing',
    },
    found: describeAnswer(answer),
  });
}

/** Makes a call, repeats it one by one and at the same time, and sends it with another amount. */
async function repeatFollowUp(stage: Stage, call: Parameters<typeof doFollowUp>[1]): Promise<void> {
  const first = await doFollowUp(stage, call);
  checkRepeated(stage, toFollowUpCall(call), { answer: await sendFollowUp(stage, call), first });
  const answers = await Promise.all([sendFollowUp(stage, call), sendFollowUp(stage, call)]);
  for (const answer of answers) {
    if (!isUndecided(answer)) checkRepeated(stage, toFollowUpCall(call), { answer, first });
  }
  const other = await sendFollowUp(stage, { ...call, amount: call.amount + 1n });
  const member = `${toFollowUpCall(call).method} with another amount`;
  checkStatus(stage, { clause: 'repeat.differs', member }, { answer: other, statuses: ['ALREADY_EXISTS'] });
  await checkInquired(stage, toFollowUpCall(call), first);
}
