import { toAccountAnswer } from '../sandbox-clock/account-times.js';
import {
  type AcquirerCall,
  isFirstAnswer,
  isOpen,
  isReversalDue,
  applyCallMove,
  REVERSAL_GRACE_MS,
  concludeAcquirerCall,
} from '@pos/core/acquirer-calls';
import { Refusal, requireValue } from '@pos/core/refusals';
import type { Approval, Decline } from '@pos/core/cards';
import type { AcquirerAnswer } from '@pos/core/acquirer';
import { deleteContacts, findOnlineAttempt, lockAcquirerCall, type OnlineAttempt } from '@pos/store/payments';
import type { Tx } from '@pos/store/database';
import { cancelTimer, schedule } from '@pos/store/queues';
import {
  raiseAccessRefusedAlarm,
  raiseContradictionAlarm,
  raiseMisstatedAmountAlarm,
} from '../acquirer/call-alarms.js';
import { type AttemptTarget, lockAttemptTarget } from './attempt-subject.js';
import { requestReversal } from '../authorisations/reversal-request.js';
import { storeConfirmedCard } from '../customers/saved-cards.js';
import { erasePendingCard } from '../customers/card-erasure.js';
import { updateCall } from '../alarms/call-update.js';

/** An attempt with everything that its outcome changes, locked in this order: intents, call. */
interface LockedAttempt {
  readonly attempt: OnlineAttempt;
  readonly target: AttemptTarget;
  readonly call: AcquirerCall;
}

/**
 * Concludes an authorisation that we requested with a card by the acquirer's answer, and returns its call. Safe to
 * repeat: an attempt that has ended, or was given up, stays as it is. Without an answer the outcome stays open for
 * the worker.
 */
export async function concludeAttempt(tx: Tx, reference: string, given: AcquirerAnswer): Promise<AcquirerCall> {
  const answer = toAccountAnswer(tx, given);
  const lockedAttempt = await lockAttempt(tx, reference);
  const { call } = lockedAttempt;
  if (!isOpen(call)) return handleContradiction(tx, call, answer);
  switch (answer.outcome) {
    case 'approved':
      // An approval of another amount ends nothing.
      if (await raiseMisstatedAmountAlarm(tx, call, { answer, expected: call.amount })) return markAnswerLost(tx, call);
      return applyApproval(tx, lockedAttempt, answer.approval);
    case 'declined':
      return applyDecline(tx, lockedAttempt, answer.decline);
    case 'challenged':
      return applyChallenge(tx, lockedAttempt, answer);
    case 'reversed':
      return applyCancellation(tx, lockedAttempt);
    case 'accessRefused':
      await raiseAccessRefusedAlarm(tx, call, answer.status);
      return isFirstAnswer(call) ? applyCancellation(tx, lockedAttempt) : markAnswerLost(tx, call);
    case 'refused':
      // The issuer never received it, and nothing was booked.
      return isFirstAnswer(call) ? applyCancellation(tx, lockedAttempt) : markAnswerLost(tx, call);
    case 'done':
    case 'inProgress':
    case 'notFound':
    case 'alreadyExists':
    case 'unknown':
      return markAnswerLost(tx, call);
  }
}

/**
 * The same for an attempt of a payer whose issuer may ask for no challenge: the acquirer does not offer them, or the card
 * was given by letter or telephone (ADR 0088).
 */
export async function concludeWithoutChallenge(
  tx: Tx,
  reference: string,
  answer: AcquirerAnswer,
): Promise<AcquirerCall> {
  if (answer.outcome !== 'challenged') return concludeAttempt(tx, reference, answer);
  const lockedAttempt = await lockAttempt(tx, reference);
  if (!isOpen(lockedAttempt.call)) return handleContradiction(tx, lockedAttempt.call, answer);
  return declineChallenge(tx, lockedAttempt, answer);
}

type Challenge = Extract<AcquirerAnswer, { outcome: 'challenged' }>;

/** Nobody can answer the challenge: the attempt is declined, and the acquirer is ordered to undo what waits for it. */
async function declineChallenge(
  tx: Tx,
  lockedAttempt: LockedAttempt,
  { transactionId, card }: Challenge,
): Promise<AcquirerCall> {
  const { reference } = lockedAttempt.call;
  const declined = { reference, transactionId, transactionDateTime: tx.now.toISOString(), card } as const;
  const call = await applyDecline(tx, lockedAttempt, { ...declined, message: 'DECLINED', said: NO_CHALLENGE });
  await requestReversal(tx, call);
  return call;
}

const NO_CHALLENGE = 'CHALLENGE NOT POSSIBLE';

/**
 * The authorisation has been open too long: from this commit on an approval of it changes nothing. False: not yet.
 */
export async function abandonStaleAttempt(tx: Tx, reference: string): Promise<boolean> {
  const lockedAttempt = await lockAttempt(tx, reference);
  if (!isOpen(lockedAttempt.call)) return true;
  if (!isReversalDue(lockedAttempt.call, tx.databaseNow)) return false;
  await abandonAttempt(tx, lockedAttempt, null);
  return true;
}

/**
 * The same on request, at once and under the requested reference of the reversal. Refuses a call with another
 * outcome.
 */
