import type { PlannedRefund } from '../acquirer/acquirer-capabilities.js';
import { assert, requireValue } from '../refusals/assert.js';
import { createFollowUpAttempt, computeUncaptured } from './capture.js';
import type { Approval, Decline } from '../cards/card.js';
import { refundEntry, releaseEntry, reverseRefundEntry } from '../ledger/ledger.js';
import { add, exceeds, isPositive, isSameAmount, isZero, type Money, subtract } from '../money/money.js';
import { createPaymentEvent } from '../payment-intents/payment-event.js';
import {
  transitionTo,
  createBusyRefusal,
  getNextStatus,
  type IntentDecision,
  type PaymentIntent,
} from '../payment-intents/payment-intent.js';
import { createViolation, Refusal } from '../refusals/refusal.js';
import {
  createAttemptTransaction,
  changeTransaction,
  createFollowUpTransaction,
  toPlainDraft,
  type TransactionChange,
  type TransactionStatus,
} from '../ledger/transaction.js';

/** Captured minus refunded minus pending refunds. */
export function computeRefundable(intent: PaymentIntent): Money {
  return subtract(subtract(intent.captured, intent.refunded), intent.pendingRefund);
}

/** Reserves before the acquirer or the card machine is asked, so that all refunds together never exceed what was taken. */
export function reserveRefund(intent: PaymentIntent, amount: Money, now: Date): IntentDecision {
  requireRefundable(intent);
  if (!isPositive(amount)) throw createViolation('validation_failed', 'amount', 'must be at least 1');
  const left = computeRefundable(intent);
  if (exceeds(amount, left)) {
    throw createViolation('refund_exceeds_captured', 'amount', `at most ${left.value} can be refunded`);
  }
  const reserved = { ...intent, pendingRefund: add(intent.pendingRefund, amount) };
  return transitionTo(reserved, intent.status, { now });
}

/** What an acquirer has to be able to do for the refund. */
export function planRefund(
  { captured, refunded, pendingRefund, authorizedAt }: PaymentIntent,
  amount: Money,
  now: Date,
): PlannedRefund {
  return {
    isWhole: isSameAmount(amount, captured),
    isFirst: isZero(refunded) && isZero(pendingRefund),
    ageMs: now.getTime() - requireValue(authorizedAt, 'the time of the authorisation').getTime(),
  };
}

/** A refund that was reserved; on a card machine the card that was presented for it need not be the payment's. */
interface ReservedRefund {
  readonly reference: string;
  readonly amount: Money;
  readonly now: Date;
}

/** The money went back to the card. Of a payment still held the rest of the hold is given up with it. */
export function bookRefund(
  intent: PaymentIntent,
  refund: ReservedRefund & { readonly presented?: Approval },
): IntentDecision {
  const { reference, amount, now } = refund;
  assert(!exceeds(amount, intent.pendingRefund), 'a refund that was not reserved');
  const refunded = add(intent.refunded, amount);
  const isWhole = !exceeds(intent.captured, refunded);
  const rest = intent.status === 'Authorized' ? computeUncaptured(intent) : null;
  const settled: PaymentIntent = {
    ...intent,
    refunded,
    pendingRefund: subtract(intent.pendingRefund, amount),
    paymentDetails:
      isWhole && intent.paymentDetails ? { ...intent.paymentDetails, message: 'REFUNDED' } : intent.paymentDetails,
  };
  return transitionTo(settled, getNextStatus(intent, isWhole ? 'refundRest' : 'refundPart', 'not_refundable'), {
    now,
    events: [createPaymentEvent('Refunded', now, createFollowUpAttempt(intent, amount))],
    entries: [
      ...(rest !== null && isPositive(rest) ? [releaseEntry(reference, rest)] : []),
      refundEntry(reference, amount),
    ],
    transactions: [
      ...(rest !== null && isPositive(rest) ? [changeTransaction(getApprovalReference(intent), 'Released')] : []),
      refundLine(intent, refund, 'Authorized'),
    ],
  });
}

