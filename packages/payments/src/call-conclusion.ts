import { type AcquirerCall, settleAcquirerCall } from '@pos/core/acquirer-call';
import type { Verdict } from '@pos/core/acquirer-verdict';
import { releaseRaise, settleRaise } from '@pos/core/amount-change';
import { assert } from '@pos/core/assert';
import { releaseCapture, settleCapture } from '@pos/core/capture';
import { parseKnownId } from '@pos/core/identity';
import type { IntentDecision, PaymentIntent } from '@pos/core/payment-intent';
import { declineRefund, settleRefund } from '@pos/core/refund';
import { releaseReversal, settleReversal } from '@pos/core/reversal';

/** The call at its end, with what was said of it. */
export function endCall(call: AcquirerCall, { isDone, result }: Verdict): AcquirerCall {
  return { ...settleAcquirerCall(call, isDone ? 'Approved' : 'Declined'), result: result ?? call.result };
}

/** What becomes of the payment whose money was reserved for the call. */
export function concludeIntent(
  intent: PaymentIntent,
  { call, verdict, now }: { readonly call: AcquirerCall; readonly verdict: Verdict; readonly now: Date },
): IntentDecision {
  const { reference, amount, kind } = call;
  const { isDone, isFailure } = verdict;
  switch (kind) {
    case 'Capture': {
      const id = parseKnownId('capture', reference);
      if (isDone) return settleCapture(intent, id, now);
      return releaseCapture(intent, { id, status: isFailure ? 'Failed' : 'Declined', now });
    }
    case 'Refund':
      return (isDone ? settleRefund : declineRefund)(intent, { reference, amount, now });
    case 'Reverse':
      return isDone ? settleReversal(intent, { reference, now }) : releaseReversal(intent, now);
    case 'Increase':
      return isDone ? settleRaise(intent, { reference, difference: amount, now }) : releaseRaise(intent, now);
    case 'Authorise':
    case 'Release':
      assert(false, `a ${kind} has reserved nothing`);
  }
}
