import { assert, requireValue } from '../refusals/assert.js';
import { isSameAmount } from '../money/money.js';
import { findRecordMeaning } from './record-result.js';
import { Refusal } from '../refusals/refusal.js';
import {
  getPaymentGiveBackReference,
  OUTCOME_WATCH_MS,
  type TablePayment,
  type TablePaymentInput,
} from './table-payment.js';
import {
  addMilliseconds,
  endOfDoubt,
  GIVE_BACK_MS,
  computeGiveBackRetryAt,
  hasLasted,
  isDoubtYoung,
  recordRetryAt,
  computeRefusedGiveBackRetryAt,
  RELOCK_MS,
  SLOW_WAIT_MS,
} from './retry-schedule.js';
import type { PaymentDecision } from './payment-decision.js';
import { applyProof, closeNotHeld, proveAgain, retryProofLater, stopProof } from './record-proof-reaction.js';

type PaymentReaction = (payment: TablePayment, input: TablePaymentInput, now: Date) => PaymentDecision;

/** The rounds of lock and record after which only a person can find out what the EPOS needs. */
const LOCK_ROUNDS_MAX = 3;
/** All reactions by name. `REACTIONS` maps each state and input to one of them. */
export const REACT = {
  stay: (payment) => ({ payment }),
  applyProof,
  retryProofLater,
  stopProof,
  proveAgain,
  closeNotHeld,
  applyApproval,
  applyLateApproval,
  closeUnpaid,
  requestOutcome,
  continueAtOnce,
  continuePayment,
  useLock,
  continueWithoutLock,
  lockLater,
  applyRecordAnswer,
  applyAbsence,
  applyBill,
  continueWithoutLook,
  retryLookLater,
  applyLateRecordAnswer,
  applyBooked,
  applyContradiction,
  closeByHand,
  closeGivenBack,
  noteGivenBack,
  retryGiveBackLater,
  giveBackByHand,
  recordByHand,
  retryByHand,
} as const satisfies Record<string, PaymentReaction>;

function applyApproval(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  assert(input.kind === 'approved', 'only an approval takes money');
  const { message, mustLock } = input;
  const nextStep = mustLock ? 'lockToRecord' : 'record';
  const approved = { state: 'Approved', message, since: now, lastError: null } as const;
  return { payment: { ...payment, ...approved, tries: 0, nextStep, dueAt: now } };
}

/** A payment that was closed as unpaid has money after all. An operator decides where it belongs. */
function applyLateApproval(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  assert(input.kind === 'approved', 'only an approval takes money');
  return raiseAlarm({ ...payment, message: input.message, since: now }, 'approved after it had ended', now);
}

function closeUnpaid(payment: TablePayment, input: TablePaymentInput): PaymentDecision {
  assert(input.kind === 'ended', 'only an outcome ends a payment');
  const ended = {
    ...payment,
    state: 'Ended',
    nextStep: null,
    dueAt: null,
    lastError: input.note ?? input.reason,
  } as const;
  // An order lists money only, so an attempt without money cannot be recorded there (epos.md 10).
  return payment.orderId === null ? { payment: ended, output: { do: 'reportUnsuccessful' } } : { payment: ended };
}

/**
 * Requests the outcome and keeps the wake time set: an open outcome gives no input, and a note if it should not be
 * open.
 */
function requestOutcome(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  const lastError = 'note' in input ? (input.note ?? null) : null;
  return {
    payment: { ...payment, dueAt: addMilliseconds(now, OUTCOME_WATCH_MS), lastError },
    output: { do: 'readOutcome' },
  };
}

/** Makes a waiting step due at once, except the wait until an unanswered call can no longer arrive. */
function continueAtOnce(payment: TablePayment, _input: TablePaymentInput, now: Date): PaymentDecision {
  if (payment.dueAt === null || payment.doubtAt !== null) return { payment };
  return { payment: { ...payment, tries: 0, dueAt: now } };
}