/** Whether a refund of the amount could be reserved now. */
export function isRefundFree(intent: PaymentIntent, amount: Money): boolean {
  const isRefundableState = intent.status === 'Authorized' || intent.status === 'Captured';
  const isBusy = intent.status === 'Authorized' && isPositive(intent.pendingCapture);
  return isRefundableState && !isBusy && !exceeds(amount, computeRefundable(intent));
}

/** A refund that had been freed, and was made all the same; `isRefundFree` was asked before. */
export function concludeFreedRefund(
  intent: PaymentIntent,
  refund: ReservedRefund & { readonly presented: Approval },
): IntentDecision {
  assert(isRefundFree(intent, refund.amount), 'a freed refund that the payment has no room for');
  return bookRefund({ ...intent, pendingRefund: add(intent.pendingRefund, refund.amount) }, refund);
}

/** The acquirer said no, here or at the machine: nothing went back, and the listing says so. */
export function declineRefund(
  intent: PaymentIntent,
  refund: ReservedRefund & { readonly presented?: Decline },
): IntentDecision {
  const refused = releaseRefund(intent, refund.amount, refund.now);
  return { ...refused, transactions: [refundLine(intent, refund, 'Declined')] };
}

/** Nothing went back: the reservation is free again. */
export function releaseRefund(intent: PaymentIntent, amount: Money, now: Date): IntentDecision {
  assert(!exceeds(amount, intent.pendingRefund), 'a refund that was not reserved');
  return transitionTo({ ...intent, pendingRefund: subtract(intent.pendingRefund, amount) }, intent.status, { now });
}

/**
 * A refund that was booked and that the acquirer does not have: nothing went back, and the amount can be refunded again.
 * The status is published although it may be the same, because the refund was.
 */
export function undoUnmadeRefund(
  intent: PaymentIntent,
  refund: ReservedRefund & { readonly correction: string },
): IntentDecision {
  const { reference, amount, correction, now } = refund;
  const status = getNextStatus(intent, 'undoRefund', 'pending_payment_not_decidable');
  assert(!exceeds(amount, intent.refunded), 'a refund that was not booked');
  const undone: PaymentIntent = {
    ...intent,
    refunded: subtract(intent.refunded, amount),
    paymentDetails:
      intent.paymentDetails?.message === 'REFUNDED'
        ? { ...intent.paymentDetails, message: 'DEPOSITED' }
        : intent.paymentDetails,
  };
  const decision = transitionTo(undone, status, {
    now,
    events: [createPaymentEvent('Error', now, createFollowUpAttempt(intent, amount))],
    entries: [reverseRefundEntry(correction, amount)],
    transactions: [changeTransaction(reference, 'Reversed')],
  });
  return { ...decision, webhookEvents: ['payment_intent.status_updated'] };
}

function refundLine(
  intent: PaymentIntent,
  { reference, amount, presented }: ReservedRefund & { readonly presented?: Approval | Decline },
  status: TransactionStatus,
): TransactionChange {
  const line = { type: 'Refund', status, amounts: toPlainDraft(amount) } as const;
  if (presented !== undefined) return createAttemptTransaction(presented, line);
  return createFollowUpTransaction(requireValue(intent.paymentDetails, 'how the payment was taken'), {
    reference,
    ...line,
  });
}

function getApprovalReference({ paymentDetails }: PaymentIntent): string {
  return requireValue(paymentDetails, 'how the payment was taken').reference;
}

function requireRefundable(intent: PaymentIntent): void {
  if (intent.status === 'Canceled') {
    throw new Refusal('payment_intent_canceled', 'a Canceled payment intent took no money');
  }
  const isRefundableState = intent.status === 'Authorized' || intent.status === 'Captured';
  if (!isRefundableState || isZero(intent.captured)) {
    throw createViolation(
      'not_refundable',
      'amount',
      `nothing can be refunded: the payment intent is ${intent.status}`,
    );
  }
  // What is being captured, reversed or raised must end first: the refund gives up the rest of the hold.
  if (intent.status === 'Authorized' && isPositive(intent.pendingCapture)) throw createBusyRefusal();
}
