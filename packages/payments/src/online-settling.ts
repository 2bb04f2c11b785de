import { type AcquirerCall, isOpen, isReversalDue, moved, REVERSAL_GRACE_MS, settled } from '@pos/core/acquirer-call';
import { required } from '@pos/core/assert';
import type { Approval, Decline } from '@pos/core/card';
import type { AcquirerAnswer } from '@pos/core/ports';
import { Refusal } from '@pos/core/refusal';
import { lockCall, updateCall } from '@pos/store/acquirer-calls';
import type { Tx } from '@pos/store/database';
import { findAttempt, forgetContacts, type OnlineAttempt } from '@pos/store/online-attempts';
import { cancelTimer, schedule } from '@pos/store/timers';
import { alarmAccessRefused, alarmContradiction, alarmMisstatedAmount } from './call-alarms.js';
import { type Attempted, lockAttempted } from './attempted.js';
import { order } from './reversal-order.js';
import { confirmCard, dropCard } from './saved-cards.js';

/** An attempt with all that its outcome touches, locked in the one order: intents, call. */
interface HeldAttempt {
  readonly attempt: OnlineAttempt;
  readonly about: Attempted;
  readonly call: AcquirerCall;
}

/**
 * Writes what the acquirer said of an authorisation that we asked for with a card, and returns its call. Safe to repeat:
 * what has ended, or was given up, stays as it is. A silence leaves the outcome open, for the worker to ask after.
 */
export async function settleOnline(tx: Tx, reference: string, answer: AcquirerAnswer): Promise<AcquirerCall> {
  const held = await hold(tx, reference);
  const { call } = held;
  if (!isOpen(call)) return contradicted(tx, call, answer);
  switch (answer.outcome) {
    case 'approved':
      // A yes to something else than was asked for ends nothing.
      if (await alarmMisstatedAmount(tx, call, { answer, expected: call.amount })) return lost(tx, call);
      return approved(tx, held, answer.approval);
    case 'declined':
      return declined(tx, held, answer.decline);
    case 'challenged':
      return challenged(tx, held, answer);
    case 'reversed':
      return canceled(tx, held);
    case 'accessRefused':
      await alarmAccessRefused(tx, call, answer.status);
      return isFirstAnswer(call) ? canceled(tx, held) : lost(tx, call);
    case 'refused':
      // The issuer was never asked, and nothing was booked.
      return isFirstAnswer(call) ? canceled(tx, held) : lost(tx, call);
    case 'done':
    case 'inProgress':
    case 'notFound':
    case 'alreadyExists':
    case 'unknown':
      return lost(tx, call);
  }
}

/** Whether nothing can be booked but by the call that is answered now: no answer was lost before, and nothing was challenged. */
function isFirstAnswer({ state, result }: AcquirerCall): boolean {
  return state === 'Sent' && result === null;
}

/** The authorisation has been open too long: from this commit on an approval of it settles nothing. False: not yet. */
export async function giveUpOnline(tx: Tx, reference: string): Promise<boolean> {
  const held = await hold(tx, reference);
  if (!isOpen(held.call)) return true;
  if (!isReversalDue(held.call, tx.databaseNow)) return false;
  await abandon(tx, held, null);
  return true;
}

/** The same at somebody's order, at once and under the reversal's reference that he chose. Refuses what has ended otherwise. */
export async function reverseOnline(tx: Tx, reference: string, reversalReference: string): Promise<void> {
  const held = await hold(tx, reference);
  const { call } = held;
  if (isOpen(call)) return abandon(tx, held, reversalReference);
  if (call.reverseReference !== null || call.outcome === 'Reversed') return;
  throw new Refusal('not_reversible', 'the attempt has ended otherwise');
}

/** The call has ended: a second answer that says otherwise moves nothing, and money that it names is taken back. */
async function contradicted(tx: Tx, call: AcquirerCall, answer: AcquirerAnswer): Promise<AcquirerCall> {
  const isContradiction = await alarmContradiction(tx, call, answer);
  if (isContradiction && answer.outcome === 'approved' && call.outcome !== 'Approved') await order(tx, call);
  return call;
}

