import { type AcquirerCall, callDestination, type CallResult, isOpen, moved, settled } from '@pos/core/acquirer-call';
import { required } from '@pos/core/assert';
import { approve, decline, type IntentDecision, rejectSignature, undoLateApproval } from '@pos/core/payment-intent';
import { declineRefund, refuseRefund, settleFreedRefund, settleRefund } from '@pos/core/refund';
import { unlinkedTransactions } from '@pos/core/session-outcome';
import type { AttemptEffect, IntentEffect, SessionDecision, TerminalSession } from '@pos/core/terminal-session';
import { isFinal } from '@pos/core/terminal-session';
import { lockCall, updateCall } from '@pos/store/acquirer-calls';
import type { Tx } from '@pos/store/database';
import { appendToSession } from '@pos/store/ledger';
import { lockIntent, type LockedIntent, updateIntent } from '@pos/store/payment-intents';
import { findSession, lockSession, updateSession } from '@pos/store/terminal-sessions';
import { cancelTimer, schedule } from '@pos/store/timers';
import { writeTransactions } from '@pos/store/transactions';
import { wakeOrder } from './held-for-order.js';
import { followHold } from './intent-change.js';
import { order } from './reversal-order.js';
import { raiseAlarm } from './alarms.js';
import { News } from './tell.js';

/** A session with all that its decisions may touch, locked in the one order: intent, session, acquirer call. */
export interface HeldSession {
  readonly session: TerminalSession;
  readonly intent: LockedIntent | null;
  readonly call: AcquirerCall;
  /** False once the attempt has ended or its reversal is ordered: a late result moves nothing. */
  readonly isAttemptOpen: boolean;
}

/** Locks a session and what belongs to it; null for an unknown id. */
export async function holdSession(tx: Tx, id: string): Promise<HeldSession | null> {
  // Which intent it belongs to never changes, so it is read before anything is locked.
  const known = await findSession(tx, id);
  if (known === null) return null;
  const intent = known.paymentIntentId === null ? null : await lockIntent(tx, known.paymentIntentId);
  const session = required(await lockSession(tx, id), `session ${id}`);
  const call = required(await lockCall(tx, session.acquirerReference), `the acquirer call of ${id}`);
  return { session, intent, call, isAttemptOpen: isOpen(call) };
}

/** Writes a decision about a held session with everything that follows from it, and tells of it. */
export async function applySession(tx: Tx, held: HeldSession, decision: SessionDecision): Promise<TerminalSession> {
  if (decision.session === held.session) {
    tellMachine(tx, decision);
    return held.session;
  }
  const news = new News(tx);
  const undone = await applyToIntent(tx, held, { decision, news });
  const session = await updateSession(tx, decision);
  if (decision.entries.length > 0) {
    await appendToSession(tx, session.id, decision.entries);
  }
  writeTransactions(tx, null, unlinkedTransactions(decision));
  if (decision.alarm !== null) await raiseAlarm(tx, { ...decision.alarm, subject: session.id });
  await applyToCall(tx, held.call, undone ?? decision.onAttempt);
  await moveWindow(tx, held.session, session);
  // What the acquirer knows of the refund counts from now on, so it is asked at once and often again.
  if (session.isUnknownToMachine && !held.session.isUnknownToMachine) {
    schedule(tx, { kind: 'acquirer-call', subject: held.call.reference, dueInMs: 0, isRepeat: true });
  }
  await news.ofSession(decision);
  await news.tell();
  tellMachine(tx, decision);
  const isResult = decision.onIntent !== null || decision.onAttempt !== null;
  if (decision.statusEvents.length > 0 || isResult) tx.hint('journeys', session.id);
  return session;
}

