import { Refusal } from './refusal.js';
import { REACT, type Decided } from './table-payment-reaction.js';
import {
  isAlarming,
  isFinal,
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
 * What each state does with each input. A fact without an entry changes nothing: it is late, or it
 * answers a call of a runner that has been replaced. An operator's action without an entry is refused.
 */
export const REACTIONS = {
  Started: { approved: 'takeMoney', ended: 'closeUnpaid', due: 'askOutcome' },
  Approved: {
    due: 'goOn',
    locked: 'useLock',
    lockRefused: 'doWithoutLock',
    lockHeldByOther: 'lockLater',
    lockUnanswered: 'lockLater',
    recordAnswered: 'hearLateAnswer',
    orderHoldsIntent: 'hearBooked',
    reconnected: 'hurry',
    markRecorded: 'closeByHand',
    giveBack: 'giveBackByHand',
    retryNow: 'hurry',
  },
  Recording: {
    due: 'goOn',
    locked: 'useLock',
    lockRefused: 'doWithoutLock',
    lockHeldByOther: 'lockLater',
    lockUnanswered: 'lockLater',
    recordAnswered: 'judgeAnswer',
    orderHoldsIntent: 'hearBooked',
    orderLacksIntent: 'judgeAbsence',
    orderUnreadable: 'doWithoutLook',
    markRecorded: 'closeByHand',
    giveBack: 'giveBackByHand',
    retryNow: 'stay',
  },
  RecordUnknown: {
    due: 'goOn',
    locked: 'useLock',
    lockRefused: 'doWithoutLock',
    lockHeldByOther: 'lockLater',
    lockUnanswered: 'lockLater',
    recordAnswered: 'hearLateAnswer',
    orderHoldsIntent: 'hearBooked',
    orderLacksIntent: 'judgeAbsence',
    orderUnreadable: 'doWithoutLook',
    billRead: 'judgeBill',
    billUnreadable: 'lockLater',
    reconnected: 'hurry',
    markRecorded: 'closeByHand',
    giveBack: 'giveBackByHand',
    retryNow: 'recordByHand',
  },
  Refused: {
    due: 'goOn',
    recordAnswered: 'hearLateAnswer',
    orderHoldsIntent: 'hearBooked',
    markRecorded: 'closeByHand',
    giveBack: 'giveBackByHand',
    retryNow: 'hurry',
  },
  GivingBack: {
    due: 'goOn',
    givenBack: 'closeGivenBack',
    giveBackRefused: 'giveBackLater',
    giveBackUnanswered: 'giveBackLater',
    recordAnswered: 'hearLateAnswer',
    orderHoldsIntent: 'contradict',
    markRecorded: 'closeByHand',
    giveBack: 'hurry',
    retryNow: 'hurry',
  },
  NeedsOperator: {
    due: 'goOn',
    recordAnswered: 'hearLateAnswer',
    orderHoldsIntent: 'hearBooked',
    orderLacksIntent: 'lookLater',
    orderUnreadable: 'lookLater',
    givenBack: 'noteGivenBack',
    markRecorded: 'closeByHand',
    giveBack: 'giveBackByHand',
    retryNow: 'retryByHand',
  },
  Recorded: { givenBack: 'contradict' },
  GivenBack: { recordAnswered: 'hearLateAnswer', orderHoldsIntent: 'contradict' },
  Ended: { approved: 'takeMoneyLate' },
} as const satisfies ReactionTable;

type ReactionTable = Record<TablePaymentState, Partial<Record<TablePaymentInputKind, keyof typeof REACT>>>;

/**
 * Moves a payment by one input. The caller stores the result before it does any output, and answers
 * a call with the next input. `now` is database time. Refuses only what a person asks
 * (`pending_payment_not_decidable`); a fact is never refused.
 */
export function step(payment: TablePayment, input: TablePaymentInput, now: Date): TablePaymentStep {
  const reactions: ReactionTable[TablePaymentState] = REACTIONS[payment.state];
  const reaction = reactions[input.kind];
  if (reaction === undefined) {
    if (isOperatorAction(input.kind)) throw notDecidable(payment);
    return { payment, outputs: wakes(payment) };
  }
  const decided = REACT[reaction](payment, input, now);
  return arrive(payment, decided, now);
}

function arrive(from: TablePayment, { payment, output }: Decided, now: Date): TablePaymentStep {
  // Once the card is done with, there is nothing left that could move.
  const movingTo = payment.state === 'Started' ? payment.movingTo : null;
  const arrived = payment === from ? from : { ...payment, movingTo, updatedAt: now };
  const outputs: TablePaymentOutput[] = output === undefined ? [] : [output];
  const isFirstAlarm = isAlarming(arrived, now) && !isAlarming(from, from.updatedAt);
  if (isFirstAlarm && output?.do !== 'alarm') {
    outputs.push({ do: 'alarm', reason: arrived.lastError ?? 'money is open for a minute' });
  }
  outputs.push(...wakes(arrived));
  if (arrived.state !== from.state) outputs.push({ do: 'publishJourney' });
  return { payment: arrived, outputs };
}

function wakes(payment: TablePayment): TablePaymentOutput[] {
  return payment.dueAt === null ? [] : [{ do: 'wakeAt', at: payment.dueAt }];
}

function notDecidable(payment: TablePayment): Refusal {
  const why = isFinal(payment) ? `it is ${payment.state} for good` : 'the card payment is still running';
  return new Refusal('pending_payment_not_decidable', why, { data: { state: payment.state } });
}

/** Whether an input is what a person decides. */
export function isOperatorAction(kind: string): kind is OperatorAction {
  return OPERATOR_ACTIONS.some((action) => action === kind);
}
