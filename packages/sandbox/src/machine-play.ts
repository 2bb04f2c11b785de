import type { CardFundingType, CardScheme, EntryMode, VerificationMethod } from '@pos/core/card';
import { amountTrigger } from './amount-trigger.js';
import { APPROVED, declined, LATE_APPROVAL_MS, type OnlineCard, type Verdict } from './card-verdict.js';
import { findTestCard } from './test-cards.js';

/** How a simulated machine, and the person in front of it, behave. */
export type MachineBehaviour =
  'contactless' | 'pin' | 'signature' | 'decline' | 'cancel' | 'expire' | 'busy' | 'offline' | 'slow' | 'mixed';

/** One of the ten machines that every sandbox account has. */
export interface MachineModel {
  readonly tid: string;
  readonly name: string;
  readonly behaviour: MachineBehaviour;
  /** Whether the last two digits of an amount decide here. */
  readonly followsAmounts: boolean;
}

/** The ten machines. Their TIDs are the same in every account. */
export const MACHINE_MODELS: readonly MachineModel[] = [
  { tid: '90000001', name: 'approve-contactless', behaviour: 'contactless', followsAmounts: true },
  { tid: '90000002', name: 'approve-pin', behaviour: 'pin', followsAmounts: true },
  { tid: '90000003', name: 'signature', behaviour: 'signature', followsAmounts: false },
  { tid: '90000004', name: 'decline', behaviour: 'decline', followsAmounts: false },
  { tid: '90000005', name: 'cancel-at-machine', behaviour: 'cancel', followsAmounts: false },
  { tid: '90000006', name: 'expire', behaviour: 'expire', followsAmounts: false },
  { tid: '90000007', name: 'busy', behaviour: 'busy', followsAmounts: false },
  { tid: '90000008', name: 'offline', behaviour: 'offline', followsAmounts: false },
  { tid: '90000009', name: 'slow', behaviour: 'slow', followsAmounts: false },
  { tid: '90000010', name: 'mixed', behaviour: 'mixed', followsAmounts: true },
];

/** What a machine shows while it works. */
export type Shown =
  | 'PresentCard'
  | 'PresentOnlyOneCard'
  | 'CardUnsupported'
  | 'InsertCard'
  | 'ReEnterCard'
  | 'PleaseWait'
  | 'EnterPin'
  | 'RemoveCard'
  | 'CardError'
  | 'Approved'
  | 'Declined';

/** What happens at a moment of a session, in simulated milliseconds after its start. */
export type Step =
  | { readonly atMs: number; readonly does: 'confirm' | 'ask' | 'tell' | 'cancel' }
  | { readonly atMs: number; readonly does: 'show'; readonly shows: Shown };

/** A session as it is going to be played: fixed when it starts. */
export interface Play {
  readonly steps: readonly Step[];
  readonly card: PresentedCard;
  readonly verdict: Verdict;
  readonly isSignatureNeeded: boolean;
  /** The outcome is shown on the screen before it is told. */
  readonly isOutcomeShown: boolean;
  /** False: a machine that goes on asking for a card for ever. */
  readonly givesUp: boolean;
}

/** The card that the guest holds, and how it is read. */
export interface PresentedCard extends OnlineCard {
  readonly entryMode: EntryMode;
  readonly verificationMethod: VerificationMethod;
  readonly scheme: CardScheme;
  readonly fundingType: CardFundingType;
  readonly product: string;
  readonly aid: string;
  readonly panSequence: string;
}

/** What a play depends on. */
export interface Casting {
  readonly model: MachineModel;
  readonly totalMinorUnits: number;
  readonly isRefund: boolean;
  readonly isCardholderAbsent: boolean;
  readonly areAmountTriggersOn: boolean;
  /** How many sessions this machine ran before; `mixed` takes PIN and signature in turn. */
  readonly earlierSessions: number;
  readonly hasEarlierAttempt: (cardNumber: string) => boolean;
}

/** The session window: from its start to the moment when the service takes it for expired. */
const WINDOW_MS = 90_000;

/** Decides how a session is played. */
export function castPlay(casting: Casting): Play {
  const { model, totalMinorUnits, isRefund } = casting;
  const followsAmount = model.followsAmounts && casting.areAmountTriggersOn && !isRefund;
  const trigger = followsAmount ? amountTrigger(totalMinorUnits, 'machine') : null;
  const usual = usualPlay(casting);
  switch (trigger) {
    case null:
    case 'Referred':
    case 'Failed':
    case 'Challenged':
      return usual;
    case 'Declined':
      return { ...usual, verdict: declined('Declined') };
    case 'DeclinedAfterCardError': {
      const cardError = { atMs: 2_200, does: 'show', shows: 'CardError' } as const;
      return { ...usual, verdict: declined('Declined'), steps: inOrder([...usual.steps, cardError]) };
    }
    case 'SignatureRequired':
      return SIGNATURE;
    case 'CardTroubles':
      return CARD_TROUBLES;
    case 'ApprovedLate':
      return { ...usual, ...LATE };
    case 'CanceledAtMachine':
      return CANCEL;
    case 'SecondAttemptApproved':
      return casting.hasEarlierAttempt(usual.card.number) ? usual : { ...usual, verdict: declined('Declined') };
  }
}

function usualPlay({ model, isRefund, isCardholderAbsent, earlierSessions }: Casting): Play {
  const signed = isRefund ? CONTACTLESS : SIGNATURE;
  switch (model.behaviour) {
    case 'contactless':
      return isCardholderAbsent ? MANUAL : CONTACTLESS;
    case 'pin':
      return isCardholderAbsent ? MANUAL : PIN;
    case 'signature':
      return isCardholderAbsent ? MANUAL : signed;
    case 'decline':
      return { ...(isCardholderAbsent ? MANUAL : PIN), verdict: declined('Declined'), isOutcomeShown: true };
    case 'cancel':
      return CANCEL;
    case 'expire':
      return EXPIRE;
    case 'slow':
      return SLOW;
    case 'mixed':
      if (isCardholderAbsent) return MANUAL;
      return earlierSessions % 2 === 0 ? PIN : signed;
    case 'busy':
    case 'offline':
      return EXPIRE;
  }
}

