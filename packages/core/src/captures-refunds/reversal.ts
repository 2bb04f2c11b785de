import { createFollowUpAttempt, computeUncaptured } from './capture.js';
import { releaseEntry, reverseCaptureEntry, reverseHoldEntry } from '../ledger/ledger.js';
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
import { DAY_MS } from '../time/timespan.js';
import { addDays, toZonedDay, toZonedMoment } from '../time/time-zone.js';

/** A hold lasts at most this long from the authorisation. */
const HOLD_MAX_MS = 7 * DAY_MS;

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

/** When something is done about a hold, and when it ends in any case. */
export function computeHoldTimes(intent: PaymentIntent): { readonly actAt: Date; readonly endsAt: Date } {
  const from = requireValue(intent.authorizedAt, 'the time of the authorisation').getTime();
  const actAfterMs = Math.min(intent.autoExpireInMs ?? HOLD_MAX_MS, HOLD_MAX_MS);
  return { actAt: new Date(from + actAfterMs), endsAt: new Date(from + HOLD_MAX_MS) };
}

/** What the end of a hold asks for: a capture or a reversal still has to be asked of the acquirer, the rest just ends. */
export type HoldEnd =
  | { readonly kind: 'none' }
  | { readonly kind: 'wait'; readonly until: Date | null }
  | { readonly kind: 'capture'; readonly amount: Money }
  | { readonly kind: 'reverse'; readonly decision: IntentDecision }
  | { readonly kind: 'release'; readonly decision: IntentDecision };

/**
 * What becomes of a hold at this time; `wait` without a time means that a running call must end first. Where the acquirer
 * captures only once, what a capture has left is released.
 */
export function endHold(intent: PaymentIntent, now: Date, acquirer: { readonly capturesOnce: boolean }): HoldEnd {
  if (intent.status !== 'Authorized') return { kind: 'none' };
  const { actAt, endsAt } = computeHoldTimes(intent);
  if (now < actAt) return { kind: 'wait', until: actAt };
  if (isPositive(intent.pendingCapture) || isPositive(intent.pendingRefund)) return { kind: 'wait', until: null };
  // A refused automatic capture is tried again until the hold itself ends; from then on it is handled as a release.
  // It is unknown whether the order of a hold was created: its money is not captured (ADR 0048).
  const isCapturable = !acquirer.capturesOnce || !isPositive(intent.captured);
  const isToCapture =
    isCapturable && intent.autoExpireAction === 'Capture' && intent.details.heldForOrder === undefined;
  if (isToCapture && (now < endsAt || !wasCaptureRefused(intent, actAt))) {
    return { kind: 'capture', amount: computeUncaptured(intent) };
  }
  if (isPositive(intent.captured)) return { kind: 'release', decision: releaseRest(intent, now) };
  return { kind: 'reverse', decision: reserveMoney(intent, now) };
}

function wasCaptureRefused(intent: PaymentIntent, since: Date): boolean {
  return intent.captures.some(
    ({ status, createdAt }) => (status === 'Declined' || status === 'Failed') && createdAt >= since,
  );
}

function releaseRest(intent: PaymentIntent, now: Date): IntentDecision {
  const reference = getHoldReference(intent);
  return transitionTo(intent, getNextStatus(intent, 'releaseRest', 'not_capturable'), {
    now,
    entries: [releaseEntry(reference, computeUncaptured(intent))],
    transactions: [changeTransaction(reference, 'Released')],
  });
}

function getHoldReference({ paymentDetails }: PaymentIntent): string {
  return requireValue(paymentDetails, 'how the payment was taken').reference;
}

/** Whether the hold ended because its time was over, and not on request. */
function isHoldOver(intent: PaymentIntent, now: Date): boolean {
  const { actAt, endsAt } = computeHoldTimes(intent);
  return now >= (intent.autoExpireAction === 'Capture' ? endsAt : actAt);
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