/** The next step is due, or its runner was lost during it and another runner takes over. */
function continuePayment(payment: TablePayment, _input: TablePaymentInput, now: Date): PaymentDecision {
  switch (payment.nextStep) {
    case 'prove':
      return { payment: { ...payment, dueAt: null }, output: { do: 'prove' } };
    case 'record':
      // The EPOS may have received a call that was running when its runner was lost.
      return payment.state === 'Recording' ? markUnknown(payment, 'the caller was lost', now) : callRecord(payment);
    case 'lockToRecord':
      return { payment: { ...payment, dueAt: null }, output: { do: 'lock' } };
    case 'lookThenRecord':
    case 'lookAfterRefusal':
    case 'lookForRecord':
      return { payment: { ...payment, dueAt: null }, output: { do: 'readOrder' } };
    case 'lockToLook':
    case 'readBill':
      if (isDoubtYoung(payment, now)) return { payment: { ...payment, dueAt: endOfDoubt(payment) } };
      return { payment: { ...payment, nextStep: 'lockToLook', dueAt: null }, output: { do: 'lock' } };
    case 'giveBack':
      return callGiveBack(payment, now);
    case 'readOutcome':
    case null:
      return { payment };
  }
}

function useLock(payment: TablePayment): PaymentDecision {
  if (payment.nextStep === 'lockToLook') {
    return { payment: { ...payment, nextStep: 'readBill', dueAt: null }, output: { do: 'readBill' } };
  }
  if (payment.nextStep !== 'lockToRecord') return { payment };
  return payment.isUnanswered && payment.orderId !== null ? beginLook(payment) : callRecord(payment);
}

/** The lock cannot be taken. A record call then returns its own answer; a bill that cannot be read proves nothing. */
function continueWithoutLock(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  if (payment.nextStep === 'lockToRecord') return callRecord(payment);
  return payment.nextStep === 'lockToLook' ? raiseAlarm(payment, getNote(input), now) : { payment };
}

function lockLater(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  const wait = { dueAt: recordRetryAt(payment, now), tries: payment.tries + 1, lastError: getNote(input) };
  if (payment.nextStep === 'lockToLook' || payment.nextStep === 'readBill') {
    return { payment: { ...payment, ...wait, nextStep: 'lockToLook' } };
  }
  if (payment.nextStep !== 'lockToRecord') return { payment };
  if (payment.state === 'Approved') {
    const isOver = hasLasted(payment.since, RELOCK_MS, now);
    return isOver ? callRecord(payment) : { payment: { ...payment, ...wait } };
  }
  if (input.kind !== 'lockHeldByOther') return { payment: { ...payment, ...wait, state: 'RecordUnknown' } };
  if (payment.lockRounds >= LOCK_ROUNDS_MAX) return raiseAlarm(payment, getNote(input), now);
  return { payment: { ...payment, ...wait, state: 'RecordUnknown', lockRounds: payment.lockRounds + 1 } };
}

function applyRecordAnswer(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  assert(input.kind === 'recordAnswered', 'only an answer is applied');
  if (payment.nextStep !== 'record') return applyLateRecordAnswer(payment, input, now);
  const { isUnanswered, orderId } = payment;
  const why = input.note ?? input.answer;
  switch (findRecordMeaning(input.answer, { isUnanswered, hasOrder: orderId !== null })) {
    case 'recorded':
      return closeRecorded(payment);
    case 'refused':
      return refuseInput(payment, why, now);
    case 'lockAgain':
      return lockAgain({ ...payment, lastError: why }, now);
    case 'unknown':
      return markUnknown(payment, why, now);
    case 'notDone':
      return { payment: waitToRecord(payment, why, recordRetryAt(payment, now)) };
    case 'credentials':
      return {
        payment: waitToRecord(payment, why, addMilliseconds(now, SLOW_WAIT_MS)),
        output: { do: 'alarm', reason: 'the EPOS refuses our credentials' },
      };
    case 'lookAtOrder':
      return {
        payment: { ...payment, nextStep: 'lookAfterRefusal', doubtAt: now, lastError: why },
        output: { do: 'readOrder' },
      };
    case 'lookAtBill': {
      const doubted: TablePayment = { ...payment, state: 'RecordUnknown', nextStep: 'lockToLook', doubtAt: now };
      return { payment: { ...doubted, dueAt: endOfDoubt(doubted), lastError: why } };
    }
    case 'operator':
      return raiseAlarm(payment, why, now);
  }
}

/** The order was read and our intent is not on it. */
function applyAbsence(payment: TablePayment, _input: TablePaymentInput, now: Date): PaymentDecision {
  if (payment.nextStep === 'lookThenRecord') return callRecord(payment);
  if (payment.nextStep !== 'lookAfterRefusal') return { payment };
  if (payment.isUnanswered && isDoubtYoung(payment, now)) {
    return { payment: { ...payment, state: 'RecordUnknown', dueAt: endOfDoubt(payment) } };
  }
  return refuseInput(payment, payment.lastError ?? 'not on the order', now);
}

