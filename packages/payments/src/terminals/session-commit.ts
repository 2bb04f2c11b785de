import {
  type AcquirerCall,
  callDestination,
  type CallResult,
  isOpen,
  applyCallMove,
  concludeAcquirerCall,
} from '@pos/core/acquirer-calls';
import type { TerminalSessionId } from '@pos/core/identity';
import type { LedgerEntryDraft, TransactionChange } from '@pos/core/ledger';
import { requireValue } from '@pos/core/refusals';
import { approve, decline, type IntentDecision, rejectSignature, undoLateApproval } from '@pos/core/payment-intents';
import { declineRefund, releaseRefund, concludeFreedRefund, bookRefund } from '@pos/core/captures-refunds';
import {
  type AttemptEffect,
  type IntentEffect,
  isSessionFinal,
  listUnlinkedTransactions,
  type SessionDecision,
  type TerminalSession,
} from '@pos/core/terminals';
import { lockAcquirerCall, type LockedIntent, lockIntent, writeTransactions } from '@pos/store/payments';
import type { Tx } from '@pos/store/database';
import { appendSessionEntries } from '@pos/store/ledger';
import { findTerminalSession, lockTerminalSession, updateTerminalSession } from '@pos/store/terminals';
import { cancelTimer, schedule } from '@pos/store/queues';
import { commitIntent } from '../payment-intents/intent-commit.js';
import { requestReversal } from '../authorisations/reversal-request.js';
import { raiseAlarm } from '../alarms/alarms.js';
import { OutboxBatch } from '../webhooks/outbox-batch.js';
import { updateCall } from '../alarms/call-update.js';

/** A session with everything that its decisions may change, locked in this order: intent, session, acquirer call. */
export interface LockedTerminalSession {
  readonly session: TerminalSession;
  readonly intent: LockedIntent | null;
  readonly call: AcquirerCall;
  /** False once the attempt has ended or its reversal is ordered: a late result moves nothing. */
  readonly isAttemptOpen: boolean;
}

/** Locks a session and its rows; null for an unknown id. */
export async function lockSessionWithIntent(tx: Tx, id: string): Promise<LockedTerminalSession | null> {
  // The intent of a session never changes, so it is read before the locks.
  const found = await findTerminalSession(tx, id);
  if (found === null) return null;
  const intent = found.paymentIntentId === null ? null : await lockIntent(tx, found.paymentIntentId);
  const session = requireValue(await lockTerminalSession(tx, id), `session ${id}`);
  const call = requireValue(await lockAcquirerCall(tx, session.acquirerReference), `the acquirer call of ${id}`);
  return { session, intent, call, isAttemptOpen: isOpen(call) };
}

/**
 * Stores a decision about a locked session with everything that belongs to it: the effect on its intent, the row with its
 * history, its books, alarms, the call to the acquirer, the timers of both, the events, and the hints to the machine and
 * to the journey. It is the only writer of a stored session (ADR 0145). Delivery lanes come last.
 */
export async function commitSession(
  tx: Tx,
  lockedSession: LockedTerminalSession,
  decision: SessionDecision,
): Promise<TerminalSession> {
  if (decision.session === lockedSession.session) {
    notifyMachine(tx, decision);
    return lockedSession.session;
  }
  const outbox = new OutboxBatch(tx);
  const undoEffect = await applyToIntent(tx, lockedSession, { decision, outbox });
  const session = await updateTerminalSession(tx, lockedSession.session, decision);
  await commitSessionBooks(tx, session.id, {
    entries: decision.entries,
    transactions: listUnlinkedTransactions(decision),
  });
  for (const alarm of decision.alarms) await raiseAlarm(tx, { ...alarm, subject: alarm.subject ?? session.id });
  await applyToCall(tx, lockedSession.call, undoEffect ?? decision.onAttempt);
  await rescheduleWindow(tx, lockedSession.session, session);
  // The acquirer's answers about the refund count from now on, so inquiries start at once and repeat soon.
  if (session.isUnknownToMachine && !lockedSession.session.isUnknownToMachine) {
    schedule(tx, { kind: 'acquirer-call', subject: lockedSession.call.reference, dueInMs: 0, isRepeat: true });
  }
  await outbox.addSessionEvents(decision);
  await outbox.flush();
  notifyMachine(tx, decision);
  const isResult = decision.onIntent !== null || decision.onAttempt !== null;
  if (decision.statusEvents.length > 0 || isResult) tx.hint('journeys', session.id);
  return session;
}

/** What a session that gives back money without a payment adds to the books. */
export interface SessionBooks {
  readonly entries: readonly LedgerEntryDraft[];
  readonly transactions: readonly TransactionChange[];
}

/** Posts to the books of a locked session: its hash chain and its transaction line. It is their only writer (ADR 0145). */
export async function commitSessionBooks(
  tx: Tx,
  id: TerminalSessionId,
  { entries, transactions }: SessionBooks,
): Promise<void> {
  if (entries.length > 0) await appendSessionEntries(tx, id, entries);
  writeTransactions(tx, null, transactions);
}

