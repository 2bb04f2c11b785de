import { toAccountVerdict } from '../sandbox-clock/account-times.js';
import { type AcquirerCall, concludeAcquirerCall } from '@pos/core/acquirer-calls';
import type { AcquirerAnswer, AcquirerCapabilities, Verdict } from '@pos/core/acquirer';
import { assert, requireValue } from '@pos/core/refusals';
import { add, type Money } from '@pos/core/money';
import { type IntentDecision, type PaymentIntent, releaseRaise, bookRaise } from '@pos/core/payment-intents';
import {
  declineRefund,
  releaseCapture,
  releaseReversal,
  bookCapture,
  bookRefund,
  bookReversal,
} from '@pos/core/captures-refunds';
import { parseKnownId } from '@pos/core/identity';
import { lockAcquirerCall, lockIntent } from '@pos/store/payments';
import type { Tx } from '@pos/store/database';
import { cancelTimer } from '@pos/store/queues';
import {
  raiseContradictionAlarm,
  raiseMisstatedAmountAlarm,
  raiseMoneyNotReturnedAlarm,
} from '../acquirer/call-alarms.js';
import { assessByInquiry } from '../acquirer/reversal-assessment.js';
import { commitIntent } from '../payment-intents/intent-commit.js';
import { endReversedAuthorisation } from '../acquirer/reversed-authorisation.js';
import { isReplacementRefund, replaceRefusedReversal, concludeReplacementRefund } from '../acquirer/undo-refund.js';
import { updateCall } from '../alarms/call-update.js';

/** The progress of a call: `over`, or `open` until a later inquiry. */
export type CallProgress = 'over' | 'open';

/** An answer with a verdict, and what an inquiry says of the authorisation if its reversal was refused. */
export interface DecidedAnswer {
  readonly answer: AcquirerAnswer;
  readonly verdict: Verdict;
  readonly original: AcquirerAnswer;
  /** What the acquirer has declared; null while it is not known. */
  readonly capabilities: AcquirerCapabilities | null;
  readonly inquiryIntervalMs: number;
}

/** Writes what the acquirer has decided on a call about an authorisation, with everything that follows from it. */
export async function applyVerdict(
  tx: Tx,
  sentCall: AcquirerCall,
  decidedAnswer: DecidedAnswer,
): Promise<CallProgress> {
  const { answer } = decidedAnswer;
  const verdict = toAccountVerdict(tx, decidedAnswer.verdict);
  const locked = sentCall.paymentIntentId === null ? null : await lockIntent(tx, sentCall.paymentIntentId);
  const original = await lockAcquirerCall(tx, requireValue(sentCall.originalReference, 'what the call is about'));
  const call = requireValue(await lockAcquirerCall(tx, sentCall.reference), `call ${sentCall.reference}`);
  if (call.state === 'Settled') {
    await raiseContradictionAlarm(tx, call, answer);
    return 'over';
  }
  // The reversal was refused before, and its refund decides.
  if (call.state === 'Declined') return 'over';
  const expected = getExpectedAmount(call, locked?.intent ?? null);
  if (verdict.isDone && expected !== null && (await raiseMisstatedAmountAlarm(tx, call, { answer, expected })))
    return 'open';
  if (isReplacementRefund(call, original)) {
    const authorisation = requireValue(original, 'the authorisation');
    await concludeReplacementRefund(tx, { locked, refund: call, original: authorisation, verdict });
    return 'over';
  }
  const isUndoing = call.kind === 'Reverse' && original?.outcome !== 'Approved';
  if (isUndoing && !verdict.isDone) {
    const { capabilities, inquiryIntervalMs: intervalMs } = decidedAnswer;
    const facts = { original, reversal: call, capabilities, intervalMs };
    const assessment = await assessByInquiry(tx, decidedAnswer.original, facts);
    const isReplaced = await replaceRefusedReversal(tx, { locked, original, reversal: call }, { verdict, assessment });
    return isReplaced ? 'over' : 'open';
  }
  await updateCall(tx, endCall(call, verdict));
  cancelTimer(tx, { kind: 'acquirer-call', subject: call.reference });
  if (call.kind === 'Release') {
    // The hold was given up in the books when the release was ordered: only a person can have it released now. Where the
    // acquirer gives up no part of a hold, it was not asked, and the rest ends with the hold.
    const isExpiring = decidedAnswer.capabilities?.can.partial_reversal === false;
    if (!verdict.isDone && !isExpiring) await raiseMoneyNotReturnedAlarm(tx, call, getRefusalMessage(verdict));
    return 'over';
  }
  if (isUndoing) {
    await endReversedAuthorisation(tx, locked, original);
    // A payment at a table that waits until its money is certainly returned continues.
    const waitingId = call.terminalSessionId ?? call.paymentIntentId;
    if (waitingId !== null) tx.hint('journeys', waitingId);
    return 'over';
  }
  const lockedIntent = requireValue(locked, 'the intent whose money moves');
  await commitIntent(tx, lockedIntent, concludeIntent(lockedIntent.intent, { call, verdict, now: tx.now }));
  if (call.kind === 'Reverse' && original !== null) {
    await updateCall(
      tx,
      verdict.isDone ? { ...original, outcome: 'Reversed' } : { ...original, reverseReference: null },
    );
  }
  return 'over';
}

/** The amount that an approval must name; null for a reversal, which undoes what the acquirer has. */
function getExpectedAmount(call: AcquirerCall, intent: PaymentIntent | null): Money | null {
  switch (call.kind) {
    case 'Capture':
    case 'Refund':
      return call.amount;
    case 'Increase':
      return intent === null ? null : add(intent.authorized, call.amount);
    case 'Authorise':
    case 'Reverse':
    case 'Release':
      return null;
  }
}

function getRefusalMessage({ result }: Verdict): string {
  return result?.kind === 'refused' ? result.message : 'refused';
}

/** The call at its end, with what was said of it. */
function endCall(call: AcquirerCall, { isDone, result }: Verdict): AcquirerCall {
  return { ...concludeAcquirerCall(call, isDone ? 'Approved' : 'Declined'), result: result ?? call.result };
}

/** What becomes of the payment whose money was reserved for the call. */
function concludeIntent(
  intent: PaymentIntent,
  { call, verdict, now }: { readonly call: AcquirerCall; readonly verdict: Verdict; readonly now: Date },
): IntentDecision {
  const { reference, amount, kind } = call;
  const { isDone, isFailure } = verdict;
  switch (kind) {
    case 'Capture': {
      const id = parseKnownId('capture', reference);
      if (isDone) return bookCapture(intent, id, now);
      return releaseCapture(intent, { id, status: isFailure ? 'Failed' : 'Declined', now });
    }
    case 'Refund':
      return (isDone ? bookRefund : declineRefund)(intent, { reference, amount, now });
    case 'Reverse':
      return isDone ? bookReversal(intent, { reference, now }) : releaseReversal(intent, now);
    case 'Increase':
      return isDone ? bookRaise(intent, { reference, difference: amount, now }) : releaseRaise(intent, now);
    case 'Authorise':
    case 'Release':
      assert(false, `a ${kind} has reserved nothing`);
  }
}
