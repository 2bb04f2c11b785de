import { type AcquirerCall } from '../acquirer-calls/acquirer-call.js';
import type { AlarmDetails } from '../operators/alarm.js';
import type { CardPresentApproval } from '../cards/card.js';
import { getAcquirersTransactionId } from '../cards/transaction-id.js';
import { isSameAmount } from '../money/money.js';
import type { AcquirerAnswer } from '../acquirer/ports.js';

/**
 * How many inquiries may answer "not found" for a reported approval before that is a difference: the acquirer may be
 * late.
 */
const NOT_FOUND_TOLERATED = 3;

/** The result of an inquiry about an approval that a machine reported. */
export type ApprovalCheck =
  | { readonly outcome: 'same' | 'askAgain' }
  | { readonly outcome: 'differs'; readonly message: string; readonly details: AlarmDetails };

/**
 * Compares an approval that a machine has reported with the acquirer's answer about the same call. `tries` counts
 * the inquiries, including this one.
 */
export function checkMachineApproval(
  { call, approval }: { readonly call: AcquirerCall; readonly approval: CardPresentApproval },
  answer: AcquirerAnswer,
  tries: number,
): ApprovalCheck {
  const differs = (what: string, notified: AlarmDetails = {}): ApprovalCheck => ({
    outcome: 'differs',
    message: `A card machine reported an approval, and the acquirer ${what}: compare its books with ours.`,
    details: { ...toAlarmDetails(approval), ...notified },
  });
  switch (answer.outcome) {
    case 'approved': {
      const { amount, reference, card } = answer.approval;
      const transactionId = getAcquirersTransactionId(answer.approval, reference);
      const notified = { acquirerAmount: amount.value, acquirerCurrencyCode: amount.currencyCode };
      const what = listDifferences({ call, approval }, { amount, transactionId, reference, last4: card.last4PAN });
      return what.length === 0
        ? SAME
        : differs(`tells another ${what.join(', ')}`, {
            ...{ ...notified, acquirerTransactionId: transactionId, acquirerLast4: card.last4PAN },
          });
    }
    // The `done` answer to a refund contains no card.
    case 'done': {
      const { amount, transactionId } = answer;
      const what = listDifferences({ call, approval }, { amount, transactionId, reference: call.reference, last4: '' });
      return what.length === 0
        ? SAME
        : differs(`tells another ${what.join(', ')}`, {
            ...{ acquirerAmount: amount?.value ?? null, acquirerTransactionId: transactionId },
          });
    }
    case 'reversed':
      return call.reverseReference !== null || call.outcome === 'Reversed' ? SAME : differs('has reversed it');
    case 'declined':
      return differs('has declined it', { acquirerTransactionId: answer.decline.transactionId });
    case 'challenged':
      return differs('has not decided it');
    case 'notFound':
      return tries > NOT_FOUND_TOLERATED ? differs('does not know it') : AGAIN;
    case 'refused':
    case 'accessRefused':
    case 'alreadyExists':
    case 'inProgress':
    case 'unknown':
      return AGAIN;
  }
}

/**
 * Whether the details of a difference say that the acquirer does not have the approval. Where it has one under the reference
 * with another amount, transaction or card, the details name the amount of its own.
 */
export function isApprovalMissing(details: AlarmDetails): boolean {
  return !('acquirerAmount' in details);
}

/** What the acquirer said of an approval before it was booked. */
export type ApprovalConfirmation =
  /** It has the approval over the same amount; `difference` is anything else that it has differently. */
  | { readonly outcome: 'confirmed'; readonly difference: ApprovalDifference | null }
  /** It certainly does not have it, or over another amount. */
  | { readonly outcome: 'denied'; readonly difference: ApprovalDifference };

interface ApprovalDifference {
  readonly message: string;
  readonly details: AlarmDetails;
}

/**
 * Whether the acquirer has an approval that is not booked yet. `askAgain`: it does not have it yet. `unknown`: it gives
 * no answer that decides.
 */
export function confirmApproval(
  reported: { readonly call: AcquirerCall; readonly approval: CardPresentApproval },
  answer: AcquirerAnswer,
): ApprovalConfirmation | 'askAgain' | 'unknown' {
  const check = checkMachineApproval(reported, answer, 1);
  const difference = check.outcome === 'differs' ? { message: check.message, details: check.details } : null;
  switch (answer.outcome) {
    case 'approved':
    case 'done': {
      const amount = answer.outcome === 'approved' ? answer.approval.amount : answer.amount;
      const isSame = amount === null || isSameAmount(amount, reported.approval.amount);
      return isSame || difference === null ? { outcome: 'confirmed', difference } : { outcome: 'denied', difference };
    }
    case 'declined':
    case 'reversed':
      return difference === null ? 'unknown' : { outcome: 'denied', difference };
    case 'challenged':
    case 'notFound':
    case 'inProgress':
      return 'askAgain';
    case 'refused':
    case 'accessRefused':
    case 'alreadyExists':
    case 'unknown':
      return 'unknown';
  }
}

const SAME: ApprovalCheck = { outcome: 'same' };
const AGAIN: ApprovalCheck = { outcome: 'askAgain' };

interface AcquirerValues {
  readonly amount: CardPresentApproval['amount'] | null;
  readonly transactionId: string;
  readonly reference: string;
  /** Empty if unknown. */
  readonly last4: string;
}

function listDifferences(
  { call, approval }: { readonly call: AcquirerCall; readonly approval: CardPresentApproval },
  notified: AcquirerValues,
): string[] {
  const { last4PAN } = approval.card;
  const differences: Record<string, boolean> = {
    amount: notified.amount !== null && !isSameAmount(notified.amount, approval.amount),
    reference: notified.reference !== call.reference,
    transaction: isOtherText(notified.transactionId, getAcquirersTransactionId(approval, call.reference)),
    'last four digits': notified.last4 !== '' && last4PAN !== '' && notified.last4 !== last4PAN,
  };
  return Object.keys(differences).filter((name) => differences[name]);
}

/** Ids are compared without case; an id that is not known differs from none. */
function isOtherText(first: string, second: string): boolean {
  return first !== '' && second !== '' && first.toLowerCase() !== second.toLowerCase();
}

function toAlarmDetails(approval: CardPresentApproval): AlarmDetails {
  const { reference, amount, card } = approval;
  const transactionId = approval.acquirerTransactionId ?? approval.transactionId;
  const { value, currencyCode } = amount;
  return { reference, transactionId, amount: value, currencyCode, last4: card.last4PAN };
}
