import type { PaymentIntent } from '../payment-intents/payment-intent.js';
import { requireValue } from '../refusals/assert.js';
import { DAY_MS } from '../time/timespan.js';

/** A hold lasts at most this long from the authorisation. */
const HOLD_MAX_MS = 7 * DAY_MS;

/** When something is done about a hold, and when it ends in any case. */
export function computeHoldTimes(intent: PaymentIntent): { readonly actAt: Date; readonly endsAt: Date } {
  const from = requireValue(intent.authorizedAt, 'the time of the authorisation').getTime();
  const actAfterMs = Math.min(intent.autoExpireInMs ?? HOLD_MAX_MS, HOLD_MAX_MS);
  return { actAt: new Date(from + actAfterMs), endsAt: new Date(from + HOLD_MAX_MS) };
}

/** Whether the hold ended because its time was over, and not on request. */
export function isHoldOver(intent: PaymentIntent, now: Date): boolean {
  const { actAt, endsAt } = computeHoldTimes(intent);
  return now >= (intent.autoExpireAction === 'Capture' ? endsAt : actAt);
}

/** The reference under which the acquirer holds the money. */
export function getHoldReference({ paymentDetails }: PaymentIntent): string {
  return requireValue(paymentDetails, 'how the payment was taken').reference;
}