/** Returns the effect on the attempt if the intent cannot take the approval. */
async function applyToIntent(
  tx: Tx,
  lockedSession: LockedTerminalSession,
  { decision, outbox }: { readonly decision: SessionDecision; readonly outbox: OutboxBatch },
): Promise<AttemptEffect | null> {
  const effect = decision.onIntent ?? findStrayApproval(lockedSession, decision);
  if (effect === null) return null;
  const locked = requireValue(lockedSession.intent, 'the intent of a session that moves its money');
  const isTooLate = effect.kind === 'approve' && locked.intent.status !== 'Created';
  const intentChange = isTooLate
    ? undoLateApproval(locked.intent, effect.approval, tx.now)
    : decideIntent(locked, effect, { tx, session: lockedSession.session });
  await commitIntent(tx, locked, { ...intentChange, outbox });
  return isTooLate ? { kind: 'undo', approval: effect.approval } : null;
}

/** The undone approval of a finished intent, which its history contains once. */
function findStrayApproval(
  { intent, call }: LockedTerminalSession,
  { onAttempt }: SessionDecision,
): IntentEffect | null {
  const isUndone = onAttempt?.kind === 'undo' && call.reverseReference === null;
  const isFinished = intent !== null && intent.intent.status !== 'Created';
  return isUndone && isFinished ? { kind: 'approve', approval: onAttempt.approval } : null;
}

function decideIntent(
  { intent }: LockedIntent,
  effect: IntentEffect,
  { tx, session }: { readonly tx: Tx; readonly session: TerminalSession },
): IntentDecision {
  const { now } = tx;
  const refund = { reference: session.acquirerReference, amount: session.total, now };
  switch (effect.kind) {
    case 'approve':
      return approve(intent, effect.approval, now);
    case 'decline':
      return decline(intent, effect.decline, now);
    case 'rejectSignature':
      return rejectSignature(intent, effect.approval, now);
    case 'bookRefund':
      return bookRefund(intent, { ...refund, ...(effect.approval !== null && { presented: effect.approval }) });
    case 'concludeFreedRefund':
      return concludeFreedRefund(intent, { ...refund, presented: effect.approval });
    case 'freeRefund':
      if (effect.decline === null) return releaseRefund(intent, session.total, now);
      return declineRefund(intent, { ...refund, presented: effect.decline });
  }
}

async function applyToCall(tx: Tx, call: AcquirerCall, effect: AttemptEffect | null): Promise<void> {
  if (effect === null) return;
  if (effect.kind === 'undo') {
    // Also after a report that nothing was taken: the machine has now reported the opposite.
    await requestReversal(tx, applyAnswer(call, { kind: 'approved', approval: effect.approval }));
    return;
  }
  if (effect.kind === 'givenUp') {
    if (call.reverseReference === null) await requestReversal(tx, call);
    return;
  }
  if (effect.kind === 'corrected') {
    const result = { kind: 'approved', approval: effect.approval } as const;
    await updateCall(tx, { ...call, state: 'Settled', outcome: 'Approved', result });
    await cancelCallTimer(tx, call);
    return;
  }
  if (call.state === 'Settled') return;
  switch (effect.kind) {
    case 'approved':
      await updateCall(tx, applyAnswer(call, { kind: 'approved', approval: effect.approval }));
      return;
    case 'settled':
      await updateCall(
        tx,
        concludeAcquirerCall(applyAnswer(call, { kind: 'approved', approval: effect.approval }), 'Approved'),
      );
      await cancelCallTimer(tx, call);
      return;
    case 'declined':
      await updateCall(
        tx,
        concludeAcquirerCall(applyAnswer(call, { kind: 'declined', decline: effect.decline }), 'Declined'),
      );
      await cancelCallTimer(tx, call);
      return;
    case 'canceled':
      await updateCall(tx, concludeAcquirerCall(call, 'Canceled'));
      await cancelCallTimer(tx, call);
      return;
    case 'booked':
      await updateCall(tx, concludeAcquirerCall(call, 'Approved'));
      await cancelCallTimer(tx, call);
      return;
    case 'uncertain':
      await updateCall(tx, { ...applyCallMove(call, 'lose'), deadlineAt: tx.databaseNow });
      schedule(tx, { kind: 'acquirer-call', subject: call.reference, dueInMs: 0, isRepeat: true });
  }
}

/** Stores an answer in the call, unless it has one already: the approval of a signed payment came before. */
function applyAnswer(call: AcquirerCall, result: CallResult): AcquirerCall {
  const move = result.kind === 'approved' ? 'approve' : 'decline';
  return callDestination(call.state, move) === null ? call : applyCallMove(call, move, result);
}

async function cancelCallTimer(tx: Tx, { reference }: AcquirerCall): Promise<void> {
  cancelTimer(tx, { kind: 'acquirer-call', subject: reference });
}

async function rescheduleWindow(tx: Tx, before: TerminalSession, after: TerminalSession): Promise<void> {
  const timer = { kind: 'session-window', subject: after.id } as const;
  if (isSessionFinal(after.status)) {
    if (!isSessionFinal(before.status)) cancelTimer(tx, timer);
  } else if (after.expireAt.getTime() !== before.expireAt.getTime()) {
    schedule(tx, { ...timer, dueAt: after.expireAt });
  }
}

function notifyMachine(tx: Tx, { toMachine, session }: SessionDecision): void {
  if (toMachine !== null) tx.hint('machines', session.terminalId);
}
