import { createFollowUpAttempt } from './capture.js';
import { getHoldReference, isHoldOver } from './hold-times.js';
import { reverseCaptureEntry, reverseHoldEntry } from '../ledger/ledger.js';
import { assert, requireValue } from '../refusals/assert.js';
import { isPositive, isSameAmount, type Money, zeroMoney } from '../money/money.js';
import { createPaymentEvent } from '../payment-intents/payment-event.js';
import {
  transitionTo,
  createBusyRefusal,
  getNextStatus,
  type IntentDecision,
  type PaymentIntent,
} from '../payment-intents/payment-intent.js';
import { Refusal } from '../refusals/refusal.js';
import { changeTransaction } from '../ledger/transaction.js';
import { addDays, toZonedDay, toZonedMoment } from '../time/time-zone.js';

/** How long a payment can be undone as a whole; settings of the account. */
export interface ReversalWindows {
  readonly authorizedMs: number;
  /** Calendar days in the zone, the day of the capture is the first; 0 = never. */
  readonly capturedDays: number;
  readonly timeZone: string;
}

/**
 * Reserves the whole payment before the acquirer is asked to undo it: until it answers nothing can
 * be captured or refunded. Outside the window the way back is a refund.
 */
export function reserveReversal(
  intent: PaymentIntent,
  { now, windows }: { readonly now: Date; readonly windows: ReversalWindows },
): IntentDecision {
  getNextStatus(intent, 'reverse', 'not_reversible');
  requireWhole(intent);
  if (now.getTime() >= computeWindowEnd(intent, windows)) {
    throw new Refusal('reversal_window_passed', 'the time for a reversal is over; refund the payment instead');
  }
  return reserveMoney(intent, now);
}

/** Reserves an uncaptured hold for its release by the service. The account's window for requests does not apply. */
export function reserveRelease(intent: PaymentIntent, now: Date): IntentDecision {
  getNextStatus(intent, 'reverse', 'not_reversible');
  requireWhole(intent);
  return reserveMoney(intent, now);
}

/** The acquirer has undone the payment. */
export function bookReversal(
  intent: PaymentIntent,
  { reference, now }: { readonly reference: string; readonly now: Date },
): IntentDecision {
  const { isHeld, whole } = computeReserved(intent);
  const none = zeroMoney(intent.amount.currencyCode);
  const reversed: PaymentIntent = {
    ...intent,
    pendingCapture: none,
    pendingRefund: none,
    paymentDetails: intent.paymentDetails && { ...intent.paymentDetails, message: 'REVERSED' },
  };
  return transitionTo(reversed, getNextStatus(intent, 'reverse', 'not_reversible'), {
    now,
    events: [createPaymentEvent('Reversed', now, createFollowUpAttempt(intent, whole))],
    entries: [isHeld ? reverseHoldEntry(reference, whole) : reverseCaptureEntry(reference, whole)],
    transactions: [
      changeTransaction(getHoldReference(intent), isHeld && isHoldOver(intent, now) ? 'Expired' : 'Reversed'),
    ],
  });
}

/** A payment that its books contain and the acquirer does not have is taken out of the books as a whole. */
export function reverseUntaken(
  intent: PaymentIntent,
  { reference, now }: { readonly reference: string; readonly now: Date },
): IntentDecision {
  getNextStatus(intent, 'reverse', 'not_reversible');
  requireWhole(intent);
  return bookReversal(reserveMoney(intent, now).intent, { reference, now });
}

/** The acquirer refused to undo it: the payment stays as before. */
export function releaseReversal(intent: PaymentIntent, now: Date): IntentDecision {
  computeReserved(intent);
  const none = zeroMoney(intent.amount.currencyCode);
  return transitionTo({ ...intent, pendingCapture: none, pendingRefund: none }, intent.status, { now });
}

function requireWhole(intent: PaymentIntent): void {
  const { status, captureMode, captured, refunded, pendingCapture, pendingRefund } = intent;
  const isPartlyDone = status === 'Authorized' ? isPositive(captured) : isPositive(refunded);
  if (isPartlyDone || (status === 'Captured' && captureMode === 'Manual')) {
    throw new Refusal('not_reversible', 'only a whole payment can be reversed; refund it instead');
  }
  if (isPositive(pendingCapture) || isPositive(pendingRefund)) throw createBusyRefusal();
}

function computeWindowEnd(intent: PaymentIntent, { authorizedMs, capturedDays, timeZone }: ReversalWindows): number {
  if (intent.status === 'Authorized') {
    return requireValue(intent.authorizedAt, 'the time of the authorisation').getTime() + authorizedMs;
  }
  const day = toZonedDay(requireValue(intent.capturedAt, 'the time of the capture'), timeZone);
  return toZonedMoment(addDays(day, capturedDays), timeZone).getTime();
}

function reserveMoney(intent: PaymentIntent, now: Date): IntentDecision {
  const pending =
    intent.status === 'Authorized' ? { pendingCapture: intent.authorized } : { pendingRefund: intent.captured };
  return transitionTo({ ...intent, ...pending }, intent.status, { now });
}

function computeReserved(intent: PaymentIntent): { readonly isHeld: boolean; readonly whole: Money } {
  const isHeld = intent.status === 'Authorized';
  const whole = isHeld ? intent.authorized : intent.captured;
  assert(
    isSameAmount(isHeld ? intent.pendingCapture : intent.pendingRefund, whole),
    'a reversal that was not reserved',
  );
  return { isHeld, whole };
}