async function abandon(tx: Tx, { call, about, attempt }: HeldAttempt, reversalReference: string | null): Promise<void> {
  await dropCard(tx, attempt);
  forgetContacts(tx, attempt);
  await order(tx, call, reversalReference);
  cancelTimer(tx, { kind: 'acquirer-call', subject: call.reference });
  if (!about.isOpen) return;
  const transactionId = call.result?.kind === 'challenged' ? call.result.transactionId : null;
  await about.giveUp({ transactionId, amount: call.amount, card: null });
}

async function hold(tx: Tx, reference: string): Promise<HeldAttempt> {
  // What an attempt is about never changes, so it is read before anything is locked.
  const attempt = required(await findAttempt(tx, reference), `attempt ${reference}`);
  const about = await lockAttempted(tx, attempt);
  const call = required(await lockCall(tx, reference), `call ${reference}`);
  return { attempt, about, call };
}

async function approved(tx: Tx, { attempt, about, call }: HeldAttempt, said: Approval): Promise<AcquirerCall> {
  // Booked under the reference that we asked under, whatever the answer echoes.
  const approval = { ...said, reference: call.reference, paymentMethodId: attempt.cardId };
  const heard = moved(call, 'approve', { kind: 'approved', approval });
  forgetContacts(tx, attempt);
  if (!about.isOpen) {
    await dropCard(tx, attempt);
    await order(tx, heard);
    cancelTimer(tx, { kind: 'acquirer-call', subject: call.reference });
    await about.undo(approval);
    return heard;
  }
  await confirmCard(tx, attempt, approval.card.cardFundingType);
  const ended = await end(tx, settled(heard, 'Approved'));
  await about.approve(approval);
  return ended;
}

async function declined(tx: Tx, { attempt, about, call }: HeldAttempt, answer: Decline): Promise<AcquirerCall> {
  const said = { ...answer, reference: call.reference };
  await dropCard(tx, attempt);
  forgetContacts(tx, attempt);
  const ended = await end(tx, settled(moved(call, 'decline', { kind: 'declined', decline: said }), 'Declined'));
  if (about.isOpen) await about.decline(said);
  return ended;
}

/** The payer has as long as his secret lives; from a minute after that the attempt is undone. */
async function challenged(
  tx: Tx,
  { attempt, about, call }: HeldAttempt,
  said: Extract<AcquirerAnswer, { outcome: 'challenged' }>,
): Promise<AcquirerCall> {
  const { transactionId, card, stepUpUrl, paReq, md } = said;
  // Already told, and the payer's own answer did not arrive: it can be given again.
  if (call.result?.kind === 'challenged') return call;
  // No payer is there who could prove himself; it is undone when its time is over.
  if (attempt.secretExpireAt === null) return lost(tx, call);
  const leftMs = attempt.secretExpireAt.getTime() - tx.now.getTime();
  const waiting = await updateCall(tx, {
    ...moved(call, 'challenge', { kind: 'challenged', transactionId, stepUpUrl, paReq, md }),
    deadlineAt: new Date(tx.databaseNow.getTime() + leftMs),
  });
  const dueAt = new Date(attempt.secretExpireAt.getTime() + REVERSAL_GRACE_MS);
  schedule(tx, { kind: 'acquirer-call', subject: call.reference, dueAt });
  await about.challenge({ transactionId, amount: call.amount, card });
  return waiting;
}

/** Undone at the acquirer, and not by us: nothing was taken. */
async function canceled(tx: Tx, { attempt, about, call }: HeldAttempt): Promise<AcquirerCall> {
  await dropCard(tx, attempt);
  forgetContacts(tx, attempt);
  const ended = await end(tx, settled(call, 'Canceled'));
  if (about.isOpen) await about.giveUp({ transactionId: null, amount: call.amount, card: null });
  return ended;
}

async function end(tx: Tx, call: AcquirerCall): Promise<AcquirerCall> {
  cancelTimer(tx, { kind: 'acquirer-call', subject: call.reference });
  return updateCall(tx, call);
}

async function lost(tx: Tx, call: AcquirerCall): Promise<AcquirerCall> {
  return call.state === 'Sent' ? updateCall(tx, moved(call, 'lose')) : call;
}
