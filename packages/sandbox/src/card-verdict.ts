import type { AvsResult } from '@pos/core/card';
import { amountTrigger, type AmountTrigger } from './amount-trigger.js';
import type { BookedOutcome } from './acquirer-books.js';
import { findTestCard, type CardBehaviour, type TestCard } from './test-cards.js';

/** How long the approval of an unanswered call is still on its way, in simulated time. */
export const LATE_APPROVAL_MS = 20_000;

/** What the issuer says to one call. */
export interface Verdict {
  readonly outcome: BookedOutcome;
  readonly message: string;
  /** Above 0: the caller gets no answer, and the outcome is known only this much later. */
  readonly lateByMs: number;
  readonly canPassChallenge: boolean;
  readonly isRefundable: boolean;
  readonly avsResult: AvsResult | null;
}

/** A card as it is charged online. */
export interface OnlineCard {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly cv2: string;
  readonly cardholderName: string;
}

/** What the verdict on an online call depends on. */
export interface OnlineQuestion {
  readonly card: OnlineCard;
  readonly amount: number;
  /** A card stored before; its CV2 is only looked at when it was given. */
  readonly isStored: boolean;
  /** Given by letter or telephone, or charged by the merchant alone: may come without CV2, and cannot be challenged. */
  readonly isRemote: boolean;
  readonly hasAddress: boolean;
  readonly areAmountTriggersOn: boolean;
  readonly now: Date;
  /** How many calls with this card and amount there were before; asked only where it matters. */
  readonly earlierAttempts: () => number;
}

/** The plain yes. */
export const APPROVED: Verdict = {
  outcome: 'Approved',
  message: 'Approved',
  lateByMs: 0,
  canPassChallenge: true,
  isRefundable: true,
  avsResult: null,
};

/** A no, in the issuer's words. */
export function declined(message: string): Verdict {
  return { ...APPROVED, outcome: 'Declined', message };
}

/** Judges a card that is charged online, by the table of test cards and the endings of amounts. */
export function judgeOnline(question: OnlineQuestion): Verdict {
  const card = findTestCard(question.card.number);
  if (card === null) return declined('Not a test card');
  if (isExpired(question.card, question.now)) return declined('Expired card');
  if (!isCv2Right(card, question)) return declined('CV2 mismatch');

  const trigger = question.areAmountTriggersOn ? amountTrigger(question.amount, 'online') : null;
  const isPlain = card.behaviour === 'Approve';
  const verdict = isPlain && trigger !== null ? onTrigger(trigger, question) : onCard(card.behaviour, question);
  return question.hasAddress && verdict.avsResult === null
    ? { ...verdict, avsResult: 'ADDRESS_MATCH_POSTCODE_MATCH' }
    : verdict;
}

function onTrigger(trigger: AmountTrigger, question: OnlineQuestion): Verdict {
  switch (trigger) {
    case 'Referred':
      return onCard('Refer', question);
    case 'Failed':
      return onCard('Fail', question);
    case 'Challenged':
      return onCard('Challenge', question);
    case 'ApprovedLate':
      return onCard('ApproveLate', question);
    case 'SecondAttemptApproved':
      return onCard('ApproveSecondAttempt', question);
    case 'Declined':
    case 'DeclinedAfterCardError':
      return onCard('Decline', question);
    case 'SignatureRequired':
    case 'CardTroubles':
    case 'CanceledAtMachine':
      return APPROVED;
  }
}

function onCard(behaviour: CardBehaviour, question: OnlineQuestion): Verdict {
  switch (behaviour) {
    case 'Approve':
      return APPROVED;
    case 'Decline':
      return declined('Declined');
    case 'Refer':
      return { ...APPROVED, outcome: 'Referred', message: 'Refer to card issuer' };
    case 'Fail':
      return { ...APPROVED, outcome: 'Failed', message: 'Processing error' };
    case 'Challenge':
    case 'ChallengeAlwaysFails':
      // A payer who is not there cannot be challenged; the issuer decides at once.
      if (question.isRemote) {
        return behaviour === 'Challenge' ? APPROVED : declined('Declined');
      }
      return {
        ...APPROVED,
        outcome: 'Challenged',
        message: 'Challenge required',
        canPassChallenge: behaviour === 'Challenge',
      };
    case 'ApproveLate':
      return { ...APPROVED, lateByMs: LATE_APPROVAL_MS };
    case 'ApproveAddressMismatch':
      return { ...APPROVED, avsResult: 'ADDRESS_MISMATCH_POSTCODE_MISMATCH' };
    case 'ApproveSetupOnly':
      return question.isStored ? declined('Declined') : APPROVED;
    case 'ApproveNoRefund':
      return { ...APPROVED, isRefundable: false };
    case 'ApproveSecondAttempt':
      // Every odd attempt is declined, so that the pair can be played again without a reset.
      return question.earlierAttempts() % 2 === 0 ? declined('Declined') : APPROVED;
  }
}

function isCv2Right(card: TestCard, { card: given, isStored, isRemote }: OnlineQuestion): boolean {
  const mayBeMissing = isStored || isRemote;
  return given.cv2 === '' ? mayBeMissing : given.cv2 === card.cv2;
}

function isExpired({ expiryMonth, expiryYear }: OnlineCard, now: Date): boolean {
  const firstDayAfter = Date.UTC(expiryYear, expiryMonth, 1);
  return !(firstDayAfter > now.getTime());
}
