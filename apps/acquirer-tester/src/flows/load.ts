import type { Flow } from '../scene/flow.js';
import { doFollowUp, newFollowUp } from '../steps/money-calls.js';
import { repeatUntilDecided } from './repeating.js';

const AT_ONCE = 50;

/** Many calls at the same time. One that is still in progress is repeated, as the service does. */
export const LOAD_FLOWS: readonly Flow[] = [
  {
    name: 'load-of-50',
    tests: 'fifty references at the same time',
    needs: [],
    play: async ({ scene, step }) => {
      const payments = Array.from({ length: AT_ONCE }, (_, index) =>
        scene.newPayment({ isPurchase: true, amount: BigInt(scene.profile.amount) + BigInt(index % 10) * 1_000n }),
      );
      await step('authorise', async (stage) => {
        await Promise.all(payments.map((payment) => repeatUntilDecided(stage, payment, 'load.each-once')));
      });
      await step('refund', async (stage) => {
        const calls = payments.map((payment) => newFollowUp(stage, 'refund', { payment, amount: payment.amount }));
        await Promise.all(calls.map((call) => doFollowUp(stage, call, { isRepeated: true })));
      });
    },
  },
];