export async function reverseAttempt(tx: Tx, reference: string, reversalReference: string): Promise<void> {
  const lockedAttempt = await lockAttempt(tx, reference);
  const { call } = lockedAttempt;
  if (isOpen(call)) return abandonAttempt(tx, lockedAttempt, reversalReference);
  if (call.reverseReference !== null || call.outcome === 'Reversed') return;
  throw new Refusal('not_reversible', 'the attempt has ended otherwise');
}

/** The call has ended: a second, different answer moves nothing, and money that it names is taken back. */
async function handleContradiction(tx: Tx, call: AcquirerCall, answer: AcquirerAnswer): Promise<AcquirerCall> {
  const isContradiction = await raiseContradictionAlarm(tx, call, answer);
  if (isContradiction && answer.outcome === 'approved' && call.outcome !== 'Approved') await requestReversal(tx, call);
  return call;
}

async function abandonAttempt(
  tx: Tx,
  { call, target, attempt }: LockedAttempt,
  reversalReference: string | null,
): Promise<void> {
  await erasePendingCard(tx, attempt);
  deleteContacts(tx, attempt);
  await requestReversal(tx, call, reversalReference);
  cancelTimer(tx, { kind: 'acquirer-call', subject: call.reference });
  if (!target.isOpen) return;
  const transactionId = call.result?.kind === 'challenged' ? call.result.transactionId : null;
  await target.giveUp({ transactionId, amount: call.amount, card: null });
}

async function lockAttempt(tx: Tx, reference: string): Promise<LockedAttempt> {
  // The subject of an attempt never changes, so it is read before the locks.
  const attempt = requireValue(await findOnlineAttempt(tx, reference), `attempt ${reference}`);
  const target = await lockAttemptTarget(tx, attempt);
  const call = requireValue(await lockAcquirerCall(tx, reference), `call ${reference}`);
  return { attempt, target, call };
}

async function applyApproval(
  tx: Tx,
  { attempt, target, call }: LockedAttempt,
  acquirerAnswer: Approval,
): Promise<AcquirerCall> {
  // Booked under the reference of our request, even if the answer contains another.
  const approval = { ...acquirerAnswer, reference: call.reference, paymentMethodId: attempt.cardId };
  const approvedCall = applyCallMove(call, 'approve', { kind: 'approved', approval });
  deleteContacts(tx, attempt);
  if (!target.isOpen) {
    await erasePendingCard(tx, attempt);
    await requestReversal(tx, approvedCall);
    cancelTimer(tx, { kind: 'acquirer-call', subject: call.reference });
    await target.undo(approval);
    return approvedCall;
  }
  await storeConfirmedCard(tx, attempt, approval.card.cardFundingType);
  const endedCall = await endCall(tx, concludeAcquirerCall(approvedCall, 'Approved'));
  await target.approve(approval);
  return endedCall;
}

async function applyDecline(tx: Tx, { attempt, target, call }: LockedAttempt, answer: Decline): Promise<AcquirerCall> {
  const acquirerAnswer = { ...answer, reference: call.reference };
  await erasePendingCard(tx, attempt);
  deleteContacts(tx, attempt);
  const endedCall = await endCall(
    tx,
    concludeAcquirerCall(applyCallMove(call, 'decline', { kind: 'declined', decline: acquirerAnswer }), 'Declined'),
  );
  if (target.isOpen) await target.decline(acquirerAnswer);
  return endedCall;
}

/**
 * The payer has until their secret expires; a minute later the attempt is undone. An attempt without a secret has no
 * payer, and is declined.
 */
async function applyChallenge(tx: Tx, lockedAttempt: LockedAttempt, acquirerAnswer: Challenge): Promise<AcquirerCall> {
  const { attempt, target, call } = lockedAttempt;
  const { transactionId, card, stepUpUrl, paReq, md } = acquirerAnswer;
  // Challenged before, but the payer's answer did not arrive: it can be given again.
  if (call.result?.kind === 'challenged') return call;
  if (attempt.secretExpireAt === null) return declineChallenge(tx, lockedAttempt, acquirerAnswer);
  const leftMs = attempt.secretExpireAt.getTime() - tx.now.getTime();
  const waiting = await updateCall(tx, {
    ...applyCallMove(call, 'challenge', { kind: 'challenged', transactionId, stepUpUrl, paReq, md }),
    deadlineAt: new Date(tx.databaseNow.getTime() + leftMs),
  });
  const dueAt = new Date(attempt.secretExpireAt.getTime() + REVERSAL_GRACE_MS);
  schedule(tx, { kind: 'acquirer-call', subject: call.reference, dueAt });
  await target.challenge({ transactionId, amount: call.amount, card });
  return waiting;
}

/** The acquirer has undone it, and we have not: nothing was taken. */
async function applyCancellation(tx: Tx, { attempt, target, call }: LockedAttempt): Promise<AcquirerCall> {
  await erasePendingCard(tx, attempt);
  deleteContacts(tx, attempt);
  const endedCall = await endCall(tx, concludeAcquirerCall(call, 'Canceled'));
  if (target.isOpen) await target.giveUp({ transactionId: null, amount: call.amount, card: null });
  return endedCall;
}

async function endCall(tx: Tx, call: AcquirerCall): Promise<AcquirerCall> {
  cancelTimer(tx, { kind: 'acquirer-call', subject: call.reference });
  return updateCall(tx, call);
}

async function markAnswerLost(tx: Tx, call: AcquirerCall): Promise<AcquirerCall> {
  return call.state === 'Sent' ? updateCall(tx, applyCallMove(call, 'lose')) : call;
}
