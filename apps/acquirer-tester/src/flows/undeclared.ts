import { type Capabilities, Outcome, Wallet } from '@pos/grpc-contracts/acquirer';
import type { ClauseId } from '../clauses/clauses.js';
import type { CapabilityName } from '../scene/capability-names.js';
import { type Flow, skipInapplicable, type Stage, WITHOUT } from '../scene/flow.js';
import { checkReceived, checkRefused, checkStatus, describeAnswer, REFUSED_FOR_GOOD } from '../steps/answers.js';
import { acceptAuthorisation, authorise, sendAuthorisation } from '../steps/authorisations.js';
import { checkUnknown } from '../steps/inquiries.js';
import { doFollowUp, newFollowUp, sendFollowUp } from '../steps/money-calls.js';
import { newReversal, sendReversal } from '../steps/reversals.js';

const CLAUSE: ClauseId = 'capabilities.undeclared';

/** A call that needs a capability. */
interface UndeclaredCall {
  /** The capability in the name of the flow. */
  readonly name: string;
  /** What the call asks for. */
  readonly of: string;
  readonly isDeclared: (capabilities: Capabilities) => boolean;
  /** What must be declared so that the call can be made at all. */
  readonly needs?: readonly CapabilityName[];
  readonly findSkip?: Flow['findSkip'];
  /** Makes the call, and checks that it is refused. */
  readonly act: (stage: Stage) => Promise<void>;
}

const declares =
  (name: CapabilityName) =>
  (capabilities: Capabilities): boolean =>
    capabilities[name];

/** A wallet whose tokens the adapter does not decrypt. */
const refuseWallet = async (stage: Stage, kind: Wallet): Promise<void> => {
  const payment = stage.scene.newPayment();
  const instrument = { $case: 'wallet', value: { kind, token: 'dG9rZW4' } } as const;
  await refuseAuthorisation(stage, { payment, values: { instrument }, of: Wallet[kind] });
};

/**
 * One call for each capability that an adapter may lack. Refunds without a payment are made by card machines, and a refund
 * window promises only what is accepted within it: no call shows that either is absent.
 */