/** Returns the effect on the attempt that an intent which cannot take the approval asks for instead. */
async function applyToIntent(
  tx: Tx,
  held: HeldSession,
  { decision, news }: { readonly decision: SessionDecision; readonly news: News },
): Promise<AttemptEffect | null> {
  const effect = decision.onIntent ?? strayApproval(held, decision);
  if (effect === null) return null;
  const locked = required(held.intent, 'the intent of a session that moves its money');
  const isTooLate = effect.kind === 'approve' && locked.intent.status !== 'Created';
  const judged = isTooLate
    ? undoLateApproval(locked.intent, effect.approval, tx.now)
    : intentDecision(locked, effect, { tx, session: held.session });
  const intent = await updateIntent(tx, judged, locked);
  wakeOrder(tx, locked.intent, intent);
  await followHold(tx, locked.intent, judged);
  await news.ofDecision(intent, judged);
  if (intent.status !== 'Created') cancelTimer(tx, { kind: 'intent-expiry', subject: intent.id });
  return isTooLate ? { kind: 'undo', approval: effect.approval } : null;
}

/** An approval that is undone though nobody waits for it: a finished intent's history says so, once. */
function strayApproval({ intent, call }: HeldSession, { onAttempt }: SessionDecision): IntentEffect | null {
  const isUndone = onAttempt?.kind === 'undo' && call.reverseReference === null;
  const isFinished = intent !== null && intent.intent.status !== 'Created';
  return isUndone && isFinished ? { kind: 'approve', approval: onAttempt.approval } : null;
}

function intentDecision(
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
    case 'settleRefund':
      return settleRefund(intent, { ...refund, ...(effect.approval !== null && { presented: effect.approval }) });
    case 'settleFreedRefund':
      return settleFreedRefund(intent, { ...refund, presented: effect.approval });
    case 'freeRefund':
      if (effect.decline === null) return refuseRefund(intent, session.total, now);
      return declineRefund(intent, { ...refund, presented: effect.decline });
  }
}

async function applyToCall(tx: Tx, call: AcquirerCall, effect: AttemptEffect | null): Promise<void> {
  if (effect === null) return;
  if (effect.kind === 'undo') {
    // Also when we had believed that nothing was taken: the machine has now said otherwise.
    await order(tx, answered(call, { kind: 'approved', approval: effect.approval }));
    return;
  }
  if (effect.kind === 'corrected') {
    const result = { kind: 'approved', approval: effect.approval } as const;
    await updateCall(tx, { ...call, state: 'Settled', outcome: 'Approved', result });
    await forget(tx, call);
    return;
  }
  if (call.state === 'Settled') return;
  switch (effect.kind) {
    case 'approved':
      await updateCall(tx, answered(call, { kind: 'approved', approval: effect.approval }));
      return;
    case 'settled':
      await updateCall(tx, settled(answered(call, { kind: 'approved', approval: effect.approval }), 'Approved'));
      await forget(tx, call);
      return;
    case 'declined':
      await updateCall(tx, settled(answered(call, { kind: 'declined', decline: effect.decline }), 'Declined'));
      await forget(tx, call);
      return;
    case 'canceled':
      await updateCall(tx, settled(call, 'Canceled'));
      await forget(tx, call);
      return;
    case 'booked':
      await updateCall(tx, settled(call, 'Approved'));
      await forget(tx, call);
      return;
    case 'uncertain':
      await updateCall(tx, { ...moved(call, 'lose'), deadlineAt: tx.databaseNow });
      schedule(tx, { kind: 'acquirer-call', subject: call.reference, dueInMs: 0, isRepeat: true });
  }
}

/** The call with an answer, unless it has one already: of a signed payment the approval came before. */
function answered(call: AcquirerCall, result: CallResult): AcquirerCall {
  const move = result.kind === 'approved' ? 'approve' : 'decline';
  return callDestination(call.state, move) === null ? call : moved(call, move, result);
}

async function forget(tx: Tx, { reference }: AcquirerCall): Promise<void> {
  cancelTimer(tx, { kind: 'acquirer-call', subject: reference });
}

async function moveWindow(tx: Tx, before: TerminalSession, after: TerminalSession): Promise<void> {
  const timer = { kind: 'session-window', subject: after.id } as const;
  if (isFinal(after.status)) {
    if (!isFinal(before.status)) cancelTimer(tx, timer);
  } else if (after.expireAt.getTime() !== before.expireAt.getTime()) {
    schedule(tx, { ...timer, dueAt: after.expireAt });
  }
}

function tellMachine(tx: Tx, { toMachine, session }: SessionDecision): void {
  if (toMachine !== null) tx.hint('machines', session.terminalId);
}
