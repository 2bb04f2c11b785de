import type { Flow } from '../scene/flow.js';
import { authorise, sendAuthorisation } from '../steps/authorisations.js';
import { checkInquired, checkUnknown } from '../steps/inquiries.js';
import { doFollowUp, doRefusedFollowUp, newFollowUp, toFollowUpCall } from '../steps/money-calls.js';
import { doRefusedReversal, newReversal, reverse } from '../steps/reversals.js';

/** Captures and increases of holds. */
export const CAPTURING_FLOWS: readonly Flow[] = [
  {
    name: 'capture-full',
    tests: 'all of a hold is taken, and no more',
    needs: ['separateCapture'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: false });
      await step('authorise', (stage) => authorise(stage, payment));
      await step('capture', async (stage) => {
        const call = newFollowUp(stage, 'capture', { payment, amount: payment.amount });
        await checkInquired(stage, toFollowUpCall(call), await doFollowUp(stage, call));
      });
      await step('capture more', (stage) =>
        doRefusedFollowUp(stage, newFollowUp(stage, 'capture', { payment, amount: 1n }), {
          ...{ clause: 'capture.within-hold', of: 'more than is held' },
        }),
      );
    },
  },
  {
    name: 'capture-over',
    tests: 'a capture of more than is held is refused and leaves nothing',
    needs: ['separateCapture'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: false });
      await step('authorise', (stage) => authorise(stage, payment));
      await step('capture', async (stage) => {
        const call = newFollowUp(stage, 'capture', { payment, amount: payment.amount + 1n });
        await doRefusedFollowUp(stage, call, { clause: 'capture.within-hold', of: 'one minor unit too much' });
      });
      await step('capture all', (stage) =>
        doFollowUp(stage, newFollowUp(stage, 'capture', { payment, amount: payment.amount })),
      );
    },
  },
  {
    name: 'capture-part',
    tests: 'part of a hold is taken, and refunded',
    needs: ['separateCapture', 'partialCapture'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: false });
      await step('authorise', (stage) => authorise(stage, payment));
      await step('capture', (stage) =>
        doFollowUp(stage, newFollowUp(stage, 'capture', { payment, amount: scene.tenths(3) })),
      );
      await step('refund more', (stage) =>
        doRefusedFollowUp(stage, newFollowUp(stage, 'refund', { payment, amount: scene.tenths(3) + 1n }), {
          ...{ clause: 'refund.within-taken', of: 'more than was captured' },
        }),
      );
      await step('refund', (stage) =>
        doFollowUp(stage, newFollowUp(stage, 'refund', { payment, amount: scene.tenths(3) })),
      );
    },
  },
  {
    name: 'capture-parts',
    tests: 'several captures sum up to the hold, and not above',
    needs: ['separateCapture', 'partialCapture', 'multipleCaptures'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: false });
      await step('authorise', (stage) => authorise(stage, payment));
      for (const tenths of [2, 3]) {
        await step(`capture ${tenths} tenths`, (stage) =>
          doFollowUp(stage, newFollowUp(stage, 'capture', { payment, amount: scene.tenths(tenths) })),
        );
      }
      await step('capture more', (stage) =>
        doRefusedFollowUp(stage, newFollowUp(stage, 'capture', { payment, amount: scene.tenths(5) + 1n }), {
          ...{ clause: 'capture.within-hold', of: 'more than the rest' },
        }),
      );
      await step('capture the rest', (stage) =>
        doFollowUp(stage, newFollowUp(stage, 'capture', { payment, amount: scene.tenths(5) })),
      );
    },
  },
  {
    name: 'capture-release',
    tests: 'the rest of a hold is given up, and what was captured stays',
    needs: ['separateCapture', 'partialCapture', 'partialReversal'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: false });
      await step('authorise', (stage) => authorise(stage, payment));
      await step('capture', (stage) =>
        doFollowUp(stage, newFollowUp(stage, 'capture', { payment, amount: scene.tenths(4) })),
      );
      await step('release', (stage) =>
        reverse(stage, newReversal(stage, payment.reference, true), {
          ...{ clause: 'release.gives-up', released: scene.tenths(6) },
        }),
      );
      await step('capture more', (stage) =>
        doRefusedFollowUp(stage, newFollowUp(stage, 'capture', { payment, amount: 1n }), {
          ...{ clause: 'release.gives-up', of: 'a released rest' },
        }),
      );
      await step('refund', async (stage) => {
        const call = newFollowUp(stage, 'refund', { payment, amount: scene.tenths(4) });
        await doFollowUp(stage, call);
        stage.step.saw('release.keeps-captured', { member: 'Refund', what: 'APPROVED' });
      });
    },
  },
  {
    name: 'capture-needs-hold',
    tests: 'an unknown and a reversed authorisation cannot be captured',
    needs: ['separateCapture'],
    play: async ({ scene, step }) => {
      await step('unknown', async (stage) => {
        const call = newFollowUp(stage, 'capture', { payment: scene.newPayment(), amount: 1n });
        await doRefusedFollowUp(stage, call, { clause: 'capture.needs-hold', of: 'an unknown authorisation' });
        await checkUnknown(stage, call.originalReference, {
          ...{ clause: 'input.books-nothing', of: 'an authorisation that was never made' },
        });
      });
      const payment = scene.newPayment({ isPurchase: false });
      await step('authorise', (stage) => authorise(stage, payment));
      await step('reverse', (stage) =>
        reverse(stage, newReversal(stage, payment.reference), { clause: 'reverse.undoes' }),
      );
      await step('capture', (stage) =>
        doRefusedFollowUp(stage, newFollowUp(stage, 'capture', { payment, amount: 1n }), {
          ...{ clause: 'capture.needs-hold', of: 'a reversed authorisation' },
        }),
      );
    },
  },
  {
    name: 'capture-then-reverse',
    tests: 'a captured hold is not reversed, and the capture stays',
    needs: ['separateCapture'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: false });
      await step('authorise', (stage) => authorise(stage, payment));
      await step('capture', (stage) =>
        doFollowUp(stage, newFollowUp(stage, 'capture', { payment, amount: payment.amount })),
      );
      await step('reverse', (stage) =>
        doRefusedReversal(stage, newReversal(stage, payment.reference), {
          ...{ clause: 'reverse.keeps-captured', of: 'a captured hold' },
        }),
      );
      await step('refund', (stage) =>
        doFollowUp(stage, newFollowUp(stage, 'refund', { payment, amount: payment.amount })),
      );
    },
  },
  {
    name: 'increase',
    tests: 'a hold is raised, and the total can be captured',
    needs: ['separateCapture', 'incrementalAuthorisation'],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: false });
      await step('authorise', (stage) => authorise(stage, payment));
      const total = payment.amount + scene.tenths(5);
      await step('increase', async (stage) => {
        const call = newFollowUp(stage, 'increaseAuthorisation', { payment, amount: scene.tenths(5) });
        const first = await doFollowUp(stage, call, { total });
        await checkInquired(stage, toFollowUpCall(call), first);
      });
      await step('capture more', (stage) =>
        doRefusedFollowUp(stage, newFollowUp(stage, 'capture', { payment, amount: total + 1n }), {
          ...{ clause: 'capture.within-hold', of: 'more than the raised hold' },
        }),
      );
      await step('capture', async (stage) => {
        await doFollowUp(stage, newFollowUp(stage, 'capture', { payment, amount: total }));
        stage.step.saw('increase.raises', { member: 'Capture', what: 'the total' });
      });
      await step('increase again', (stage) =>
        doRefusedFollowUp(stage, newFollowUp(stage, 'increaseAuthorisation', { payment, amount: 1n }), {
          ...{ clause: 'increase.needs-hold', of: 'a captured hold' },
        }),
      );
    },
  },
  {
    name: 'increase-needs-hold',
    tests: 'a declined, a reversed and an unknown authorisation cannot be raised',
    needs: ['separateCapture', 'incrementalAuthorisation'],
    play: async ({ scene, step }) => {
      const declined = scene.newPayment({ card: scene.profile.cards.declines });
      const reversed = scene.newPayment({ isPurchase: false });
      await step('prepare', async (stage) => {
        await sendAuthorisation(stage, declined);
        await authorise(stage, reversed);
        await reverse(stage, newReversal(stage, reversed.reference), { clause: 'reverse.undoes' });
      });
      const rows = [
        { of: 'a declined authorisation', payment: declined },
        { of: 'a reversed authorisation', payment: reversed },
        { of: 'an unknown authorisation', payment: scene.newPayment() },
      ];
      for (const { of, payment } of rows) {
        await step(`increase ${of}`, (stage) =>
          doRefusedFollowUp(stage, newFollowUp(stage, 'increaseAuthorisation', { payment, amount: 1n }), {
            ...{ clause: 'increase.needs-hold', of },
          }),
        );
      }
    },
  },
];
