import { Outcome } from '@pos/grpc-contracts/acquirer';
import type { Flow } from '../scene/flow.js';
import { checkReceived, describeAnswer, isRefused, requireResult } from '../steps/answers.js';
import { authorise, sendAuthorisation, toMadeCall } from '../steps/authorisations.js';
import { checkInquired, checkUnknown } from '../steps/inquiries.js';
import { doFollowUp, newFollowUp } from '../steps/money-calls.js';

/** Authorisations that are decided at once. */
export const AUTHORISING_FLOWS: readonly Flow[] = [
  {
    name: 'authorise-hold',
    tests: 'money is held, and Inquire agrees',
    needs: ['separateCapture'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: false });
      const first = await step('authorise', (stage) => authorise(stage, payment));
      await step('inquire', (stage) => checkInquired(stage, toMadeCall(payment), first));
    },
  },
  {
    name: 'authorise-purchase',
    tests: 'money is taken at once, and Inquire agrees',
    needs: [],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true, card: scene.profile.cards.approvesToo });
      const first = await step('authorise', (stage) => authorise(stage, payment));
      await step('inquire', (stage) => checkInquired(stage, toMadeCall(payment), first));
    },
  },
  {
    name: 'authorise-declined',
    tests: 'a refusal of the issuer is an outcome, stays one, and books nothing',
    needs: [],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ card: scene.profile.cards.declines });
      const first = await step('authorise', async (stage) => {
        const answer = await sendAuthorisation(stage, payment);
        stage.step.require(answer.kind === 'content' && isRefused(answer), {
          ...{ clause: 'authorise.declines', member: 'Authorise.outcome', expected: 'DECLINED, REFERRED or FAILED' },
          found: describeAnswer(answer),
        });
        return requireResult(stage, toMadeCall(payment), answer);
      });
      await step('inquire', (stage) => checkInquired(stage, toMadeCall(payment), first));
      await step('capture', async (stage) => {
        const call = newFollowUp(stage, 'capture', { payment, amount: payment.amount });
        const answer = await scene.connection.call('capture', call);
        checkReceived(stage, { method: 'Capture', reference: call.reference }, answer);
        stage.step.check(isRefused(answer), {
          ...{ clause: 'capture.needs-hold', member: 'Capture of a declined authorisation', expected: 'a refusal' },
          found: describeAnswer(answer),
        });
      });
    },
  },
  {
    name: 'verify-card',
    tests: 'an authorisation over 0 checks a card',
    needs: ['cardVerification', 'separateCapture'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ amount: 0n, isPurchase: false });
      await step('authorise', (stage) => authorise(stage, payment, { clause: 'authorise.verifies' }));
      await step('declined', async (stage) => {
        const declined = scene.newPayment({ amount: 0n, isPurchase: false, card: scene.profile.cards.declines });
        const answer = await sendAuthorisation(stage, declined);
        // A processor may decline by the amount; then 0 proves nothing.
        if (declined.card.amount !== undefined) return;
        stage.step.check(answer.kind === 'content' && isRefused(answer), {
          ...{
            clause: 'authorise.declines',
            member: 'Authorise.outcome of 0',
            expected: 'DECLINED, REFERRED or FAILED',
          },
          found: describeAnswer(answer),
        });
      });
    },
  },
  {
    name: 'currencies',
    tests: 'amounts of every currency of the profile',
    needs: [],
    play: async ({ scene, step }) => {
      for (const currency of scene.profile.currencies) {
        const payment = scene.newPayment({ currency, isPurchase: true });
        await step(`authorise ${currency}`, (stage) => authorise(stage, payment, { clause: 'authorise.currency' }));
        const refund = await step(`refund ${currency}`, async (stage) => {
          const call = newFollowUp(stage, 'refund', { payment, amount: payment.amount });
          return { call, first: await doFollowUp(stage, call) };
        });
        await step(`inquire ${currency}`, (stage) =>
          checkInquired(stage, { method: 'Refund', ...refund.call }, refund.first),
        );
      }
    },
  },
  {
    name: 'moto',
    tests: 'a card that was given by letter or telephone',
    needs: ['cardholderNotPresent'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true });
      await step('authorise', (stage) => authorise(stage, payment, { values: { cardholderNotPresent: true } }));
    },
  },
  {
    name: 'stored-card',
    tests: 'a stored card is charged later',
    needs: ['merchantInitiated'],
    play: async ({ scene, step }) => {
      const consent = scene.newPayment({ isPurchase: true });
      await step('consent', (stage) => authorise(stage, consent));
      const charge = scene.newPayment({ isPurchase: true, amount: scene.tenths(5) });
      const { number, expiryMonth, expiryYear, cardholderName } = charge.card;
      const value = { number, expiryMonth, expiryYear, cardholderName, originalReference: consent.reference, cv2: '' };
      const values = { customerInitiated: false, instrument: { $case: 'storedCard', value } } as const;
      const first = await step('charge', (stage) => authorise(stage, charge, { values, clause: 'stored.charges' }));
      await step('inquire', (stage) => checkInquired(stage, toMadeCall(charge), first));
    },
  },
  {
    name: 'inquire-unknown',
    tests: 'a reference that was never used is not found',
    needs: [],
    play: async ({ scene, step }) => {
      const clause = 'inquire.unknown';
      await step('inquire', (stage) => checkUnknown(stage, scene.newReference(), { clause, of: 'a new reference' }));
    },
  },
];

/** The outcomes after which a reversed authorisation is over: undone, prevented, or certainly not done. */
export const OVER: readonly Outcome[] = [
  ...[Outcome.OUTCOME_REVERSED, Outcome.OUTCOME_DECLINED, Outcome.OUTCOME_FAILED],
];