/** Under our lock and after a minute, an unmoved bill proves that nothing was booked. A moved one proves nothing. */
function applyBill(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  assert(input.kind === 'billRead', 'only a bill is applied');
  if (payment.nextStep !== 'readBill') return { payment };
  const isUnmoved = payment.paidBefore !== null && isSameAmount(payment.paidBefore, input.paid);
  return isUnmoved
    ? refuseInput(payment, payment.lastError ?? 'not recorded', now)
    : raiseAlarm(payment, 'refused after an unanswered call, and the bill has moved', now);
}

function continueWithoutLook(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  if (payment.nextStep === 'lookThenRecord') return callRecord(payment);
  if (payment.nextStep !== 'lookAfterRefusal') return { payment };
  return { payment: waitToRecord(payment, getNote(input), recordRetryAt(payment, now)) };
}

function retryLookLater(payment: TablePayment, _input: TablePaymentInput, now: Date): PaymentDecision {
  if (payment.nextStep !== 'lookForRecord') return { payment };
  return { payment: { ...payment, dueAt: addMilliseconds(now, SLOW_WAIT_MS) } };
}

/** Applies an answer that no runner waits for. Only a success counts: the payment is booked. */
function applyLateRecordAnswer(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  assert(input.kind === 'recordAnswered', 'only an answer is applied');
  const { isUnanswered, orderId } = payment;
  const meaning = findRecordMeaning(input.answer, { isUnanswered, hasOrder: orderId !== null });
  return meaning === 'recorded' ? applyBooked(payment, input, now) : { payment };
}

function applyBooked(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  return payment.giveBackSince === null ? closeRecorded(payment) : applyContradiction(payment, input, now);
}

/** The payment is recorded and also given back, or being given back. From here on only an operator moves it. */
function applyContradiction(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  const givenBackAt = input.kind === 'givenBack' ? (payment.givenBackAt ?? now) : payment.givenBackAt;
  const stopped: TablePayment = { ...payment, state: 'NeedsOperator', nextStep: null, dueAt: null, givenBackAt };
  const reason = 'recorded and given back';
  return { payment: { ...stopped, lastError: reason }, output: { do: 'alarm', reason } };
}

/** An operator has made sure that the EPOS has the payment. Refused for money that may have been given back. */
function closeByHand(payment: TablePayment): PaymentDecision {
  if (payment.givenBackAt !== null || payment.giveBackReference !== null) {
    throw new Refusal('pending_payment_not_decidable', 'the money may already have been given back');
  }
  return closeRecorded(payment);
}

function closeRecorded(payment: TablePayment): PaymentDecision {
  return {
    payment: { ...payment, state: 'Recorded', nextStep: null, dueAt: null, doubtAt: null, lastError: null },
    output: { do: 'unlock' },
  };
}

function closeGivenBack(payment: TablePayment, _input: TablePaymentInput, now: Date): PaymentDecision {
  return { payment: { ...payment, state: 'GivenBack', nextStep: null, dueAt: null, givenBackAt: now } };
}

function noteGivenBack(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  if (payment.nextStep === 'giveBack') return continueAtOnce(payment, input, now);
  return { payment: { ...payment, givenBackAt: payment.givenBackAt ?? now } };
}

/**
 * The key is the same at every try, so an additional try cannot give back twice: the calls after a refused try get
 * references that are derived from the key (`give-back.ts`).
 */
function retryGiveBackLater(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  const isRefused = input.kind === 'giveBackRefused';
  const tried: TablePayment = {
    ...payment,
    tries: payment.tries + 1,
    lastError: getNote(input),
    giveBackReference: isRefused ? null : payment.giveBackReference,
  };
  const since = requireValue(payment.giveBackSince, 'the start of giving back');
  const isLate = hasLasted(since, GIVE_BACK_MS, now);
  const unansweredAt = isLate ? addMilliseconds(now, SLOW_WAIT_MS) : computeGiveBackRetryAt(payment, now);
  const dueAt = isRefused ? computeRefusedGiveBackRetryAt(payment, now, isLate) : unansweredAt;
  if (!isLate) return { payment: { ...tried, dueAt } };
  const raised = raiseAlarm(tried, getNote(input), now);
  return { ...raised, payment: { ...raised.payment, nextStep: 'giveBack', dueAt } };
}