const UNDECLARED: readonly UndeclaredCall[] = [
  {
    ...{ name: 'apple-pay', of: 'a token of Apple Pay' },
    isDeclared: ({ wallets }) => wallets.includes(Wallet.WALLET_APPLE_PAY),
    act: (stage) => refuseWallet(stage, Wallet.WALLET_APPLE_PAY),
  },
  {
    ...{ name: 'google-pay', of: 'a token of Google Pay' },
    isDeclared: ({ wallets }) => wallets.includes(Wallet.WALLET_GOOGLE_PAY),
    act: (stage) => refuseWallet(stage, Wallet.WALLET_GOOGLE_PAY),
  },
  {
    ...{ name: 'currency', of: 'another currency' },
    isDeclared: ({ currencies }) => currencies.length === 0 || currencies.includes('XTS'),
    act: (stage) =>
      refuseAuthorisation(stage, { payment: stage.scene.newPayment({ currency: 'XTS' }), of: 'the currency XTS' }),
  },
  {
    ...{ name: 'separate-capture', of: 'a hold' },
    isDeclared: declares('separateCapture'),
    act: (stage) =>
      refuseAuthorisation(stage, { payment: stage.scene.newPayment({ isPurchase: false }), of: 'a hold' }),
  },
  {
    ...{ name: 'card-verification', of: 'a check of a card' },
    isDeclared: declares('cardVerification'),
    act: (stage) => refuseAuthorisation(stage, { payment: stage.scene.newPayment({ amount: 0n }), of: 'the amount 0' }),
  },
  {
    ...{ name: 'cardholder-not-present', of: 'a card given by telephone' },
    isDeclared: declares('cardholderNotPresent'),
    act: (stage) =>
      refuseAuthorisation(stage, {
        ...{ payment: stage.scene.newPayment(), values: { cardholderNotPresent: true }, of: 'a card by telephone' },
      }),
  },
  {
    ...{ name: 'merchant-initiated', of: 'a charge without the payer' },
    isDeclared: declares('merchantInitiated'),
    act: async (stage) => {
      const consent = stage.scene.newPayment({ isPurchase: true });
      await authorise(stage, consent);
      const { number, expiryMonth, expiryYear, cardholderName } = consent.card;
      const value = { number, expiryMonth, expiryYear, cardholderName, cv2: '', originalReference: consent.reference };
      const values = { customerInitiated: false, instrument: { $case: 'storedCard', value } } as const;
      await refuseAuthorisation(stage, { payment: stage.scene.newPayment(), values, of: 'a charge without the payer' });
    },
  },
  {
    ...{ name: 'challenge', of: 'a challenge' },
    isDeclared: declares('challenge'),
    findSkip: WITHOUT.challengedCard,
    act: refuseChallenge,
  },
  {
    ...{ name: 'partial-capture', of: 'a capture of a part' },
    isDeclared: declares('partialCapture'),
    needs: ['separateCapture'],
    act: (stage) => refuseFollowUp(stage, { kind: 'capture', parts: [4], isPurchase: false }),
  },
  {
    ...{ name: 'multiple-captures', of: 'a second capture' },
    isDeclared: declares('multipleCaptures'),
    needs: ['separateCapture', 'partialCapture'],
    act: (stage) => refuseFollowUp(stage, { kind: 'capture', parts: [4, 3], isPurchase: false }),
  },
  {
    ...{ name: 'increase', of: 'an increase' },
    isDeclared: declares('incrementalAuthorisation'),
    needs: ['separateCapture'],
    act: (stage) => refuseFollowUp(stage, { kind: 'increaseAuthorisation', parts: [5], isPurchase: false }),
  },
  {
    ...{ name: 'partial-refund', of: 'a refund of a part' },
    isDeclared: declares('partialRefund'),
    act: (stage) => refuseFollowUp(stage, { kind: 'refund', parts: [4], isPurchase: true }),
  },
  {
    ...{ name: 'multiple-refunds', of: 'a second refund' },
    isDeclared: declares('multipleRefunds'),
    needs: ['partialRefund'],
    act: (stage) => refuseFollowUp(stage, { kind: 'refund', parts: [4, 3], isPurchase: true }),
  },
  {
    ...{ name: 'reversal-after-capture', of: 'a reversal of a purchase' },
    isDeclared: declares('reversalAfterCapture'),
    act: async (stage) => {
      const payment = stage.scene.newPayment({ isPurchase: true });
      await authorise(stage, payment);
      await refuseReversal(stage, { originalReference: payment.reference, releaseRest: false, of: 'a purchase' });
    },
  },
  {
    ...{ name: 'partial-reversal', of: 'a release of a rest' },
    isDeclared: declares('partialReversal'),
    needs: ['separateCapture'],
    act: async (stage) => {
      const payment = stage.scene.newPayment({ isPurchase: false });
      await authorise(stage, payment);
      await refuseReversal(stage, { originalReference: payment.reference, releaseRest: true, of: 'a rest' });
    },
  },
  {
    ...{ name: 'unknown-reversal', of: 'a reversal of an unknown reference' },
    isDeclared: declares('reversalOfUnknownReference'),
    act: (stage) =>
      refuseReversal(stage, {
        ...{ originalReference: stage.scene.newReference(), releaseRest: false, of: 'an unknown reference' },
      }),
  },
  {
    ...{ name: 'booked-list', of: 'a list' },
    isDeclared: declares('bookedList'),
    act: async (stage) => {
      const { merchantId } = stage.scene.profile;
      const request = { merchantId, from: new Date(0), to: new Date(1), pageSize: 0, pageToken: '' };
      const answer = await stage.scene.connection.listBooked(request);
      checkStatus(stage, { clause: CLAUSE, member: 'ListBooked' }, { answer, statuses: ['UNIMPLEMENTED'] });
    },
  },
];

