import { undoUnmadeRefund } from '@pos/core/captures-refunds';
import type { AcquirerCall } from '@pos/core/acquirer-calls';
import type { Caller } from '@pos/core/accounts';
import { isId } from '@pos/core/identity';
import { isUuid } from '@pos/core/ids';
import { changeTransaction, reverseRefundEntry } from '@pos/core/ledger';
import { Refusal, requireValue } from '@pos/core/refusals';
import type { Reader, Tx } from '@pos/store/database';
import { findAcquirerCall, findMachineRefund, lockAcquirerCall, lockIntent } from '@pos/store/payments';
import { findDifference } from '@pos/store/reconciliation';
import { insertOperatorCall } from '@pos/store/repositories';
import { lockTerminalSession } from '@pos/store/terminals';
import type { BookedState } from '../acquirer/ended-call-books.js';
import { isReplacementRefund } from '../acquirer/undo-refund.js';
import { answerAlarm } from '../alarms/alarms.js';
import { updateCall } from '../alarms/call-update.js';
import { commitIntent } from '../payment-intents/intent-commit.js';
import { commitSessionBooks } from '../terminals/session-commit.js';
import type { ReconciliationService } from '../reconciliation/reconciliation-service.js';
import { findPendingCall } from '../acquirer-calls/open-calls.js';
import { createUndecidableRefusal, readEvidence } from './untaken-payments.js';

/** A decision about a refund that our books contain as made. */
export interface UntakenRefundRequest {
  readonly caller: Pick<Caller, 'keyId'>;
  readonly note: string;
  readonly paymentId: string;
}

/**
 * The refund that a decision names by its session, by its reference, by the subject of an alarm or by a difference, if it
 * has ended as made; null for anything else. A refund that was taken out of the books already is returned, too.
 */
export async function findEndedRefund(reader: Reader, paymentId: string): Promise<AcquirerCall | null> {
  const named = isUuid(paymentId) ? await findDifference(reader, paymentId) : null;
  const found = isId('terminalSession', paymentId, reader.scope.environment)
    ? await findMachineRefund(reader, paymentId)
    : await findPendingCall(reader, named?.reference ?? paymentId);
  const call = found?.call ?? null;
  if (call === null || call.kind !== 'Refund' || call.state !== 'Settled') return null;
  return call.outcome === 'Approved' || call.outcome === 'Reversed' ? call : null;
}

/**
 * Refuses `pending_payment_not_decidable` for a refund that nothing shows to be missing at the acquirer, for one that was
 * taken out of the books, and for one that replaces a reversal, whose money no payment counts as refunded.
 */
export async function requireUntakenRefund(tx: Tx, call: AcquirerCall, paymentId: string): Promise<void> {
  if (call.outcome !== 'Approved') throw createUndecidableRefusal('the refund is not in our books any more');
  const original = call.originalReference === null ? null : await findAcquirerCall(tx, call.originalReference);
  if (isReplacementRefund(call, original)) {
    throw createUndecidableRefusal('the refund replaces a reversal that the acquirer has refused');
  }
  await readEvidence(tx, { paymentId, reference: call.reference });
}

/** The ended refund of `findEndedRefund` that something shows to be missing at the acquirer; null for anything else. */
export async function findUntakenRefund(tx: Tx, paymentId: string): Promise<AcquirerCall | null> {
  const call = await findEndedRefund(tx, paymentId);
  if (call === null) return null;
  try {
    await requireUntakenRefund(tx, call, paymentId);
    return call;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** Refuses what the acquirer has booked, and what it does not say. */
export function requireNotBooked(state: BookedState): void {
  if (state === 'booked') throw createUndecidableRefusal('the acquirer has the refund in its books');
  if (state === 'unknown') {
    throw createUndecidableRefusal('the acquirer does not say whether it has the refund: nothing was changed');
  }
}

/**
 * Takes a refund out of the books that the acquirer does not have: the amount can be refunded again, with the ledger
 * entry, the event and the webhook, and the differences and alarms about it are answered. Done once: a second decision
 * finds the call Reversed. If the acquirer books the refund later, the daily comparison reports `NotApproved`.
 */
export async function undoUntakenRefund(
  tx: Tx,
  { caller, note, paymentId }: UntakenRefundRequest,
  { reference, reconciliation }: UndoneRefund,
): Promise<void> {
  const call = requireValue(await findAcquirerCall(tx, reference), `call ${reference}`);
  // Neither changes for a call, so both are read before the locks: intent, session, call.
  const { paymentIntentId, terminalSessionId } = call;
  const locked = paymentIntentId === null ? null : await lockIntent(tx, paymentIntentId);
  if (terminalSessionId !== null) await lockTerminalSession(tx, terminalSessionId);
  const lockedCall = requireValue(await lockAcquirerCall(tx, reference), `call ${reference}`);
  await requireUntakenRefund(tx, lockedCall, paymentId);
  const { difference, alarms } = await readEvidence(tx, { paymentId, reference });
  const correction = await tx.newId('reversal');
  const { amount } = lockedCall;
  await updateCall(tx, { ...lockedCall, outcome: 'Reversed' });
  for (const { id: alarmId } of alarms) await answerAlarm(tx, { caller, alarmId, note });
  if (difference?.state === 'Open') await reconciliation.answerDifference(tx, { caller, note, id: difference.id });
  await insertOperatorCall(tx, {
    ...{ keyId: caller.keyId, action: 'SettleAsListed', subject: paymentId, note, isConfirmed: false, outcome: 'Done' },
    ...{ stateBefore: 'Approved', stateAfter: 'Reversed' },
  });
  if (locked !== null) {
    const decision = undoUnmadeRefund(locked.intent, { reference, amount, correction, now: tx.now });
    await commitIntent(tx, locked, decision);
    return;
  }
  const sessionId = requireValue(terminalSessionId, 'the session of a refund without a payment');
  await commitSessionBooks(tx, sessionId, {
    entries: [reverseRefundEntry(correction, amount)],
    transactions: [changeTransaction(reference, 'Reversed')],
  });
}

interface UndoneRefund {
  readonly reference: string;
  readonly reconciliation: Pick<ReconciliationService, 'answerDifference'>;
}
