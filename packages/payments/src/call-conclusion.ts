import { type AcquirerCall, type CallResult, settled } from '@pos/core/acquirer-call';
import { refuseRaise, settleRaise } from '@pos/core/amount-change';
import { assert } from '@pos/core/assert';
import { refuseCapture, settleCapture } from '@pos/core/capture';
import { knownId } from '@pos/core/identity';
import type { IntentDecision, PaymentIntent } from '@pos/core/payment-intent';
import type { AcquirerAnswer } from '@pos/core/ports';
import { declineRefund, settleRefund } from '@pos/core/refund';
import { refuseReversal, settleReversal } from '@pos/core/reversal';

/** What the acquirer has decided for good on a call about an authorisation. */
export interface Verdict {
  readonly isDone: boolean;
  /** A no that was no decision: the acquirer failed, and nothing moved. */
  readonly isFailure: boolean;
  readonly result: CallResult | null;
}

/** The verdict in an answer; null where nothing is decided and the same has to be asked again. */
export function verdictOf(answer: AcquirerAnswer): Verdict | null {
  switch (answer.outcome) {
    case 'done': {
      const { transactionId, transactionDateTime } = answer;
      return { isDone: true, isFailure: false, result: { kind: 'done', transactionId, transactionDateTime } };
    }
    case 'approved':
    case 'reversed':
      return { isDone: true, isFailure: false, result: null };
    case 'declined': {
      const { message } = answer.decline;
      return { isDone: false, isFailure: message === 'FAILED', result: { kind: 'refused', message } };
    }
    case 'challenged':
    case 'inProgress':
    case 'notFound':
    case 'unknown':
      return null;
  }
}

/** The call at its end, with what was said of it. */
export function ended(call: AcquirerCall, { isDone, result }: Verdict): AcquirerCall {
  return { ...settled(call, isDone ? 'Approved' : 'Declined'), result: result ?? call.result };
}

/** What becomes of the payment whose money was reserved for the call. */
export function concluded(
  intent: PaymentIntent,
  { call, verdict, now }: { readonly call: AcquirerCall; readonly verdict: Verdict; readonly now: Date },
): IntentDecision {
  const { reference, amount, kind } = call;
  const { isDone, isFailure } = verdict;
  switch (kind) {
    case 'Capture': {
      const id = knownId('capture', reference);
      if (isDone) return settleCapture(intent, id, now);
      return refuseCapture(intent, { id, status: isFailure ? 'Failed' : 'Declined', now });
    }
    case 'Refund':
      return (isDone ? settleRefund : declineRefund)(intent, { reference, amount, now });
    case 'Reverse':
      return isDone ? settleReversal(intent, { reference, now }) : refuseReversal(intent, now);
    case 'Increase':
      return isDone ? settleRaise(intent, { reference, difference: amount, now }) : refuseRaise(intent, now);
    case 'Authorise':
    case 'Release':
      assert(false, `a ${kind} has reserved nothing`);
  }
}
