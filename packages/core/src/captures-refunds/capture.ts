import { assert, requireValue } from '../refusals/assert.js';
import type { CaptureId } from '../identity/identity.js';
import { captureEntry } from '../ledger/ledger.js';
import { add, exceeds, isPositive, isZero, type Money, subtract, sum, zeroMoney } from '../money/money.js';
import {
  type Capture,
  type CaptureStatus,
  transitionTo,
  createBusyRefusal,
  getNextStatus,
  type IntentDecision,
  type PaymentIntent,
} from '../payment-intents/payment-intent.js';
import { createPaymentEvent } from '../payment-intents/payment-event.js';
import { createViolation } from '../refusals/refusal.js';
import { changeTransaction, createFollowUpTransaction, type TransactionChange } from '../ledger/transaction.js';

/** A capture to reserve: its amount, and the tip on top. */
export interface NewCapture {
  readonly id: CaptureId;
  readonly amount: Money;
  readonly tipsAmount: Money;
  readonly now: Date;
}

/** Held minus captured minus pending captures. */
export function computeUncaptured(intent: PaymentIntent): Money {
  return subtract(subtract(intent.authorized, intent.captured), intent.pendingCapture);
}

/** Whether a reversal or a raise has reserved the whole hold: what is pending is then no capture's. */
export function isHoldReserved(intent: PaymentIntent): boolean {
  const running = intent.captures.filter((each) => each.status === 'Created');
  const ofCaptures = running.map((each) => add(each.amount, each.tipsAmount));
  return exceeds(intent.pendingCapture, sum(ofCaptures, intent.amount.currencyCode));
}

/** Reserves before the acquirer is asked, so that two captures at once cannot take the same money. */
export function reserveCapture(intent: PaymentIntent, { id, amount, tipsAmount, now }: NewCapture): IntentDecision {
  const status = getNextStatus(intent, 'capturePart', 'not_capturable');
  // A refund of a held payment ends the hold, and so does a reversal; the acquirer is being asked for it.
  if (isPositive(intent.pendingRefund) || isHoldReserved(intent)) throw createBusyRefusal();
  const wanted = add(amount, tipsAmount);
  if (!isPositive(amount) || tipsAmount.value < 0) {
    throw createViolation('validation_failed', isPositive(amount) ? 'tipsAmount' : 'amount', 'is too small');
  }
  if (exceeds(wanted, computeUncaptured(intent))) {
    throw createViolation(
      'capture_exceeds_authorized',
      'amount',
      `at most ${computeUncaptured(intent).value} can be captured`,
    );
  }
  const capture: Capture = { id, amount, tipsAmount, status: 'Created', createdAt: now };
  const reserved = { ...intent, pendingCapture: add(intent.pendingCapture, wanted) };
  return transitionTo({ ...reserved, captures: [...intent.captures, capture] }, status, { now });
}

/** The acquirer took it. The capture that completes the total ends the hold. */
export function bookCapture(intent: PaymentIntent, id: CaptureId, now: Date): IntentDecision {
  const capture = getRunningCapture(intent, id);
  const taken = add(capture.amount, capture.tipsAmount);
  const captured = add(intent.captured, taken);
  const isWhole = !exceeds(intent.authorized, captured);
  const done = concludeCapture(intent, capture, 'Successful');
  const settled: PaymentIntent = {
    ...done,
    captured,
    tipsAmount: sumCapturedTips(done),
    capturedAt: intent.capturedAt ?? now,
    paymentDetails:
      isWhole && intent.paymentDetails ? { ...intent.paymentDetails, message: 'DEPOSITED' } : intent.paymentDetails,
  };
  return transitionTo(settled, getNextStatus(intent, isWhole ? 'captureRest' : 'capturePart', 'not_capturable'), {
    now,
    events: [createPaymentEvent('Captured', now, createFollowUpAttempt(intent, taken))],
    entries: [captureEntry(id, taken)],
    transactions: listCaptureTransactions(intent, capture, isWhole),
  });
}

/** The acquirer refused it, or it failed for certain: the reservation is free again and no money moved. */
export function releaseCapture(
  intent: PaymentIntent,
  refused: { readonly id: CaptureId; readonly status: 'Declined' | 'Failed'; readonly now: Date },
): IntentDecision {
  const capture = getRunningCapture(intent, refused.id);
  return transitionTo(concludeCapture(intent, capture, refused.status), intent.status, { now: refused.now });
}

/** The capture is a line of its own; the one that completes the total completes the hold's line too. */
function listCaptureTransactions(
  { paymentDetails }: PaymentIntent,
  capture: Capture,
  isWhole: boolean,
): TransactionChange[] {
  const taken = requireValue(paymentDetails, 'how the payment was taken');
  const amounts = {
    amount: capture.amount,
    tips: capture.tipsAmount,
    cashback: zeroMoney(capture.amount.currencyCode),
  };
  const collection = createFollowUpTransaction(taken, {
    reference: capture.id,
    type: 'Collection',
    status: 'Authorized',
    amounts,
  });
  return isWhole ? [collection, changeTransaction(taken.reference, 'Authorized')] : [collection];
}

/** What the history says of money that moves after the approval: same attempt, same card. */
export function createFollowUpAttempt(intent: PaymentIntent, amount: Money) {
  const details = intent.paymentDetails;
  return {
    transactionId: details?.transactionId ?? null,
    authCode: details?.authCode ?? '',
    card: details?.card ?? null,
    paymentMethodId: details?.paymentMethodId ?? null,
    amount,
  };
}

function getRunningCapture(intent: PaymentIntent, id: CaptureId): Capture {
  const capture = intent.captures.find((each) => each.id === id);
  assert(capture?.status === 'Created', `no running capture ${id}`);
  return capture;
}

function concludeCapture(intent: PaymentIntent, capture: Capture, status: CaptureStatus): PaymentIntent {
  const captures = intent.captures.map((each) => (each.id === capture.id ? { ...each, status } : each));
  const reserved = add(capture.amount, capture.tipsAmount);
  return { ...intent, captures, pendingCapture: subtract(intent.pendingCapture, reserved) };
}

/** The first tip in a capture makes the intent's tip the sum over its captures. */
function sumCapturedTips(intent: PaymentIntent): Money | null {
  const successful = intent.captures.filter((each) => each.status === 'Successful');
  const tips = sum(
    successful.map((each) => each.tipsAmount),
    intent.amount.currencyCode,
  );
  return isZero(tips) ? intent.tipsAmount : tips;
}
