import {
  type CardFundingType,
  type CardScheme,
  type EntryMode,
  SCHEMES,
  type VerificationMethod,
} from '@pos/core/cards';
import { findAmountTrigger } from '../cards/amount-trigger.js';
import { APPROVED, createDeclinedVerdict, LATE_APPROVAL_MS, type CardVerdict } from '../acquirer/card-verdict.js';
import type { OnlineCard } from '../cards/online-card.js';
import { findTestCard } from '../cards/test-cards.js';

/** The behaviour of a simulated machine and of the person in front of it. */
export type MachineBehaviour =
  | 'contactless'
  | 'pin'
  | 'signature'
  | 'decline'
  | 'cancel'
  | 'expire'
  | 'busy'
  | 'offline'
  | 'slow'
  | 'mixed';

/** The result of a sale on a machine of each behaviour, as the page of test machines names it. */
export const MACHINE_RESULTS: Readonly<Record<MachineBehaviour, string>> = {
  contactless: 'approved, contactless',
  pin: 'approved by PIN',
  signature: 'approved, with a signature to verify',
  decline: 'declined',
  cancel: 'cancelled at the machine',
  expire: 'no card is presented, and the session expires',
  busy: 'the machine reports that it is in use',
  offline: 'the machine never connects',
  slow: 'approved by PIN after a minute',
  mixed: 'by PIN and by signature in turn',
};

