import type { AcquirerCall, AcquirerCallKind, CallResult } from '../acquirer-calls/acquirer-call.js';
import type { Approval } from '../cards/card.js';
import { getAcquirersTransactionId } from '../cards/transaction-id.js';
import { isSameAmount, type Money } from '../money/money.js';
import type { AcquirerAnswer, AcquirerBooking } from './ports.js';

/** What the acquirer has decided for good on a call about an authorisation. */
export interface Verdict {
  readonly isDone: boolean;
  /**
   * A failure that is no decision of the issuer: the acquirer failed, or refused the call itself, and nothing moved.
   */
  readonly isFailure: boolean;
  readonly result: CallResult | null;
}

/** The verdict in an answer; null if nothing is decided and the same call has to be repeated. */
export function findVerdict(kind: AcquirerCallKind, answer: AcquirerAnswer): Verdict | null {
  switch (answer.outcome) {
    case 'done': {
      const { transactionId, transactionDateTime } = answer;
      return { isDone: true, isFailure: false, result: { kind: 'done', transactionId, transactionDateTime } };
    }
    case 'approved':
      return { isDone: true, isFailure: false, result: null };
    case 'reversed':
      // A capture, refund or increase that the acquirer has undone without us is no success.
      return kind === 'Reverse' || kind === 'Release' ? { isDone: true, isFailure: false, result: null } : null;
    case 'declined': {
      const { message } = answer.decline;
      return { isDone: false, isFailure: message === 'FAILED', result: { kind: 'refused', message } };
    }
    case 'refused':
      return { isDone: false, isFailure: true, result: { kind: 'refused', message: answer.status } };
    case 'alreadyExists':
    case 'accessRefused':
    case 'challenged':
    case 'inProgress':
    case 'notFound':
    case 'unknown':
      return null;
  }
}

/** Whether an answer is only trusted after an inquiry of the same reference. */
export function needsInquiry({ outcome }: AcquirerAnswer): boolean {
  return outcome === 'refused' || outcome === 'alreadyExists';
}

/**
 * The answer that counts after a refusal by status and an inquiry of the same reference. The inquiry wins if it
 * contains the end of the call: an earlier call whose answer was lost may have been booked. A refusal is final only
 * if the acquirer reports that nothing is booked under the reference.
 */
export function confirmRefusal(refusal: AcquirerAnswer, inquired: AcquirerAnswer): AcquirerAnswer {
  switch (inquired.outcome) {
    case 'done':
    case 'approved':
    case 'declined':
    case 'reversed':
    case 'accessRefused':
      return inquired;
    case 'notFound':
      return refusal.outcome === 'refused' ? refusal : { outcome: 'unknown', reason: 'in use and not found' };
    case 'challenged':
    case 'inProgress':
    case 'alreadyExists':
    case 'refused':
    case 'unknown':
      return { outcome: 'unknown', reason: `refused, and ${inquired.outcome} when inquired` };
  }
}

/** What remains to do for an authorisation whose reversal the acquirer refuses for good. */
export type RefusedReversal =
  /** The acquirer has the money: it is given back by a refund. */
  | { readonly kind: 'refund'; readonly amount: Money }
  /** The acquirer reports that it has no money: the authorisation is over. */
  | { readonly kind: 'nothingTaken' }
  /** The acquirer does not report either: the reversal is repeated. */
  | { readonly kind: 'undecided' };

/**
 * Evaluates the inquiry of a given-up authorisation whose reversal was refused for good. `isNotFoundFinal`: the acquirer has
 * declared that what it does not find now was not booked, and will not be.
 */
export function evaluateRefusedReversal(
  original: AcquirerAnswer,
  { isNotFoundFinal }: { readonly isNotFoundFinal: boolean },
): RefusedReversal {
  switch (original.outcome) {
    case 'approved':
      return { kind: 'refund', amount: original.approval.amount };
    case 'declined':
    case 'reversed':
      return { kind: 'nothingTaken' };
    case 'notFound':
      return isNotFoundFinal ? { kind: 'nothingTaken' } : { kind: 'undecided' };
    case 'done':
    case 'challenged':
    case 'inProgress':
    case 'refused':
    case 'alreadyExists':
    case 'accessRefused':
    case 'unknown':
      return { kind: 'undecided' };
  }
}

