import { type Flow, skipInapplicable, skipUntested, type Stage } from '../scene/flow.js';
import type { FlowContext } from '../scene/flow-context.js';
import { checkReceived, checkRefused, checkStatus } from '../steps/answers.js';
import { authorise, sendAuthorisation } from '../steps/authorisations.js';
import { checkUnknown } from '../steps/inquiries.js';
import { newFollowUp, sendFollowUp } from '../steps/money-calls.js';
import { newReversal, sendReversal } from '../steps/reversals.js';

const REFERENCE_LENGTH_MAX = 64;
const WRONG_CREDENTIAL = 'Bearer wrong-credential';
/** Field 2000 with a number and field 2001 with a text: fields of no version of the contract. */
const UNKNOWN_FIELDS = Buffer.from([0x80, 0x7d, 0x01, 0x8a, 0x7d, 0x03, 0x61, 0x62, 0x63]);

/** The instrument is a wallet of kind 99 with the token `abc`. */
const UNKNOWN_WALLET = Buffer.from([0x72, 0x07, 0x08, 0x63, 0x12, 0x03, 0x61, 0x62, 0x63]);

/** What an adapter must refuse, and what it must not. */
export const CONTRACT_FLOWS: readonly Flow[] = [
  {
    name: 'bad-authorisations',
    tests: 'malformed authorisations are refused and leave nothing',
    needs: [],
    play: async ({ scene, step }) => {
      for (const [of, change] of listBadPayments(scene)) {
        await step(of, async (stage) => {
          const payment = scene.newPayment();
          const answer = await sendAuthorisation(stage, payment, {
            values: { reference: payment.reference, ...change },
          });
          checkRefused(stage, { method: 'Authorise' }, { answer, clause: 'input.refused', of });
          if (change.reference !== undefined) return;
          await checkUnknown(stage, payment.reference, { clause: 'input.books-nothing', of });
        });
      }
    },
  },
  {
    name: 'bad-follow-ups',
    tests: 'malformed captures, refunds and reversals are refused, and the payment stays',
    needs: [],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true });
      await step('authorise', (stage) => authorise(stage, payment));
      for (const [of, change] of BAD_FOLLOW_UPS) {
        await step(of, async (stage) => {
          const call = newFollowUp(stage, 'refund', { payment, amount: payment.amount });
          const answer = await sendFollowUp(stage, { ...call, ...change });
          checkRefused(stage, { method: 'Refund' }, { answer, clause: 'input.refused', of });
          if (change.reference !== undefined) return;
          await checkUnknown(stage, call.reference, { clause: 'input.books-nothing', of });
        });
      }
      await step('a reversal without references', async (stage) => {
        for (const change of [{ reference: '' }, { originalReference: '' }]) {
          const answer = await sendReversal(stage, { ...newReversal(stage, scene.newReference()), ...change });
          checkRefused(stage, { method: 'Reverse' }, { answer, clause: 'input.refused', of: 'an empty reference' });
        }
      });
    },
  },
  {
    name: 'unknown-merchant',
    tests: 'a call for a merchant that the acquirer does not have',
    needs: [],
    findSkip: ({ profile }) =>
      profile.unknownMerchantId === null
        ? skipInapplicable('The profile declares that the acquirer has every merchant.')
        : null,
    play: async ({ scene, step }) => {
      const payment = scene.newPayment();
      const merchantId = scene.profile.unknownMerchantId ?? '';
      await step('authorise', async (stage) => {
        const answer = await sendAuthorisation(stage, payment, { values: { merchantId } });
        checkStatus(stage, { clause: 'input.merchant', member: 'Authorise' }, { answer, statuses: ['NOT_FOUND'] });
      });
      if (!scene.can('bookedList')) return;
      await step('list', async (stage) => {
        const request = { merchantId, from: new Date(0), to: new Date(1), pageSize: 0, pageToken: '' };
        const answer = await scene.connection.listBooked(request);
        checkReceived(stage, { method: 'ListBooked', reference: '' }, answer);
        checkStatus(stage, { clause: 'input.merchant', member: 'ListBooked' }, { answer, statuses: ['NOT_FOUND'] });
      });
    },
  },
  {
    name: 'unknown-field',
    tests: 'fields of a later version of the contract are ignored',
    needs: [],
    play: async ({ scene, step }) => {
      const payment = scene.newPayment({ isPurchase: true });
      await step('authorise', (stage) =>
        authorise(stage, payment, { extraBytes: UNKNOWN_FIELDS, clause: 'input.unknown-field' }),
      );
    },
  },
  {
    name: 'unknown-value',
    tests: 'a wallet that the contract does not have is refused',
    needs: [],
    play: async ({ scene, step }) => {
      await step('authorise', async (stage) => {
        const payment = scene.newPayment({ isPurchase: true });
        const options = { values: { instrument: undefined }, extraBytes: UNKNOWN_WALLET };
        const answer = await sendAuthorisation(stage, payment, options);
        const of = 'an unknown wallet';
        checkRefused(stage, { method: 'Authorise' }, { answer, clause: 'input.unknown-value', of });
        await checkUnknown(stage, payment.reference, { clause: 'input.books-nothing', of });
      });
    },
  },
  {
    name: 'credential',
    tests: 'calls with a wrong credential, and without one',
    needs: [],
    findSkip: ({ hasCredential }) =>
      hasCredential ? null : skipUntested('No credential was given: see --credential.'),
    play: async ({ step }) => {
      for (const credential of [null, WRONG_CREDENTIAL]) {
        await step(credential === null ? 'none' : 'wrong', (stage) => checkCredential(stage, credential));
      }
    },
  },
];

const ACCESS_REFUSED = ['UNAUTHENTICATED', 'PERMISSION_DENIED'] as const;

async function checkCredential(stage: Stage, credential: string | null): Promise<void> {
  const { scene } = stage;
  const payment = scene.newPayment();
  const authorised = await sendAuthorisation(stage, payment, { credential });
  const clause = 'secret.credential';
  checkStatus(stage, { clause, member: 'Authorise' }, { answer: authorised, statuses: ACCESS_REFUSED });
  const inquired = await scene.connection.call('inquire', { reference: payment.reference }, { credential });
  checkStatus(stage, { clause, member: 'Inquire' }, { answer: inquired, statuses: ACCESS_REFUSED });
  await checkUnknown(stage, payment.reference, { clause, of: 'a call without access' });
}

type BadPayment = NonNullable<NonNullable<Parameters<typeof sendAuthorisation>[2]>['values']>;

function listBadPayments(scene: FlowContext): (readonly [string, BadPayment])[] {
  return [
    ['no reference', { reference: '' }],
    ['a reference of 65 characters', { reference: 'r'.repeat(REFERENCE_LENGTH_MAX + 1) }],
    ['no merchant', { merchantId: '' }],
    ['a negative amount', { amount: -1n }],
    ['an amount beyond 2^53', { amount: 2n ** 53n }],
    ['no currency', { currency: '' }],
    ['a currency in small letters', { currency: scene.currency.toLowerCase() }],
    ['no instrument', { instrument: undefined }],
  ];
}

const BAD_FOLLOW_UPS: readonly (readonly [string, Partial<Omit<Parameters<typeof sendFollowUp>[1], 'kind'>>])[] = [
  ['no reference', { reference: '' }],
  ['a reference of 65 characters', { reference: 'r'.repeat(REFERENCE_LENGTH_MAX + 1) }],
  ['no authorisation', { originalReference: '' }],
  ['an amount of 0', { amount: 0n }],
  ['a negative amount', { amount: -1n }],
  ['no currency', { currency: '' }],
];