function show(atMs: number, shows: Shown): Step {
  return { atMs, does: 'show', shows };
}

function inOrder(steps: readonly Step[]): Step[] {
  return [...steps].sort((left, right) => left.atMs - right.atMs);
}

function presented(number: string, how: Pick<PresentedCard, 'entryMode' | 'verificationMethod'>): PresentedCard {
  const card = findTestCard(number);
  if (card === null) throw new Error(`not a test card: ${number}`);
  const { scheme, fundingType, product } = card;
  const aid = AIDS[scheme];
  return {
    ...{ number, scheme, fundingType, product, aid, ...how },
    expiryMonth: 12,
    expiryYear: 2032,
    cv2: '',
    cardholderName: '',
    panSequence: '01',
  };
}

/** The usual application of each scheme's chips. */
const AIDS: Readonly<Record<CardScheme, string>> = {
  VISA: 'A0000000031010',
  MASTERCARD: 'A0000000041010',
  MAESTRO: 'A0000000043060',
  DISCOVER: 'A0000001523010',
  DCI: 'A0000001524010',
  AMEX: 'A000000025010402',
};

const CONTACTLESS_CARD = presented('4456530000091014', { entryMode: 'Contactless', verificationMethod: 'None' });
const PIN_CARD = presented('5200000000001005', { entryMode: 'ContactChip', verificationMethod: 'Pin' });
const SIGNATURE_CARD = presented('374000000009108', { entryMode: 'ContactChip', verificationMethod: 'Signature' });
const MANUAL_CARD = presented('5200000000001005', { entryMode: 'ManualEntry', verificationMethod: 'None' });

const plain = { verdict: APPROVED, isSignatureNeeded: false, isOutcomeShown: false, givesUp: true } as const;
const begin: readonly Step[] = [{ atMs: 200, does: 'confirm' }, show(1_200, 'PresentCard')];

const CONTACTLESS: Play = {
  ...plain,
  card: CONTACTLESS_CARD,
  isOutcomeShown: true,
  steps: [...begin, show(3_200, 'PleaseWait'), { atMs: 3_200, does: 'ask' }, { atMs: 4_300, does: 'tell' }],
};

const PIN: Play = {
  ...plain,
  card: PIN_CARD,
  steps: [
    ...begin,
    show(5_300, 'PleaseWait'),
    show(5_400, 'EnterPin'),
    show(6_600, 'PleaseWait'),
    { atMs: 6_600, does: 'ask' },
    show(7_600, 'RemoveCard'),
    { atMs: 8_700, does: 'tell' },
  ],
};

const SIGNATURE: Play = {
  ...plain,
  card: SIGNATURE_CARD,
  isSignatureNeeded: true,
  steps: [
    ...begin,
    show(5_300, 'PleaseWait'),
    { atMs: 5_300, does: 'ask' },
    show(6_600, 'RemoveCard'),
    { atMs: 7_600, does: 'tell' },
  ],
};

/** Two cards are held to the machine, then one that has to be inserted, and the wrong way round; in the end it pays. */
const CARD_TROUBLES: Play = {
  ...plain,
  card: PIN_CARD,
  steps: [
    ...begin,
    show(2_200, 'PresentOnlyOneCard'),
    show(3_200, 'CardUnsupported'),
    show(4_200, 'InsertCard'),
    show(5_200, 'ReEnterCard'),
    show(6_300, 'PleaseWait'),
    show(6_400, 'EnterPin'),
    show(7_600, 'PleaseWait'),
    { atMs: 7_600, does: 'ask' },
    show(8_600, 'RemoveCard'),
    { atMs: 9_700, does: 'tell' },
  ],
};

const MANUAL: Play = {
  ...plain,
  card: MANUAL_CARD,
  steps: [
    { atMs: 200, does: 'confirm' },
    show(5_300, 'PleaseWait'),
    { atMs: 5_300, does: 'ask' },
    { atMs: 6_600, does: 'tell' },
  ],
};

const SLOW: Play = {
  ...plain,
  card: PIN_CARD,
  steps: [
    { atMs: 8_000, does: 'confirm' },
    show(9_000, 'PresentCard'),
    show(12_000, 'PleaseWait'),
    show(12_500, 'EnterPin'),
    show(50_000, 'PleaseWait'),
    { atMs: 50_000, does: 'ask' },
    show(58_000, 'RemoveCard'),
    { atMs: 60_000, does: 'tell' },
  ],
};

const CANCEL: Play = { ...plain, card: CONTACTLESS_CARD, steps: [...begin, { atMs: 3_000, does: 'cancel' }] };

const EXPIRE: Play = {
  ...plain,
  card: CONTACTLESS_CARD,
  givesUp: false,
  steps: [{ atMs: 200, does: 'confirm' }],
};

const LATE_ASK_AT_MS = 5_300;
const LATE: Pick<Play, 'steps' | 'verdict'> = {
  verdict: { ...APPROVED, lateByMs: WINDOW_MS + LATE_APPROVAL_MS - LATE_ASK_AT_MS },
  steps: [
    ...begin,
    show(LATE_ASK_AT_MS, 'PleaseWait'),
    { atMs: LATE_ASK_AT_MS, does: 'ask' },
    { atMs: LATE_ASK_AT_MS, does: 'tell' },
  ],
};