/** A flow for each capability that an adapter may lack. It does not apply to an adapter that declares the capability. */
export const UNDECLARED_FLOWS: readonly Flow[] = UNDECLARED.map(
  ({ name, of, isDeclared, needs = [], findSkip, act }): Flow => ({
    name: `lacks-${name}`,
    tests: `${of} is refused and books nothing where it is not declared`,
    needs,
    findSkip: (subject) =>
      isDeclared(subject.capabilities) ? skipInapplicable('The adapter declares it.') : (findSkip?.(subject) ?? null),
    play: async ({ step }) => {
      await step('refused', act);
    },
  }),
);

async function refuseAuthorisation(
  stage: Stage,
  {
    payment,
    values = {},
    of,
  }: {
    readonly payment: Parameters<typeof sendAuthorisation>[1];
    readonly values?: NonNullable<NonNullable<Parameters<typeof sendAuthorisation>[2]>['values']>;
    readonly of: string;
  },
): Promise<void> {
  const answer = await sendAuthorisation(stage, payment, { values });
  // A decline would be a decision of the issuer, who was not asked.
  checkStatus(stage, { clause: CLAUSE, member: `Authorise of ${of}` }, { answer, statuses: REFUSED_FOR_GOOD });
  await checkUnknown(stage, payment.reference, { clause: CLAUSE, of });
}

/** Makes the calls over these tenths; the last of them must be refused. */
async function refuseFollowUp(
  stage: Stage,
  {
    kind,
    parts,
    isPurchase,
  }: {
    readonly kind: 'capture' | 'refund' | 'increaseAuthorisation';
    readonly parts: readonly number[];
    readonly isPurchase: boolean;
  },
): Promise<void> {
  const payment = stage.scene.newPayment({ isPurchase });
  await authorise(stage, payment);
  for (const [index, tenths] of parts.entries()) {
    const call = newFollowUp(stage, kind, { payment, amount: stage.scene.tenths(tenths) });
    if (index < parts.length - 1) {
      await doFollowUp(stage, call);
      continue;
    }
    const of = `part ${parts.length}`;
    const answer = await sendFollowUp(stage, call);
    checkStatus(stage, { clause: CLAUSE, member: `${kind} of ${of}` }, { answer, statuses: REFUSED_FOR_GOOD });
    await checkUnknown(stage, call.reference, { clause: CLAUSE, of });
  }
}

/** A reversal may be declined too: the contract has this outcome for what stands in its way. */
async function refuseReversal(
  stage: Stage,
  { of, ...reversal }: { readonly originalReference: string; readonly releaseRest: boolean; readonly of: string },
): Promise<void> {
  const answer = await sendReversal(stage, { ...newReversal(stage, reversal.originalReference), ...reversal });
  checkRefused(stage, { method: 'Reverse' }, { answer, clause: CLAUSE, of });
}

/**
 * The card whose issuer challenges is decided without a challenge, as the service asks for where none is declared, and no
 * challenge of it can be completed.
 */
async function refuseChallenge(stage: Stage): Promise<void> {
  const { scene, step } = stage;
  const { challenges, approves } = scene.profile.cards;
  const payment = scene.newPayment({ card: challenges ?? approves });
  const answer = await sendAuthorisation(stage, payment, { values: { noChallenge: true } });
  const outcome = answer.kind === 'content' ? answer.content?.outcome : undefined;
  step.check(outcome !== Outcome.OUTCOME_CHALLENGED, {
    ...{ clause: CLAUSE, member: 'Authorise.outcome', expected: 'a decision', found: describeAnswer(answer) },
  });
  if (outcome === Outcome.OUTCOME_APPROVED) acceptAuthorisation(stage, payment, { answer, clause: CLAUSE });
  const { reference } = payment;
  const completed = await scene.connection.call('completeChallenge', { reference, paRes: 'any', md: 'any' });
  checkReceived(stage, { method: 'CompleteChallenge', reference }, completed);
  const member = 'CompleteChallenge of an authorisation';
  checkStatus(stage, { clause: CLAUSE, member }, { answer: completed, statuses: REFUSED_FOR_GOOD });
}
