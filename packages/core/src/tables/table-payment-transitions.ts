import { Refusal } from '../refusals/refusal.js';
import type { PaymentDecision } from './payment-decision.js';
import { REACT } from './table-payment-reaction.js';
import {
  isAlarming,
  isTablePaymentFinal,
  OPERATOR_ACTIONS,
  type OperatorAction,
  type TablePayment,
  type TablePaymentInput,
  type TablePaymentInputKind,
  type TablePaymentOutput,
  type TablePaymentState,
  type TablePaymentStep,
} from './table-payment.js';

/**
 * The reaction of each state to each input. A fact without an entry changes nothing: it is late, or it answers a
 * call of a runner that was replaced. An operator action without an entry is refused.
 */
export const REACTIONS = {
  Unproved: {
    due: 'continuePayment',
    proved: 'applyProof',
    proofMissing: 'retryProofLater',
    proofRefused: 'stopProof',
    repeated: 'proveAgain',
    markRecorded: 'closeByHand',
    giveBack: 'giveBackByHand',
    retryNow: 'proveAgain',
    markNotHeld: 'closeNotHeld',
  },
  Started: { approved: 'applyApproval', ended: 'closeUnpaid', due: 'requestOutcome' },
  Approved: {
    due: 'continuePayment',
    locked: 'useLock',
    lockRefused: 'continueWithoutLock',
    lockHeldByOther: 'lockLater',
    lockUnanswered: 'lockLater',
    recordAnswered: 'applyLateRecordAnswer',
    orderHoldsIntent: 'applyBooked',
    reconnected: 'continueAtOnce',
    markRecorded: 'closeByHand',
    giveBack: 'giveBackByHand',
    retryNow: 'continueAtOnce',
  },
  Recording: {
    due: 'continuePayment',
    locked: 'useLock',
    lockRefused: 'continueWithoutLock',
    lockHeldByOther: 'lockLater',
    lockUnanswered: 'lockLater',
    recordAnswered: 'applyRecordAnswer',
    orderHoldsIntent: 'applyBooked',
    orderLacksIntent: 'applyAbsence',
    orderUnreadable: 'continueWithoutLook',
    markRecorded: 'closeByHand',
    giveBack: 'giveBackByHand',
    retryNow: 'stay',
  },
  RecordUnknown: {
    due: 'continuePayment',
    locked: 'useLock',
    lockRefused: 'continueWithoutLock',
    lockHeldByOther: 'lockLater',
    lockUnanswered: 'lockLater',
    recordAnswered: 'applyLateRecordAnswer',
    orderHoldsIntent: 'applyBooked',
    orderLacksIntent: 'applyAbsence',
    orderUnreadable: 'continueWithoutLook',
    billRead: 'applyBill',
    billUnreadable: 'lockLater',
    reconnected: 'continueAtOnce',
    markRecorded: 'closeByHand',
    giveBack: 'giveBackByHand',
    retryNow: 'recordByHand',
  },
  Refused: {
    due: 'continuePayment',
    recordAnswered: 'applyLateRecordAnswer',
    orderHoldsIntent: 'applyBooked',
    markRecorded: 'closeByHand',
    giveBack: 'giveBackByHand',
    retryNow: 'continueAtOnce',
  },
  GivingBack: {
    due: 'continuePayment',
    givenBack: 'closeGivenBack',
    giveBackRefused: 'retryGiveBackLater',
    giveBackUnanswered: 'retryGiveBackLater',
    recordAnswered: 'applyLateRecordAnswer',
    orderHoldsIntent: 'applyContradiction',
    markRecorded: 'closeByHand',
    giveBack: 'continueAtOnce',
    retryNow: 'continueAtOnce',
  },
  NeedsOperator: {
    due: 'continuePayment',
    recordAnswered: 'applyLateRecordAnswer',
    orderHoldsIntent: 'applyBooked',
    orderLacksIntent: 'retryLookLater',
    orderUnreadable: 'retryLookLater',
    givenBack: 'noteGivenBack',
    markRecorded: 'closeByHand',
    giveBack: 'giveBackByHand',
    retryNow: 'retryByHand',
    markNotHeld: 'closeNotHeld',
  },
  Recorded: { givenBack: 'applyContradiction' },
  GivenBack: { recordAnswered: 'applyLateRecordAnswer', orderHoldsIntent: 'applyContradiction' },
  Ended: { approved: 'applyLateApproval' },
} as const satisfies ReactionTable;

type ReactionTable = Record<TablePaymentState, Partial<Record<TablePaymentInputKind, keyof typeof REACT>>>;

/**
 * Moves a payment by one input. The caller stores the result before it performs any output, and passes the answer of
 * a call as the next input. `now` is database time. Refuses only operator actions (`pending_payment_not_decidable`);
 * a fact is never refused.
 */
export function stepTablePayment(payment: TablePayment, input: TablePaymentInput, now: Date): TablePaymentStep {
  const reactions: ReactionTable[TablePaymentState] = REACTIONS[payment.state];
  const reaction = reactions[input.kind];
  if (reaction === undefined) {
    if (isOperatorAction(input.kind)) throw createNotDecidableRefusal(payment);
    return { payment, outputs: isWaking(payment) };
  }
  const decided = REACT[reaction](payment, input, now);
  return transitionTo(payment, decided, now);
}

function transitionTo(from: TablePayment, { payment, output }: PaymentDecision, now: Date): TablePaymentStep {
  // Once the card is finished, there is nothing left that could move.
  const movingTo = payment.state === 'Started' ? payment.movingTo : null;
  const arrived = payment === from ? from : { ...payment, movingTo, updatedAt: now };
  const outputs: TablePaymentOutput[] = output === undefined ? [] : [output];
  const isFirstAlarm = isAlarming(arrived, now) && !isAlarming(from, from.updatedAt);
  if (isFirstAlarm && output?.do !== 'alarm') {
    outputs.push({ do: 'alarm', reason: arrived.lastError ?? 'money is open for a minute' });
  }
  outputs.push(...isWaking(arrived));
  if (arrived.state !== from.state) outputs.push({ do: 'publishJourney' });
  return { payment: arrived, outputs };
}

function isWaking(payment: TablePayment): TablePaymentOutput[] {
  return payment.dueAt === null ? [] : [{ do: 'wakeAt', at: payment.dueAt }];
}

function createNotDecidableRefusal(payment: TablePayment): Refusal {
  const why = isTablePaymentFinal(payment)
    ? `it is ${payment.state} for good`
    : 'the card payment is still running, or its money is held';
  return new Refusal('pending_payment_not_decidable', why, { data: { state: payment.state } });
}

/** Whether an input is an operator action. */
export function isOperatorAction(kind: string): kind is OperatorAction {
  return OPERATOR_ACTIONS.some((action) => action === kind);
}
