import { isHoldReserved } from '../captures-refunds/capture.js';
import { isPositive, money, type Money, subtract } from '../money/money.js';
import type { PaymentIntent } from '../payment-intents/payment-intent.js';
import { DAY_MS } from '../time/timespan.js';

// Payments that are the deposit of a party (ADR 0137).

/** A party that has not left by then has not come, or its EPOS reports no end. */
const HELD_AFTER_START_MS = DAY_MS;

/**
 * The money of a payment that can be the deposit of a party: held or captured, and neither returned nor about to be.
 * While a reversal or a refund runs, the rest of a hold counts as released.
 */
export function computeDepositValue(intent: PaymentIntent): Money {
  const { status, authorized, captured, refunded, pendingRefund } = intent;
  if (status !== 'Authorized' && status !== 'Captured') return money(0, intent.amount.currencyCode);
  const isWholeHold = status === 'Authorized' && !isPositive(pendingRefund) && !isHoldReserved(intent);
  return subtract(subtract(isWholeHold ? authorized : captured, refunded), pendingRefund);
}

/** How much of a deposit each payment covers, in their order; null if they do not cover it. */
export function allocateDeposit(total: Money, values: readonly Money[]): readonly Money[] | null {
  let missing = total.value;
  const parts = values.map(({ value }) => {
    const part = Math.max(0, Math.min(value, missing));
    missing -= part;
    return money(part, total.currencyCode);
  });
  return missing > 0 ? null : parts;
}

/** Until when the deposit of a party is not returned to the payer, unless the party gives it up before. */
export function computeDepositHeldUntil(
  { startTime, expectedEndTime }: { readonly startTime: Date; readonly expectedEndTime?: Date | undefined },
  now: Date,
): Date {
  const last = Math.max(now.getTime(), startTime.getTime(), expectedEndTime?.getTime() ?? 0);
  return new Date(last + HELD_AFTER_START_MS);
}