/** One of the ten machines that every sandbox account has. */
export interface MachineModel {
  readonly tid: string;
  readonly name: string;
  readonly behaviour: MachineBehaviour;
  /** Whether the last two digits of an amount decide on this machine. */
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

/** What a machine displays while it works. */
export type MachineNotification =
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

/** One step of a session, in simulated milliseconds after its start. */
export type ScriptStep =
  | { readonly atMs: number; readonly does: 'confirm' | 'ask' | 'report' | 'cancel' }
  | { readonly atMs: number; readonly does: 'show'; readonly shows: MachineNotification };

/** The script of a session, fixed when it starts. */
export interface MachineScript {
  readonly steps: readonly ScriptStep[];
  readonly card: PresentedCard;
  readonly verdict: CardVerdict;
  readonly isSignatureNeeded: boolean;
  /** The outcome is displayed before it is reported. */
  readonly isOutcomeShown: boolean;
  /** False: the machine never stops asking for a card. */
  readonly givesUp: boolean;
}

/** The card that the payer holds, and how it is read. */
export interface PresentedCard extends OnlineCard {
  readonly entryMode: EntryMode;
  readonly verificationMethod: VerificationMethod;
  readonly scheme: CardScheme;
  readonly fundingType: CardFundingType;
  readonly product: string;
  readonly aid: string;
  readonly panSequence: string;
}

/** What the choice of a script depends on. */
export interface ScriptConditions {
  readonly model: MachineModel;
  readonly totalMinorUnits: number;
  readonly isRefund: boolean;
  readonly isCardholderAbsent: boolean;
  readonly areAmountTriggersOn: boolean;
  /** How many sessions this machine ran before; `mixed` takes PIN and signature in turn. */
  readonly earlierSessions: number;
  readonly hasEarlierAttempt: (cardNumber: string) => boolean;
}

/** From the start of a session to the moment when the service expires it. */
const SESSION_WINDOW_MS = 90_000;

/** Chooses the script of a session. */
export function chooseScript(conditions: ScriptConditions): MachineScript {
  const { model, totalMinorUnits, isRefund } = conditions;
  const followsAmount = model.followsAmounts && conditions.areAmountTriggersOn && !isRefund;
  const trigger = followsAmount ? findAmountTrigger(totalMinorUnits, 'machine') : null;
  const usualScript = chooseUsualScript(conditions);
  switch (trigger) {
    case null:
    case 'Referred':
    case 'Failed':
    case 'Challenged':
      return usualScript;
    case 'Declined':
      return { ...usualScript, verdict: createDeclinedVerdict('Declined') };
    case 'DeclinedAfterCardError': {
      const cardError = { atMs: 2_200, does: 'show', shows: 'CardError' } as const;
      return {
        ...usualScript,
        verdict: createDeclinedVerdict('Declined'),
        steps: sortSteps([...usualScript.steps, cardError]),
      };
    }
    case 'SignatureRequired':
      return SIGNATURE_SCRIPT;
    case 'CardTroubles':
      return CARD_PROBLEMS_SCRIPT;
    case 'ApprovedLate':
      return { ...usualScript, ...LATE_SCRIPT };
    case 'CanceledAtMachine':
      return CANCEL_SCRIPT;
    case 'SecondAttemptApproved':
      return conditions.hasEarlierAttempt(usualScript.card.number)
        ? usualScript
        : { ...usualScript, verdict: createDeclinedVerdict('Declined') };
  }
}

function chooseUsualScript({ model, isRefund, isCardholderAbsent, earlierSessions }: ScriptConditions): MachineScript {
  const signatureScript = isRefund ? CONTACTLESS_SCRIPT : SIGNATURE_SCRIPT;
  switch (model.behaviour) {
    case 'contactless':
      return isCardholderAbsent ? MANUAL_SCRIPT : CONTACTLESS_SCRIPT;
    case 'pin':
      return isCardholderAbsent ? MANUAL_SCRIPT : PIN_SCRIPT;
    case 'signature':
      return isCardholderAbsent ? MANUAL_SCRIPT : signatureScript;
    case 'decline':
      return {
        ...(isCardholderAbsent ? MANUAL_SCRIPT : PIN_SCRIPT),
        verdict: createDeclinedVerdict('Declined'),
        isOutcomeShown: true,
      };
    case 'cancel':
      return CANCEL_SCRIPT;
    case 'expire':
      return EXPIRE_SCRIPT;
    case 'slow':
      return SLOW_SCRIPT;
    case 'mixed':
      if (isCardholderAbsent) return MANUAL_SCRIPT;
      return earlierSessions % 2 === 0 ? PIN_SCRIPT : signatureScript;
    case 'busy':
    case 'offline':
      return EXPIRE_SCRIPT;
  }
}

function createShowStep(atMs: number, shows: MachineNotification): ScriptStep {
  return { atMs, does: 'show', shows };
}

function sortSteps(steps: readonly ScriptStep[]): ScriptStep[] {
  return [...steps].sort((left, right) => left.atMs - right.atMs);
}

function createPresentedCard(
  number: string,
  entry: Pick<PresentedCard, 'entryMode' | 'verificationMethod'>,
): PresentedCard {
  const card = findTestCard(number);
  if (card === null) throw new Error(`not a test card: ${number}`);
  const { scheme, fundingType, product } = card;
  const aid = SCHEMES[scheme].chipApplicationId;
  return {
    ...{ number, scheme, fundingType, product, aid, ...entry },
    expiryMonth: 12,
    expiryYear: 2032,
    cv2: '',
    cardholderName: '',
    panSequence: '01',
  };
}

/** A card that is held to the reader. */
export const CONTACTLESS_CARD = createPresentedCard('4456530000091014', {
  entryMode: 'Contactless',
  verificationMethod: 'None',
});
/** A chip card with a PIN. */
export const PIN_CARD = createPresentedCard('5200000000001005', {
  entryMode: 'ContactChip',
  verificationMethod: 'Pin',
});
/** A chip card whose holder signs. */
export const SIGNATURE_CARD = createPresentedCard('374000000009108', {
  entryMode: 'ContactChip',
  verificationMethod: 'Signature',
});
const MANUAL_CARD = createPresentedCard('5200000000001005', { entryMode: 'ManualEntry', verificationMethod: 'None' });

const SCRIPT_DEFAULTS = { verdict: APPROVED, isSignatureNeeded: false, isOutcomeShown: false, givesUp: true } as const;
const FIRST_STEPS: readonly ScriptStep[] = [{ atMs: 200, does: 'confirm' }, createShowStep(1_200, 'PresentCard')];

const CONTACTLESS_SCRIPT: MachineScript = {
  ...SCRIPT_DEFAULTS,
  card: CONTACTLESS_CARD,
  isOutcomeShown: true,
  steps: [
    ...FIRST_STEPS,
    createShowStep(3_200, 'PleaseWait'),
    { atMs: 3_200, does: 'ask' },
    { atMs: 4_300, does: 'report' },
  ],
};

const PIN_SCRIPT: MachineScript = {
  ...SCRIPT_DEFAULTS,
  card: PIN_CARD,
  steps: [
    ...FIRST_STEPS,
    createShowStep(5_300, 'PleaseWait'),
    createShowStep(5_400, 'EnterPin'),
    createShowStep(6_600, 'PleaseWait'),
    { atMs: 6_600, does: 'ask' },
    createShowStep(7_600, 'RemoveCard'),
    { atMs: 8_700, does: 'report' },
  ],
};

const SIGNATURE_SCRIPT: MachineScript = {
  ...SCRIPT_DEFAULTS,
  card: SIGNATURE_CARD,
  isSignatureNeeded: true,
  steps: [
    ...FIRST_STEPS,
    createShowStep(5_300, 'PleaseWait'),
    { atMs: 5_300, does: 'ask' },
    createShowStep(6_600, 'RemoveCard'),
    { atMs: 7_600, does: 'report' },
  ],
};

/** Two cards are presented together, then one that must be inserted, then one the wrong way round; at last it pays. */
const CARD_PROBLEMS_SCRIPT: MachineScript = {
  ...SCRIPT_DEFAULTS,
  card: PIN_CARD,
  steps: [
    ...FIRST_STEPS,
    createShowStep(2_200, 'PresentOnlyOneCard'),
    createShowStep(3_200, 'CardUnsupported'),
    createShowStep(4_200, 'InsertCard'),
    createShowStep(5_200, 'ReEnterCard'),
    createShowStep(6_300, 'PleaseWait'),
    createShowStep(6_400, 'EnterPin'),
    createShowStep(7_600, 'PleaseWait'),
    { atMs: 7_600, does: 'ask' },
    createShowStep(8_600, 'RemoveCard'),
    { atMs: 9_700, does: 'report' },
  ],
};

const MANUAL_SCRIPT: MachineScript = {
  ...SCRIPT_DEFAULTS,
  card: MANUAL_CARD,
  steps: [
    { atMs: 200, does: 'confirm' },
    createShowStep(5_300, 'PleaseWait'),
    { atMs: 5_300, does: 'ask' },
    { atMs: 6_600, does: 'report' },
  ],
};

const SLOW_SCRIPT: MachineScript = {
  ...SCRIPT_DEFAULTS,
  card: PIN_CARD,
  steps: [
    { atMs: 8_000, does: 'confirm' },
    createShowStep(9_000, 'PresentCard'),
    createShowStep(12_000, 'PleaseWait'),
    createShowStep(12_500, 'EnterPin'),
    createShowStep(50_000, 'PleaseWait'),
    { atMs: 50_000, does: 'ask' },
    createShowStep(58_000, 'RemoveCard'),
    { atMs: 60_000, does: 'report' },
  ],
};

const CANCEL_SCRIPT: MachineScript = {
  ...SCRIPT_DEFAULTS,
  card: CONTACTLESS_CARD,
  steps: [...FIRST_STEPS, { atMs: 3_000, does: 'cancel' }],
};

const EXPIRE_SCRIPT: MachineScript = {
  ...SCRIPT_DEFAULTS,
  card: CONTACTLESS_CARD,
  givesUp: false,
  steps: [{ atMs: 200, does: 'confirm' }],
};

const LATE_REQUEST_AT_MS = 5_300;
const LATE_SCRIPT: Pick<MachineScript, 'steps' | 'verdict'> = {
  verdict: { ...APPROVED, lateByMs: SESSION_WINDOW_MS + LATE_APPROVAL_MS - LATE_REQUEST_AT_MS },
  steps: [
    ...FIRST_STEPS,
    createShowStep(LATE_REQUEST_AT_MS, 'PleaseWait'),
    { atMs: LATE_REQUEST_AT_MS, does: 'ask' },
    { atMs: LATE_REQUEST_AT_MS, does: 'report' },
  ],
};
