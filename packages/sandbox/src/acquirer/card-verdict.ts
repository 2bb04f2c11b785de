import type { AvsResult } from '@pos/core/cards';
import { findAmountTrigger, type AmountTrigger } from '../cards/amount-trigger.js';
import type { BookedOutcome } from './acquirer-books.js';
import { findTestCard, type CardBehaviour, type TestCard } from '../cards/test-cards.js';
import type { OnlineCard } from '../cards/online-card.js';

/** How much later an unanswered call is approved, in simulated time. */
export const LATE_APPROVAL_MS = 20_000;

/** The issuer's decision on one call. */
export interface CardVerdict {
  readonly outcome: BookedOutcome;
  readonly message: string;
  /** Above 0: the caller gets no answer, and the outcome is available this much later. */
  readonly lateByMs: number;
  readonly canPassChallenge: boolean;
  readonly isRefundable: boolean;
  readonly avsResult: AvsResult | null;
}

/** What the decision on an online call depends on. */
export interface OnlineCharge {
  readonly card: OnlineCard;
  readonly amount: number;
  /** The card was stored before. Its CV2 is checked only if one was given. */
  readonly isStored: boolean;
  /**
   * Given by letter or telephone, or charged by the merchant alone. It may come without CV2 and cannot be challenged.
   */
  readonly isRemote: boolean;
  /** False: nobody can answer a challenge of the issuer. */
  readonly isChallengePossible: boolean;
  readonly hasAddress: boolean;
  readonly areAmountTriggersOn: boolean;
  readonly now: Date;
  /** Counts earlier calls with this card and amount; called only where it matters. */
  readonly countEarlierAttempts: () => number;
}

/** A plain approval. */
export const APPROVED: CardVerdict = {
  outcome: 'Approved',
  message: 'Approved',
  lateByMs: 0,
  canPassChallenge: true,
  isRefundable: true,
  avsResult: null,
};

/** A decline with the issuer's message. */
export function createDeclinedVerdict(message: string): CardVerdict {
  return { ...APPROVED, outcome: 'Declined', message };
}

/** Decides on a card that is charged online, from the test card and the ending of the amount. */
export function evaluateOnlineCharge(charge: OnlineCharge): CardVerdict {
  const card = findTestCard(charge.card.number);
  if (card === null) return createDeclinedVerdict('Not a test card');
  if (isExpired(charge.card, charge.now)) return createDeclinedVerdict('Expired card');
  if (!isCv2Valid(card, charge)) return createDeclinedVerdict('CV2 mismatch');

  const trigger = charge.areAmountTriggersOn ? findAmountTrigger(charge.amount, 'online') : null;
  const isPlain = card.behaviour === 'Approve';
  const verdict = isPlain && trigger !== null ? evaluateTrigger(trigger, charge) : evaluateCard(card.behaviour, charge);
  return charge.hasAddress && verdict.avsResult === null
    ? { ...verdict, avsResult: 'ADDRESS_MATCH_POSTCODE_MATCH' }
    : verdict;
}

function evaluateTrigger(trigger: AmountTrigger, charge: OnlineCharge): CardVerdict {
  switch (trigger) {
    case 'Referred':
      return evaluateCard('Refer', charge);
    case 'Failed':
      return evaluateCard('Fail', charge);
    case 'Challenged':
      return evaluateCard('Challenge', charge);
    case 'ApprovedLate':
      return evaluateCard('ApproveLate', charge);
    case 'SecondAttemptApproved':
      return evaluateCard('ApproveSecondAttempt', charge);
    case 'Declined':
    case 'DeclinedAfterCardError':
      return evaluateCard('Decline', charge);
    case 'SignatureRequired':
    case 'CardTroubles':
    case 'CanceledAtMachine':
      return APPROVED;
  }
}

function evaluateCard(behaviour: CardBehaviour, charge: OnlineCharge): CardVerdict {
  switch (behaviour) {
    case 'Approve':
      return APPROVED;
    case 'Decline':
      return createDeclinedVerdict('Declined');
    case 'Refer':
      return { ...APPROVED, outcome: 'Referred', message: 'Refer to card issuer' };
    case 'Fail':
      return { ...APPROVED, outcome: 'Failed', message: 'Processing error' };
    case 'Challenge':
    case 'ChallengeAlwaysFails':
      // An absent payer cannot be challenged; the issuer decides at once.
      if (charge.isRemote) {
        return behaviour === 'Challenge' ? APPROVED : createDeclinedVerdict('Declined');
      }
      if (!charge.isChallengePossible) return createDeclinedVerdict('Challenge required');
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
      return charge.isStored ? createDeclinedVerdict('Declined') : APPROVED;
    case 'ApproveNoRefund':
      return { ...APPROVED, isRefundable: false };
    case 'ApproveSecondAttempt':
      // Every odd attempt is declined, so that the pair can be repeated without a reset.
      return charge.countEarlierAttempts() % 2 === 0 ? createDeclinedVerdict('Declined') : APPROVED;
  }
}

function isCv2Valid(card: TestCard, { card: chargedCard, isStored, isRemote }: OnlineCharge): boolean {
  const mayBeMissing = isStored || isRemote;
  return chargedCard.cv2 === '' ? mayBeMissing : chargedCard.cv2 === card.cv2;
}

function isExpired({ expiryMonth, expiryYear }: OnlineCard, now: Date): boolean {
  const firstDayAfter = Date.UTC(expiryYear, expiryMonth, 1);
  return !(firstDayAfter > now.getTime());
}
