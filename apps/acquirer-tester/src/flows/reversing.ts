import { Outcome } from '@pos/grpc-contracts/acquirer';
import type { Flow, Stage } from '../scene/flow.js';
import { authorise } from '../steps/authorisations.js';
import { checkOutcome } from '../steps/inquiries.js';
import { doFollowUp, doRefusedFollowUp, newFollowUp } from '../steps/money-calls.js';
import { acceptReversal, doRefusedReversal, newReversal, reverse, sendReversal } from '../steps/reversals.js';
import { checkPrevented } from './late-decisions.js';

const REVERSED = [Outcome.OUTCOME_REVERSED] as const;

/** Reversals, also of what was never authorised. */
export const REVERSING_FLOWS: readonly Flow[] = [
  {
    name: 'reverse-hold',
    tests: 'a hold is reversed, and the reversal is repeated',
    needs: ['separateCapture'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: false });
      await step('authorise', (stage) => authorise(stage, payment));
      await step('reverse', (stage) => reverseRepeatedly(stage, payment.reference, 'reverse.undoes'));
      await step('inquire', (stage) =>
        checkOutcome(stage, payment.reference, { clause: 'reverse.undoes', outcomes: REVERSED }),
      );
      await step('authorise again', (stage) => checkPrevented(stage, payment));
    },
  },
  {
    name: 'reverse-purchase',
    tests: 'a payment that was taken at once is reversed',
    needs: ['reversalAfterCapture'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true });
      await step('authorise', (stage) => authorise(stage, payment));
      await step('reverse', (stage) => reverseRepeatedly(stage, payment.reference, 'reverse.purchase'));
      await step('inquire', (stage) =>
        checkOutcome(stage, payment.reference, { clause: 'reverse.purchase', outcomes: REVERSED }),
      );
      await step('refund', (stage) =>
        doRefusedFollowUp(stage, newFollowUp(stage, 'refund', { payment, amount: payment.amount }), {
          ...{ clause: 'refund.needs-capture', of: 'a reversed payment' },
        }),
      );
    },
  },
  {
    name: 'reverse-refunded',
    tests: 'a payment of which something was refunded is not reversed',
    needs: ['reversalAfterCapture', 'partialRefund'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true });
      await step('authorise', (stage) => authorise(stage, payment));
      await step('refund', (stage) =>
        doFollowUp(stage, newFollowUp(stage, 'refund', { payment, amount: scene.tenths(2) })),
      );
      await step('reverse', (stage) =>
        doRefusedReversal(stage, newReversal(stage, payment.reference), {
          ...{ clause: 'reverse.keeps-refunded', of: 'a refunded payment' },
        }),
      );
    },
  },
  {
    name: 'reverse-unknown',
    tests: 'a reversal that overtakes its authorisation prevents it',
    needs: ['reversalOfUnknownReference'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment();
      await step('reverse', (stage) => reverseRepeatedly(stage, payment.reference, 'reverse.unknown'));
      await step('inquire', (stage) =>
        checkOutcome(stage, payment.reference, { clause: 'reverse.unknown', outcomes: REVERSED }),
      );
      await step('authorise', (stage) => checkPrevented(stage, payment));
      await step('inquire again', (stage) =>
        checkOutcome(stage, payment.reference, {
          ...{ clause: 'reverse.prevents', outcomes: [Outcome.OUTCOME_REVERSED, Outcome.OUTCOME_DECLINED] },
        }),
      );
    },
  },
];

/** Reverses, repeats the same reversal, and reverses under another reference: each is acknowledged. */
async function reverseRepeatedly(
  stage: Stage,
  reference: string,
  clause: 'reverse.undoes' | 'reverse.purchase' | 'reverse.unknown',
): Promise<void> {
  const reversal = newReversal(stage, reference);
  await reverse(stage, reversal, { clause });
  for (const again of [reversal, newReversal(stage, reference)]) {
    const answer = await sendReversal(stage, again);
    acceptReversal(stage, again, { answer, clause: 'reverse.repeats' });
  }
}
