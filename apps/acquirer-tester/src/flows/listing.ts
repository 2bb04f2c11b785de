import type { Flow, Stage } from '../scene/flow.js';
import { checkReceived, checkStatus } from '../steps/answers.js';
import { authorise } from '../steps/authorisations.js';
import { checkOrder, findRange, readList } from '../steps/books.js';
import { requireValue } from '@pos/core/refusals';

const NEEDS = ['bookedList'] as const;
const PAYMENTS = 4;
const PAGE_SIZE_MAX = 1_000;

/** The list that reconciliation reads. What it contains is checked at the end of every flow. */
export const LISTING_FLOWS: readonly Flow[] = [
  {
    name: 'list-pages',
    tests: 'pages of one and of two bookings are the whole list',
    needs: NEEDS,
    play: async ({ scene, step }) => {
      await step('authorise', async (stage) => {
        for (let made = 0; made < PAYMENTS; made += 1) await authorise(stage, scene.newPayment({ isPurchase: true }));
      });
      await step('list', async (stage) => {
        const range = requireValue(findRange(stage), 'the time of a payment');
        const whole = describeList(stage, await readList(stage, range));
        for (const pageSize of [1, 2]) {
          const listed = await readList(stage, { ...range, pageSize });
          checkOrder(stage, listed);
          stage.step.check(describeList(stage, listed) === whole, {
            ...{ clause: 'list.pages', member: `ListBooked by ${pageSize}`, expected: whole },
            found: describeList(stage, listed),
          });
        }
      });
    },
  },
  {
    name: 'list-range',
    tests: 'a list begins with its start and ends before its end',
    needs: NEEDS,
    play: async ({ scene, step }) => {
      const first = await step('authorise', (stage) => authorise(stage, scene.newPayment({ isPurchase: true })));
      await step('list', async (stage) => {
        const range = requireValue(findRange(stage), 'the time of a payment');
        // A purchase may be two lines, which a list may book one after the other.
        const own = (await readList(stage, range)).filter(({ reference }) => reference === first.reference);
        requireValue(own[0], 'the booking');
        const times = own.map((line) => requireValue(line.bookedAt, 'the time of the booking').getTime());
        const bookedAt = new Date(Math.min(...times));
        const next = new Date(Math.max(...times) + 1);
        const rows = [
          { of: 'from the booking on', from: bookedAt, to: next, isListed: true },
          { of: 'up to the booking', from: range.from, to: bookedAt, isListed: false },
          { of: 'after the booking', from: next, to: range.to, isListed: false },
        ];
        for (const { of, from, to, isListed } of rows) {
          const listed = await readList(stage, { from, to });
          const isFound = listed.some(({ reference }) => reference === first.reference);
          stage.step.check(isFound === isListed, {
            ...{ clause: 'list.range', member: `ListBooked ${of}`, expected: isListed ? 'the booking' : 'no booking' },
            found: isFound ? 'the booking' : 'no booking',
          });
        }
      });
    },
  },
  {
    name: 'list-bad-page',
    tests: 'a page of no list, and pages that are too large, are refused',
    needs: NEEDS,
    play: async ({ step }) => {
      const rows = [
        { of: 'a page token of no list', pageToken: 'no token of a list!', pageSize: 0 },
        { of: 'a page size above 1000', pageToken: '', pageSize: PAGE_SIZE_MAX + 1 },
        { of: 'a negative page size', pageToken: '', pageSize: -1 },
      ];
      for (const row of rows) await step(row.of, (stage) => checkBadPage(stage, row));
    },
  },
];

async function checkBadPage(
  stage: Stage,
  { of, pageToken, pageSize }: { readonly of: string; readonly pageToken: string; readonly pageSize: number },
): Promise<void> {
  const { merchantId } = stage.scene.profile;
  const request = { merchantId, from: new Date(0), to: new Date(1), pageSize, pageToken };
  const answer = await stage.scene.connection.listBooked(request);
  checkReceived(stage, { method: 'ListBooked', reference: pageToken }, answer);
  const member = `ListBooked with ${of}`;
  checkStatus(stage, { clause: 'list.bad-page', member }, { answer, statuses: ['INVALID_ARGUMENT'] });
}

/** The bookings of the flow in their order; those of others are left out. */
function describeList(
  { scene }: Stage,
  listed: readonly { readonly reference: string; readonly kind: string }[],
): string {
  const own = listed.filter(({ reference }) => scene.books.has(reference));
  return own.map(({ reference, kind }) => `${reference}/${kind}`).join(' ');
}
