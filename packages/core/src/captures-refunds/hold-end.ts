import { computeUncaptured } from './capture.js';
import { computeHoldTimes, getHoldReference } from './hold-times.js';
import { reserveRelease } from './reversal.js';
import { releaseEntry } from '../ledger/ledger.js';
import { changeTransaction } from '../ledger/transaction.js';
import { isPositive, type Money } from '../money/money.js';
import {
  getNextStatus,
  type IntentDecision,
  type PaymentIntent,
  transitionTo,
} from '../payment-intents/payment-intent.js';

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
export function decideHoldEnd(intent: PaymentIntent, now: Date, acquirer: { readonly capturesOnce: boolean }): HoldEnd {
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
  return { kind: 'reverse', decision: reserveRelease(intent, now) };
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
