import { type AcquirerCall, settled } from '@pos/core/acquirer-call';
import type { Verdict } from '@pos/core/acquirer-verdict';
import { required } from '@pos/core/assert';
import { add, type Money } from '@pos/core/money';
import type { PaymentIntent } from '@pos/core/payment-intent';
import type { AcquirerAnswer } from '@pos/core/ports';
import { lockCall, updateCall } from '@pos/store/acquirer-calls';
import type { Tx } from '@pos/store/database';
import { lockIntent } from '@pos/store/payment-intents';
import { cancelTimer } from '@pos/store/timers';
import { alarmContradiction, alarmMisstatedAmount, alarmMoneyNotReturned } from './call-alarms.js';
import { concluded, ended } from './call-conclusion.js';
import { changeIntent } from './intent-change.js';
import { isUndoRefund, replaceReversal, settleUndoRefund } from './undo-refund.js';

/** What became of a call: over, or open and to be asked after again. */
export type CallStanding = 'over' | 'open';

/** An answer with a verdict, and what an inquiry says of the authorisation if its reversal was refused. */
export interface DecidedAnswer {
  readonly answer: AcquirerAnswer;
  readonly verdict: Verdict;
  readonly original: AcquirerAnswer;
}

/** Writes what the acquirer has decided on a call about an authorisation, with everything that follows from it. */
export async function settleCall(tx: Tx, asked: AcquirerCall, decided: DecidedAnswer): Promise<CallStanding> {
  const { answer, verdict } = decided;
  const locked = asked.paymentIntentId === null ? null : await lockIntent(tx, asked.paymentIntentId);
  const original = await lockCall(tx, required(asked.originalReference, 'what the call is about'));
  const call = required(await lockCall(tx, asked.reference), `call ${asked.reference}`);
  if (call.state === 'Settled') {
    await alarmContradiction(tx, call, answer);
    return 'over';
  }
  // The reversal was refused before, and its refund decides.
  if (call.state === 'Declined') return 'over';
  const expected = expectedAmount(call, locked?.intent ?? null);
  if (verdict.isDone && expected !== null && (await alarmMisstatedAmount(tx, call, { answer, expected })))
    return 'open';
  if (isUndoRefund(call, original)) {
    await settleUndoRefund(tx, { refund: call, original: required(original, 'the authorisation'), verdict });
    return 'over';
  }
  const isUndoing = call.kind === 'Reverse' && original?.outcome !== 'Approved';
  if (isUndoing && !verdict.isDone) {
    const isReplaced = await replaceReversal(tx, { original, reversal: call }, { verdict, inquired: decided.original });
    return isReplaced ? 'over' : 'open';
  }
  await updateCall(tx, ended(call, verdict));
  cancelTimer(tx, { kind: 'acquirer-call', subject: call.reference });
  if (call.kind === 'Release') {
    // The hold was given up in the books when the release was ordered: only a person can have it released now.
    if (!verdict.isDone) await alarmMoneyNotReturned(tx, call, refusalOf(verdict));
    return 'over';
  }
  if (isUndoing) {
    if (original !== null && original.state !== 'Settled') await updateCall(tx, settled(original, 'Reversed'));
    // A payment at a table that waits for its money to be certainly back goes on.
    const waiting = call.terminalSessionId ?? call.paymentIntentId;
    if (waiting !== null) tx.hint('journeys', waiting);
    return 'over';
  }
  const of = required(locked, 'the intent whose money moves');
  await changeIntent(tx, of, concluded(of.intent, { call, verdict, now: tx.now }));
  if (call.kind === 'Reverse' && original !== null) {
    await updateCall(
      tx,
      verdict.isDone ? { ...original, outcome: 'Reversed' } : { ...original, reverseReference: null },
    );
  }
  return 'over';
}

/** What a yes has to name; null where it names nothing that we know: a reversal undoes whatever is there. */
function expectedAmount(call: AcquirerCall, intent: PaymentIntent | null): Money | null {
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

function refusalOf({ result }: Verdict): string {
  return result?.kind === 'refused' ? result.message : 'refused';
}
