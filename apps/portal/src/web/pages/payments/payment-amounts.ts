import type { PaymentAnswer } from '../../client/answers.js';

/** The state of the money of a payment, in minor units of its currency. */
export interface PaymentAmounts {
  /** What the payer pays, with tips. */
  readonly total: number;
  readonly tips: number;
  readonly captured: number;
  readonly refunded: number;
  /** Captured and not returned. */
  readonly kept: number;
  /** Held, and neither captured nor released. */
  readonly held: number;
}

/** Only successful captures count: the service answers for the others. */
export function computeAmounts(payment: PaymentAnswer): PaymentAmounts {
  const { status, captureMode, totalAmount, tipsAmount, refundedAmount, captures } = payment;
  const total = totalAmount.value;
  const isTaken = status === 'Captured' || status === 'Refunded';
  const byCaptures = captures
    .filter((capture) => capture.status === 'Successful')
    .reduce((sum, { amount, tipsAmount: tips }) => sum + amount + tips, 0);
  const captured = captureMode === 'Auto' ? (isTaken ? total : 0) : byCaptures;
  return {
    ...{ total, captured, tips: tipsAmount?.value ?? 0, refunded: refundedAmount },
    kept: Math.max(0, captured - refundedAmount),
    held: status === 'Authorized' ? Math.max(0, total - captured) : 0,
  };
}