function giveBackByHand(payment: TablePayment, _input: TablePaymentInput, now: Date): PaymentDecision {
  if (payment.intentId === null) {
    throw new Refusal('pending_payment_not_decidable', 'the money was not taken through an intent of ours');
  }
  const turned: TablePayment = { ...payment, state: 'GivingBack', nextStep: 'giveBack', doubtAt: null };
  return { payment: { ...turned, tries: 0, giveBackSince: now, dueAt: now } };
}

function recordByHand(payment: TablePayment, _input: TablePaymentInput, now: Date): PaymentDecision {
  const fresh: TablePayment = { ...payment, state: 'RecordUnknown', doubtAt: null, lockRounds: 0, tries: 0 };
  return { payment: { ...fresh, nextStep: getRecordStep(payment), dueAt: now } };
}

function retryByHand(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  if (payment.nextStep === 'giveBack') return continueAtOnce(payment, input, now);
  if (payment.giveBackSince === null) return recordByHand(payment, input, now);
  throw new Refusal('pending_payment_not_decidable', 'recorded and given back: only a person can undo one of them');
}

// Steps that end several reactions.

function callRecord(payment: TablePayment): PaymentDecision {
  const recordCalls = payment.recordCalls + 1;
  const calling: TablePayment = { ...payment, state: 'Recording', nextStep: 'record', recordCalls };
  return { payment: { ...calling, dueAt: null, doubtAt: null }, output: { do: 'record' } };
}

function beginLook(payment: TablePayment): PaymentDecision {
  const checked: TablePayment = { ...payment, state: 'RecordUnknown', nextStep: 'lookThenRecord', dueAt: null };
  return { payment: checked, output: { do: 'readOrder' } };
}

function markUnknown(payment: TablePayment, why: string, now: Date): PaymentDecision {
  const waiting = waitToRecord(payment, why, recordRetryAt(payment, now));
  return { payment: { ...waiting, isUnanswered: true, firstUnansweredAt: payment.firstUnansweredAt ?? now } };
}

function waitToRecord(payment: TablePayment, lastError: string, dueAt: Date): TablePayment {
  const tries = payment.tries + 1;
  return {
    ...payment,
    state: 'RecordUnknown',
    nextStep: getRecordStep(payment),
    doubtAt: null,
    tries,
    lastError,
    dueAt,
  };
}

function lockAgain(payment: TablePayment, now: Date): PaymentDecision {
  if (payment.lockRounds >= LOCK_ROUNDS_MAX) return raiseAlarm(payment, 'not locked, however often we lock', now);
  const lockRounds = payment.lockRounds + 1;
  return { payment: { ...payment, nextStep: 'lockToRecord', lockRounds, dueAt: null }, output: { do: 'lock' } };
}

/**
 * The payment is certainly not recorded. It is left to an operator if its money was taken without our intent, which we
 * cannot give back, and if the key that recorded it may not return money.
 */
function refuseInput(payment: TablePayment, lastError: string, now: Date): PaymentDecision {
  const over: TablePayment = { ...payment, lastError, doubtAt: null, tries: 0 };
  if (payment.intentId === null || !payment.mayGiveBack) return raiseAlarm(over, lastError, now);
  return { payment: { ...over, state: 'Refused', nextStep: 'giveBack', dueAt: now } };
}

function callGiveBack(payment: TablePayment, now: Date): PaymentDecision {
  const reference = getPaymentGiveBackReference(payment.id);
  const calling: TablePayment = { ...payment, state: 'GivingBack', giveBackReference: reference, dueAt: null };
  return {
    payment: { ...calling, giveBackSince: payment.giveBackSince ?? now },
    output: { do: 'giveBack', reference },
  };
}

/**
 * Leaves the payment to an operator. Reading is safe, so an order is still watched. Recording is not repeated,
 * because the operator may book by hand.
 */
function raiseAlarm(payment: TablePayment, reason: string, now: Date): PaymentDecision {
  const isWatched = payment.orderId !== null && payment.giveBackSince === null;
  const raised: TablePayment = { ...payment, state: 'NeedsOperator', doubtAt: null, lastError: reason };
  return {
    payment: {
      ...raised,
      nextStep: isWatched ? 'lookForRecord' : null,
      dueAt: isWatched ? addMilliseconds(now, SLOW_WAIT_MS) : null,
    },
    output: { do: 'alarm', reason },
  };
}

function getRecordStep(payment: TablePayment): 'record' | 'lookThenRecord' {
  return payment.orderId === null ? 'record' : 'lookThenRecord';
}

function getNote(input: TablePaymentInput): string {
  return ('note' in input ? input.note : undefined) ?? input.kind;
}
