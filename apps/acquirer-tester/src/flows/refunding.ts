import { BookingKind, Outcome } from '@pos/grpc-contracts/acquirer';
import { type Flow, skipInapplicable, skipUntested, type Stage } from '../scene/flow.js';
import type { Payment } from '../scene/flow-context.js';
import { describeAnswer, isRefused, isUndecided } from '../steps/answers.js';
import { authorise } from '../steps/authorisations.js';
import { checkInquired } from '../steps/inquiries.js';
import { doFollowUp, doRefusedFollowUp, newFollowUp, sendFollowUp, toFollowUpCall } from '../steps/money-calls.js';

/** Refunds of what was taken. */
export const REFUNDING_FLOWS: readonly Flow[] = [
  {
    name: 'refund-full',
    tests: 'all of a payment is returned, and no more',
    needs: [],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true });
      await step('authorise', (stage) => authorise(stage, payment));
      await step('refund', async (stage) => {
        const call = newFollowUp(stage, 'refund', { payment, amount: payment.amount });
        await checkInquired(stage, toFollowUpCall(call), await doFollowUp(stage, call));
      });
      await step('refund again', (stage) =>
        doRefusedFollowUp(stage, newFollowUp(stage, 'refund', { payment, amount: payment.amount }), {
          ...{ clause: 'refund.within-taken', of: 'a payment that is returned' },
        }),
      );
    },
  },
  {
    name: 'refund-over',
    tests: 'a refund of more than was taken is refused and leaves nothing',
    needs: [],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true });
      await step('authorise', (stage) => authorise(stage, payment));
      await step('refund', (stage) =>
        doRefusedFollowUp(stage, newFollowUp(stage, 'refund', { payment, amount: payment.amount + 1n }), {
          ...{ clause: 'refund.within-taken', of: 'one minor unit too much' },
        }),
      );
      await step('refund all', (stage) =>
        doFollowUp(stage, newFollowUp(stage, 'refund', { payment, amount: payment.amount })),
      );
    },
  },
  {
    name: 'refund-part',
    tests: 'part of a payment is returned',
    needs: ['partialRefund'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true });
      await step('authorise', (stage) => authorise(stage, payment));
      await step('refund', (stage) =>
        doFollowUp(stage, newFollowUp(stage, 'refund', { payment, amount: scene.tenths(3) })),
      );
    },
  },
  {
    name: 'refund-parts',
    tests: 'several refunds sum up to the payment, and not above',
    needs: ['partialRefund', 'multipleRefunds'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true });
      await step('authorise', (stage) => authorise(stage, payment));
      for (const tenths of [2, 3]) {
        await step(`refund ${tenths} tenths`, (stage) =>
          doFollowUp(stage, newFollowUp(stage, 'refund', { payment, amount: scene.tenths(tenths) })),
        );
      }
      await step('refund more', (stage) =>
        doRefusedFollowUp(stage, newFollowUp(stage, 'refund', { payment, amount: scene.tenths(5) + 1n }), {
          ...{ clause: 'refund.within-taken', of: 'more than the rest' },
        }),
      );
      await step('refund the rest', (stage) =>
        doFollowUp(stage, newFollowUp(stage, 'refund', { payment, amount: scene.tenths(5) })),
      );
    },
  },
  {
    name: 'refund-at-once',
    tests: 'two refunds at the same time return the payment once',
    needs: [],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true });
      await step('authorise', (stage) => authorise(stage, payment));
      await step('refund twice', (stage) => refundAtOnce(stage, payment));
    },
  },
  {
    name: 'refund-needs-capture',
    tests: 'a hold and an unknown payment cannot be refunded',
    needs: ['separateCapture'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: false });
      await step('authorise', (stage) => authorise(stage, payment));
      const rows = [
        { of: 'a hold', payment },
        { of: 'an unknown payment', payment: scene.newPayment() },
      ];
      for (const row of rows) {
        await step(`refund ${row.of}`, (stage) =>
          doRefusedFollowUp(stage, newFollowUp(stage, 'refund', { payment: row.payment, amount: 1n }), {
            ...{ clause: 'refund.needs-capture', of: row.of },
          }),
        );
      }
    },
  },
  {
    name: 'follow-up-currency',
    tests: 'a refund and a capture in another currency are refused',
    needs: [],
    findSkip: ({ profile, capabilities }) => {
      if (profile.currencies.length > 1) return null;
      return capabilities.currencies.length === 1
        ? skipInapplicable('The adapter declares only one currency.')
        : skipUntested('The profile has only one currency.');
    },
    play: async ({ scene, step }) => {
      const [, currency = scene.currency] = scene.profile.currencies;
      const purchase = scene.newPayment({ isPurchase: true });
      await step('authorise', (stage) => authorise(stage, purchase));
      await step('refund', (stage) => {
        const call = newFollowUp(stage, 'refund', { payment: purchase, amount: purchase.amount });
        return doRefusedFollowUp(
          stage,
          { ...call, currency },
          {
            ...{ clause: 'follow-up.currency', of: 'another currency' },
          },
        );
      });
      if (!scene.can('separateCapture')) return;
      const hold = scene.newPayment({ isPurchase: false });
      await step('authorise hold', (stage) => authorise(stage, hold));
      await step('capture', (stage) => {
        const call = newFollowUp(stage, 'capture', { payment: hold, amount: hold.amount });
        return doRefusedFollowUp(
          stage,
          { ...call, currency },
          {
            ...{ clause: 'follow-up.currency', of: 'another currency' },
          },
        );
      });
    },
  },
];

/** Sends two whole refunds at the same time: one of them returns the money, and the other is refused. */
async function refundAtOnce(stage: Stage, payment: Payment): Promise<void> {
  const calls = [1, 2].map(() => newFollowUp(stage, 'refund', { payment, amount: payment.amount }));
  const answers = await Promise.all(calls.map((call) => sendFollowUp(stage, call)));
  const approved = answers.filter(
    (answer) => answer.kind === 'content' && answer.content?.outcome === Outcome.OUTCOME_APPROVED,
  );
  const described = answers.map(describeAnswer).join(' and ');
  stage.step.check(approved.length <= 1 && answers.some((answer) => isRefused(answer) || isUndecided(answer)), {
    ...{ clause: 'refund.within-taken', member: 'Refund twice at once', expected: 'one refusal', found: described },
  });
  stage.step.check(approved.length === 1, {
    ...{ clause: 'refund.returns', member: 'Refund twice at once', expected: 'one approval', found: described },
  });
  for (const [index, answer] of answers.entries()) {
    const call = calls[index];
    if (call === undefined || !approved.includes(answer)) continue;
    const { kind: _, ...line } = call;
    stage.scene.books.book({ ...line, kind: BookingKind.BOOKING_KIND_REFUND });
  }
}
