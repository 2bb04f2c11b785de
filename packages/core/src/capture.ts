import { assert, required } from './assert.js';
import type { CaptureId } from './identity.js';
import type { Capture, CaptureStatus } from './intent-details.js';
import { captureEntry } from './ledger.js';
import { add, exceeds, isPositive, isZero, type Money, subtract, sum, zero } from './money.js';
import { arrive, busy, destination, type IntentDecision, type PaymentIntent } from './payment-intent.js';
import { paymentEvent } from './payment-event.js';
import { keyed } from './refusal.js';
import { became, followed, type TransactionChange } from './transaction.js';

/** A wish to take held money; it takes the amount and the tip on top. */
export interface CaptureWish {
  readonly id: CaptureId;
  readonly amount: Money;
  readonly tipsAmount: Money;
  readonly now: Date;
}

/** What of the hold is neither captured nor reserved. */
export function uncaptured(intent: PaymentIntent): Money {
  return subtract(subtract(intent.authorized, intent.captured), intent.pendingCapture);
}

/** Whether a reversal or a raise has reserved the whole hold: what is pending is then no capture's. */
export function isHoldReserved(intent: PaymentIntent): boolean {
  const running = intent.details.captures.filter((each) => each.status === 'Created');
  const ofCaptures = running.map((each) => add(each.amount, each.tipsAmount));
  return exceeds(intent.pendingCapture, sum(ofCaptures, intent.amount.currencyCode));
}

/** Reserves before the acquirer is asked, so that two captures at once cannot take the same money. */
export function reserveCapture(intent: PaymentIntent, { id, amount, tipsAmount, now }: CaptureWish): IntentDecision {
  const status = destination(intent, 'capturePart', 'not_capturable');
  // A refund of a held payment ends the hold, and so does a reversal; the acquirer is being asked for it.
  if (isPositive(intent.pendingRefund) || isHoldReserved(intent)) throw busy();
  const wanted = add(amount, tipsAmount);
  if (!isPositive(amount) || tipsAmount.value < 0) {
    throw keyed('validation_failed', isPositive(amount) ? 'tipsAmount' : 'amount', 'is too small');
  }
  if (exceeds(wanted, uncaptured(intent))) {
    throw keyed('capture_exceeds_authorized', 'amount', `at most ${uncaptured(intent).value} can be captured`);
  }
  const capture: Capture = { id, amount, tipsAmount, status: 'Created', createdAt: now.toISOString() };
  const reserved = { ...intent, pendingCapture: add(intent.pendingCapture, wanted) };
  return arrive(withCaptures(reserved, [...intent.details.captures, capture]), status, { now });
}

/** The acquirer took it. The capture that completes the total ends the hold. */
export function settleCapture(intent: PaymentIntent, id: CaptureId, now: Date): IntentDecision {
  const capture = running(intent, id);
  const taken = add(capture.amount, capture.tipsAmount);
  const captured = add(intent.captured, taken);
  const isWhole = !exceeds(intent.authorized, captured);
  const done = concluded(intent, capture, 'Successful');
  const settled: PaymentIntent = {
    ...done,
    captured,
    tipsAmount: tipsOf(done),
    capturedAt: intent.capturedAt ?? now,
    paymentDetails:
      isWhole && intent.paymentDetails ? { ...intent.paymentDetails, message: 'DEPOSITED' } : intent.paymentDetails,
  };
  return arrive(settled, destination(intent, isWhole ? 'captureRest' : 'capturePart', 'not_capturable'), {
    now,
    events: [paymentEvent('Captured', now, attemptOf(intent, taken))],
    entries: [captureEntry(id, taken)],
    transactions: collected(intent, capture, isWhole),
  });
}

/** The acquirer refused it, or it failed for certain: the reservation is free again and no money moved. */
export function refuseCapture(
  intent: PaymentIntent,
  refused: { readonly id: CaptureId; readonly status: 'Declined' | 'Failed'; readonly now: Date },
): IntentDecision {
  const capture = running(intent, refused.id);
  return arrive(concluded(intent, capture, refused.status), intent.status, { now: refused.now });
}

/** The capture is a line of its own; the one that completes the total completes the hold's line too. */
function collected({ paymentDetails }: PaymentIntent, capture: Capture, isWhole: boolean): TransactionChange[] {
  const taken = required(paymentDetails, 'how the payment was taken');
  const amounts = { amount: capture.amount, tips: capture.tipsAmount, cashback: zero(capture.amount.currencyCode) };
  const collection = followed(taken, { reference: capture.id, type: 'Collection', status: 'Authorized', amounts });
  return isWhole ? [collection, became(taken.reference, 'Authorized')] : [collection];
}

/** What the history says of money that moves after the approval: same attempt, same card. */
export function attemptOf(intent: PaymentIntent, amount: Money) {
  const details = intent.paymentDetails;
  return {
    transactionId: details?.transactionId ?? null,
    authCode: details?.authCode ?? '',
    card: details?.card ?? null,
    paymentMethodId: details?.paymentMethodId ?? null,
    amount,
  };
}

function running(intent: PaymentIntent, id: CaptureId): Capture {
  const capture = intent.details.captures.find((each) => each.id === id);
  assert(capture?.status === 'Created', `no running capture ${id}`);
  return capture;
}

function concluded(intent: PaymentIntent, capture: Capture, status: CaptureStatus): PaymentIntent {
  const captures = intent.details.captures.map((each) => (each.id === capture.id ? { ...each, status } : each));
  const reserved = add(capture.amount, capture.tipsAmount);
  return withCaptures({ ...intent, pendingCapture: subtract(intent.pendingCapture, reserved) }, captures);
}

function withCaptures(intent: PaymentIntent, captures: readonly Capture[]): PaymentIntent {
  return { ...intent, details: { ...intent.details, captures } };
}

/** The first tip in a capture makes the intent's tip the sum over its captures. */
function tipsOf(intent: PaymentIntent): Money | null {
  const successful = intent.details.captures.filter((each) => each.status === 'Successful');
  const tips = sum(
    successful.map((each) => each.tipsAmount),
    intent.amount.currencyCode,
  );
  return isZero(tips) ? intent.tipsAmount : tips;
}
