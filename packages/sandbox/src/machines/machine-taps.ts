import { APPROVED, createDeclinedVerdict } from '../acquirer/card-verdict.js';
import {
  CONTACTLESS_CARD,
  PIN_CARD,
  SIGNATURE_CARD,
  type MachineNotification,
  type MachineScript,
  type ScriptStep,
} from './machine-script.js';

/** The cards in the wallet of the person in front of the machine. */
const WALLET_CARDS = ['contactless', 'chip', 'signature', 'declined'] as const;
export type WalletCard = (typeof WALLET_CARDS)[number];

/** What goes wrong between a card and the reader. The payer may try again. */
const CARD_TROUBLES = [
  'PresentOnlyOneCard',
  'CardUnsupported',
  'InsertCard',
  'ReEnterCard',
  'CardError',
] as const satisfies readonly MachineNotification[];
export type CardTrouble = (typeof CARD_TROUBLES)[number];

/** What a person does at the machine. */
export type MachineTap =
  | { readonly kind: 'presentCard'; readonly card: WalletCard }
  | { readonly kind: 'causeTrouble'; readonly trouble: CardTrouble }
  | { readonly kind: 'enterPin' }
  | { readonly kind: 'removeCard' }
  | { readonly kind: 'cancel' };

/** What a session on a machine waits for. */
export type SessionStage = 'confirmation' | 'card' | 'pin' | 'acquirer' | 'removal' | 'signature';

/** What follows a tap: changes of the script, and its next steps in simulated milliseconds from now. */
export interface TapPlan {
  readonly script: Partial<MachineScript>;
  readonly steps: readonly ScriptStep[];
}

/** A session that a person operates: the machine confirms it and requests a card. All else follows from taps. */
export const TAPPED_SCRIPT: MachineScript = {
  card: CONTACTLESS_CARD,
  verdict: APPROVED,
  isSignatureNeeded: false,
  isOutcomeShown: true,
  givesUp: false,
  steps: [
    { atMs: 200, does: 'confirm' },
    { atMs: 600, does: 'show', shows: 'PresentCard' },
  ],
};

const REMOVAL_STEPS: readonly ScriptStep[] = [
  { atMs: 0, does: 'show', shows: 'PleaseWait' },
  { atMs: 0, does: 'ask' },
  { atMs: 1_200, does: 'show', shows: 'RemoveCard' },
];
const CONTACTLESS_STEPS: readonly ScriptStep[] = [
  { atMs: 0, does: 'show', shows: 'PleaseWait' },
  { atMs: 0, does: 'ask' },
  { atMs: 1_100, does: 'report' },
];

const CARD_PLANS: Readonly<Record<WalletCard, TapPlan>> = {
  contactless: { script: { card: CONTACTLESS_CARD }, steps: CONTACTLESS_STEPS },
  declined: {
    script: { card: CONTACTLESS_CARD, verdict: createDeclinedVerdict('Declined') },
    steps: CONTACTLESS_STEPS,
  },
  chip: {
    script: { card: PIN_CARD },
    steps: [
      { atMs: 0, does: 'show', shows: 'PleaseWait' },
      { atMs: 400, does: 'show', shows: 'EnterPin' },
    ],
  },
  signature: {
    script: { card: SIGNATURE_CARD, isSignatureNeeded: true, isOutcomeShown: false },
    steps: REMOVAL_STEPS,
  },
};

/** Plans a tap. Null: the session does not wait for it. */
export function planTap(tap: MachineTap, stage: SessionStage): TapPlan | null {
  switch (tap.kind) {
    case 'presentCard':
      return stage === 'card' ? CARD_PLANS[tap.card] : null;
    case 'causeTrouble':
      return stage === 'card' ? { script: {}, steps: [{ atMs: 0, does: 'show', shows: tap.trouble }] } : null;
    case 'enterPin':
      return stage === 'pin' ? { script: {}, steps: REMOVAL_STEPS } : null;
    case 'removeCard':
      return stage === 'removal' ? { script: {}, steps: [{ atMs: 0, does: 'report' }] } : null;
    case 'cancel':
      // The acquirer receives nothing before the PIN is complete.
      return stage === 'card' || stage === 'pin' ? { script: {}, steps: [{ atMs: 0, does: 'cancel' }] } : null;
  }
}

/** What finishes a session of this stage when the person leaves the machine. `scripted` is what the machine does alone. */
export function planDeparture(scripted: MachineScript, stage: SessionStage): TapPlan {
  switch (stage) {
    case 'confirmation':
    case 'card': {
      const confirmed = scripted.steps.findIndex(({ does }) => does === 'confirm') + 1;
      return { script: scripted, steps: scripted.steps.slice(stage === 'card' ? confirmed : 0) };
    }
    case 'pin':
      return { script: {}, steps: [...REMOVAL_STEPS, { atMs: 2_000, does: 'report' }] };
    case 'acquirer':
    case 'removal':
      return { script: {}, steps: [{ atMs: 2_000, does: 'report' }] };
    case 'signature':
      return { script: {}, steps: [] };
  }
}

/** The stage that a displayed notification begins; null: it begins none. */
export function findStage(shows: MachineNotification): SessionStage | null {
  switch (shows) {
    case 'PresentCard':
    case 'PresentOnlyOneCard':
    case 'CardUnsupported':
    case 'InsertCard':
    case 'ReEnterCard':
    case 'CardError':
      return 'card';
    case 'EnterPin':
      return 'pin';
    case 'RemoveCard':
      return 'removal';
    case 'PleaseWait':
      return 'acquirer';
    case 'Approved':
    case 'Declined':
      return null;
  }
}