/**
 * Converts a line of the acquirer's list to an answer. `unknown` if the line is not final: an authorisation that is
 * booked needs its card, and a capture, refund or increase that was undone without us needs a person.
 */
export function toAcquirerAnswer(call: AcquirerCall, booking: AcquirerBooking): AcquirerAnswer {
  const { reference, amount } = booking;
  const transactionDateTime = booking.bookedAt.toISOString();
  const isAuthorisation = call.kind === 'Authorise';
  if (booking.status === 'declined') {
    const message = 'DECLINED';
    return { outcome: 'declined', decline: { reference, transactionId: '', transactionDateTime, message, card: null } };
  }
  if (booking.status === 'reversed' && isAuthorisation) return { outcome: 'reversed' };
  if (booking.status === 'booked' && !isAuthorisation) {
    // The list contains the added amount of an increase; an answer contains the new total.
    const notified = isSameAmount(amount, call.amount) ? null : amount;
    return { outcome: 'done', transactionId: '', transactionDateTime, amount: notified };
  }
  return { outcome: 'unknown', reason: `listed as ${booking.kind} ${booking.status}` };
}

/** Two answers to one call that cannot both be true; each as a short text for the operator. */
export interface Contradiction {
  readonly difference: 'outcome' | 'amount' | 'transactionId' | 'authCode';
  readonly first: string;
  readonly second: string;
}

/**
 * Compares an answer with how the call has ended; null if both can be true. An answer without a verdict contradicts
 * nothing, and neither does an approval of an authorisation that we have reversed since.
 */
export function findContradiction(call: AcquirerCall, answer: AcquirerAnswer): Contradiction | null {
  if (call.state !== 'Settled') return null;
  const second = findVerdictOutcome(call.kind, answer);
  const first = FIRST_OUTCOMES[call.outcome ?? 'Canceled'];
  if (second === null || call.reverseReference !== null || call.outcome === 'Reversed') return null;
  if (first !== second) return { difference: 'outcome', first, second };
  return second === 'approved' ? findDifference(call, answer) : null;
}

/** Compares the approved amount with the requested one; null if the answer contains no other amount. */
export function findAmountMismatch(asked: Money, answer: AcquirerAnswer): Contradiction | null {
  const approved = findAnswerAmount(answer);
  if (approved === null || isSameAmount(approved, asked)) return null;
  return { difference: 'amount', first: formatMoney(asked), second: formatMoney(approved) };
}

const FIRST_OUTCOMES = {
  Approved: 'approved',
  Declined: 'declined',
  // A canceled or declined call took no money.
  Canceled: 'declined',
  Reversed: 'approved',
} as const;

function findVerdictOutcome(kind: AcquirerCallKind, answer: AcquirerAnswer): 'approved' | 'declined' | null {
  // An authorisation that the acquirer has undone took no money in the end.
  if (kind === 'Authorise' && (answer.outcome === 'reversed' || answer.outcome === 'refused')) return 'declined';
  const verdict = findVerdict(kind, answer);
  if (verdict === null) return null;
  return verdict.isDone ? 'approved' : 'declined';
}

function findDifference(call: AcquirerCall, answer: AcquirerAnswer): Contradiction | null {
  const { result } = call;
  if (answer.outcome === 'done' && result?.kind === 'done') {
    return compareTexts('transactionId', result.transactionId, answer.transactionId);
  }
  if (answer.outcome !== 'approved' || result?.kind !== 'approved') return null;
  const [first, second] = [result.approval, answer.approval];
  const amount = findAmountMismatch(first.amount, answer);
  if (amount !== null) return amount;
  return (
    compareTexts('transactionId', findAcquirersId(first), findAcquirersId(second)) ??
    compareTexts('authCode', first.authCode, second.authCode)
  );
}

function findAcquirersId(approval: Approval): string {
  return getAcquirersTransactionId(approval, approval.reference);
}

/** An absent text contradicts nothing; ids are compared without case. */
function compareTexts(difference: Contradiction['difference'], first: string, second: string): Contradiction | null {
  if (first === '' || second === '' || first.toLowerCase() === second.toLowerCase()) return null;
  return { difference, first, second };
}

function findAnswerAmount(answer: AcquirerAnswer): Money | null {
  if (answer.outcome === 'approved') return answer.approval.amount;
  return answer.outcome === 'done' ? answer.amount : null;
}

function formatMoney({ value, currencyCode }: Money): string {
  return `${value} ${currencyCode}`;
}
