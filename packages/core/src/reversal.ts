import { attemptOf, uncaptured } from './capture.js';
import { releaseEntry, reverseCaptureEntry, reverseHoldEntry } from './ledger.js';
import { assert, required } from './assert.js';
import { isPositive, isSameAmount, type Money, zero } from './money.js';
import { paymentEvent } from './payment-event.js';
import { arrive, busy, destination, type IntentDecision, type PaymentIntent } from './payment-intent.js';
import { Refusal } from './refusal.js';
import { became } from './transaction.js';
import { DAY_MS } from './timespan.js';

/** A hold lasts at most this long from the authorisation. */
const HOLD_MAX_MS = 7 * DAY_MS;

/** How long a payment can be undone as a whole; settings of the account. */
export interface ReversalWindows {
  readonly authorizedMs: number;
  /** UTC calendar days, the day of the capture is the first; 0 = never. */
  readonly capturedDays: number;
}

/**
 * Reserves the whole payment before the acquirer is asked to undo it: until it answers nothing can
 * be captured or refunded. Outside the window the way back is a refund.
 */
export function reserveReversal(
  intent: PaymentIntent,
  { now, windows }: { readonly now: Date; readonly windows: ReversalWindows },
): IntentDecision {
  destination(intent, 'reverse', 'not_reversible');
  requireWhole(intent);
  if (now.getTime() >= windowEndsAt(intent, windows)) {
    throw new Refusal('reversal_window_passed', 'the time for a reversal is over; refund the payment instead');
  }
  return reserve(intent, now);
}

/** Reserves a hold of which nothing is captured, to be let go of by us: whatever the account's window is for asking for that. */
export function reserveRelease(intent: PaymentIntent, now: Date): IntentDecision {
  destination(intent, 'reverse', 'not_reversible');
  requireWhole(intent);
  return reserve(intent, now);
}

/** The acquirer has undone the payment. */
export function settleReversal(
  intent: PaymentIntent,
  { reference, now }: { readonly reference: string; readonly now: Date },
): IntentDecision {
  const { isHeld, whole } = reserved(intent);
  const none = zero(intent.amount.currencyCode);
  const reversed: PaymentIntent = {
    ...intent,
    pendingCapture: none,
    pendingRefund: none,
    paymentDetails: intent.paymentDetails && { ...intent.paymentDetails, message: 'REVERSED' },
  };
  return arrive(reversed, destination(intent, 'reverse', 'not_reversible'), {
    now,
    events: [paymentEvent('Reversed', now, attemptOf(intent, whole))],
    entries: [isHeld ? reverseHoldEntry(reference, whole) : reverseCaptureEntry(reference, whole)],
    transactions: [became(takenUnder(intent), isHeld && isHoldOver(intent, now) ? 'Expired' : 'Reversed')],
  });
}

/** The acquirer refused to undo it: the payment stands as before. */
export function refuseReversal(intent: PaymentIntent, now: Date): IntentDecision {
  reserved(intent);
  const none = zero(intent.amount.currencyCode);
  return arrive({ ...intent, pendingCapture: none, pendingRefund: none }, intent.status, { now });
}

/** When something is done about a hold, and when it ends in any case. */
export function holdTimes(intent: PaymentIntent): { readonly actAt: Date; readonly endsAt: Date } {
  const from = required(intent.authorizedAt, 'the time of the authorisation').getTime();
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

/** Judges a hold by the time; `wait` without a time means that a running call must end first. */
export function endHold(intent: PaymentIntent, now: Date): HoldEnd {
  if (intent.status !== 'Authorized') return { kind: 'none' };
  const { actAt, endsAt } = holdTimes(intent);
  if (now < actAt) return { kind: 'wait', until: actAt };
  if (isPositive(intent.pendingCapture) || isPositive(intent.pendingRefund)) return { kind: 'wait', until: null };
  // A refused automatic capture is tried again until the hold itself ends; from then on it is handled as a release.
  // Nobody knows that the order of a hold was made that is still kept for one: its money is not taken (ADR 0048).
  const isToCapture = intent.autoExpireAction === 'Capture' && intent.details.heldForOrder === undefined;
  if (isToCapture && (now < endsAt || !wasCaptureRefused(intent, actAt))) {
    return { kind: 'capture', amount: uncaptured(intent) };
  }
  if (isPositive(intent.captured)) return { kind: 'release', decision: releaseRest(intent, now) };
  return { kind: 'reverse', decision: reserve(intent, now) };
}

function wasCaptureRefused(intent: PaymentIntent, since: Date): boolean {
  return intent.details.captures.some(
    ({ status, createdAt }) => (status === 'Declined' || status === 'Failed') && new Date(createdAt) >= since,
  );
}

function releaseRest(intent: PaymentIntent, now: Date): IntentDecision {
  const reference = takenUnder(intent);
  return arrive(intent, destination(intent, 'releaseRest', 'not_capturable'), {
    now,
    entries: [releaseEntry(reference, uncaptured(intent))],
    transactions: [became(reference, 'Released')],
  });
}

function takenUnder({ paymentDetails }: PaymentIntent): string {
  return required(paymentDetails, 'how the payment was taken').reference;
}

/** Whether it is time, and nobody's wish, that ended the hold. */
function isHoldOver(intent: PaymentIntent, now: Date): boolean {
  const { actAt, endsAt } = holdTimes(intent);
  return now >= (intent.autoExpireAction === 'Capture' ? endsAt : actAt);
}

function requireWhole(intent: PaymentIntent): void {
  const { status, captureMode, captured, refunded, pendingCapture, pendingRefund } = intent;
  const isPartlyDone = status === 'Authorized' ? isPositive(captured) : isPositive(refunded);
  if (isPartlyDone || (status === 'Captured' && captureMode === 'Manual')) {
    throw new Refusal('not_reversible', 'only a whole payment can be reversed; refund it instead');
  }
  if (isPositive(pendingCapture) || isPositive(pendingRefund)) throw busy();
}

function windowEndsAt(intent: PaymentIntent, { authorizedMs, capturedDays }: ReversalWindows): number {
  if (intent.status === 'Authorized') {
    return required(intent.authorizedAt, 'the time of the authorisation').getTime() + authorizedMs;
  }
  const day = Math.floor(required(intent.capturedAt, 'the time of the capture').getTime() / DAY_MS);
  return (day + capturedDays) * DAY_MS;
}

function reserve(intent: PaymentIntent, now: Date): IntentDecision {
  const pending =
    intent.status === 'Authorized' ? { pendingCapture: intent.authorized } : { pendingRefund: intent.captured };
  return arrive({ ...intent, ...pending }, intent.status, { now });
}

function reserved(intent: PaymentIntent): { readonly isHeld: boolean; readonly whole: Money } {
  const isHeld = intent.status === 'Authorized';
  const whole = isHeld ? intent.authorized : intent.captured;
  assert(
    isSameAmount(isHeld ? intent.pendingCapture : intent.pendingRefund, whole),
    'a reversal that was not reserved',
  );
  return { isHeld, whole };
}
