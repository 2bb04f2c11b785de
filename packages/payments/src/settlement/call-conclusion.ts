import { type AcquirerCall, settleAcquirerCall } from '@pos/core/acquirer-calls/acquirer-call';
import type { Verdict } from '@pos/core/acquirer/acquirer-verdict';
import { releaseRaise, settleRaise } from '@pos/core/payment-intents/amount-change';
import { assert } from '@pos/core/refusals/assert';
import { releaseCapture, settleCapture } from '@pos/core/captures-refunds/capture';
import { parseKnownId } from '@pos/core/identity/identity';
import type { IntentDecision, PaymentIntent } from '@pos/core/payment-intents/payment-intent';
import { declineRefund, settleRefund } from '@pos/core/captures-refunds/refund';
import { releaseReversal, settleReversal } from '@pos/core/captures-refunds/reversal';

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
