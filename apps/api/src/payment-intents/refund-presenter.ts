import type * as rest from '@pos/rest-contracts/payment-intents';
import type { Refund } from '@pos/store/payments';
import { present } from '@pos/rest-contracts/shapes';

/** A refund that was made, as its integrator sees it. */
export function presentRefund({ id, paymentIntentId, reason, notes }: Refund): rest.Refund {
  return { paymentIntentId, refundId: id, ...present({ refundReason: reason, notes }), message: 'REFUNDED' };
}
