import { expect, test } from '@jest/globals';
import { money, zeroMoney } from '../money/money.js';
import { EPOS_ERRORS } from './epos-error.js';
import { RECORD_ANSWERS, type RecordAnswer } from './record-result.js';
import { REACTIONS, stepTablePayment } from './table-payment-transitions.js';
import {
  getPaymentGiveBackReference,
  isAlarming,
  isPending,
  createRelayedPayment,
  startTablePayment,
  TABLE_PAYMENT_MOVES,
  TABLE_PAYMENT_STATES,
  type TablePayment,
  type TablePaymentFact,
  type TablePaymentInput,
} from './table-payment.js';
import { applyInput, at } from '../testing/table-payment-builders.js';

const NOON = new Date('2026-03-01T12:00:00Z');
const BASE = money(4_000, 'GBP');

const started = startTablePayment(
  {
    ...{ id: 'payment-1', origin: 'journey', journeyId: 'journey-1', leaseId: 'lease-1', sessionId: 'session-1' },
    ...{ orderId: null, intentId: 'pi_one', base: BASE, gratuity: zeroMoney('GBP'), cashback: zeroMoney('GBP') },
    paidBefore: money(1_000, 'GBP'),
  },
  NOON,
).payment;
const approved: TablePayment = { ...started, state: 'Approved', nextStep: 'record', dueAt: NOON };
const recording: TablePayment = { ...approved, state: 'Recording', recordCalls: 1, dueAt: null };
const repeating: TablePayment = { ...recording, isUnanswered: true, firstUnansweredAt: NOON, recordCalls: 2 };

test('every move of a payment at the table', () => {
  expect(lines(TABLE_PAYMENT_MOVES, (to) => to.join(', '))).toMatchInlineSnapshot(`
   "Unproved: Approved, Recorded, Ended
   Started: Approved, Ended
   Approved: Recording, Recorded, GivingBack
   Recording: Recorded, Refused, RecordUnknown, NeedsOperator, GivingBack
   RecordUnknown: Recording, Recorded, Refused, NeedsOperator, GivingBack
   Refused: GivingBack, Recorded
   GivingBack: GivenBack, NeedsOperator, Recorded
   NeedsOperator: Recorded, GivingBack, RecordUnknown, Ended
   Recorded: NeedsOperator
   GivenBack: NeedsOperator
   Ended: NeedsOperator"
  `);
});

test('every reaction of a payment at the table', () => {
  const row = (reactions: object): string =>
    Object.entries(reactions)
      .map(([input, reaction]) => `${input} → ${reaction}`)
      .join(', ');
  expect(lines(REACTIONS, row)).toMatchInlineSnapshot(`
   "Unproved: due → continuePayment, proved → applyProof, proofMissing → retryProofLater, proofRefused → stopProof, repeated → proveAgain, markRecorded → closeByHand, giveBack → giveBackByHand, retryNow → proveAgain, markNotHeld → closeNotHeld
   Started: approved → applyApproval, ended → closeUnpaid, due → requestOutcome
   Approved: due → continuePayment, locked → useLock, lockRefused → continueWithoutLock, lockHeldByOther → lockLater, lockUnanswered → lockLater, recordAnswered → applyLateRecordAnswer, orderHoldsIntent → applyBooked, reconnected → continueAtOnce, markRecorded → closeByHand, giveBack → giveBackByHand, retryNow → continueAtOnce
   Recording: due → continuePayment, locked → useLock, lockRefused → continueWithoutLock, lockHeldByOther → lockLater, lockUnanswered → lockLater, recordAnswered → applyRecordAnswer, orderHoldsIntent → applyBooked, orderLacksIntent → applyAbsence, orderUnreadable → continueWithoutLook, markRecorded → closeByHand, giveBack → giveBackByHand, retryNow → stay
   RecordUnknown: due → continuePayment, locked → useLock, lockRefused → continueWithoutLock, lockHeldByOther → lockLater, lockUnanswered → lockLater, recordAnswered → applyLateRecordAnswer, orderHoldsIntent → applyBooked, orderLacksIntent → applyAbsence, orderUnreadable → continueWithoutLook, billRead → applyBill, billUnreadable → lockLater, reconnected → continueAtOnce, markRecorded → closeByHand, giveBack → giveBackByHand, retryNow → recordByHand
   Refused: due → continuePayment, recordAnswered → applyLateRecordAnswer, orderHoldsIntent → applyBooked, markRecorded → closeByHand, giveBack → giveBackByHand, retryNow → continueAtOnce
   GivingBack: due → continuePayment, givenBack → closeGivenBack, giveBackRefused → retryGiveBackLater, giveBackUnanswered → retryGiveBackLater, recordAnswered → applyLateRecordAnswer, orderHoldsIntent → applyContradiction, markRecorded → closeByHand, giveBack → continueAtOnce, retryNow → continueAtOnce
   NeedsOperator: due → continuePayment, recordAnswered → applyLateRecordAnswer, orderHoldsIntent → applyBooked, orderLacksIntent → retryLookLater, orderUnreadable → retryLookLater, givenBack → noteGivenBack, markRecorded → closeByHand, giveBack → giveBackByHand, retryNow → retryByHand, markNotHeld → closeNotHeld
   Recorded: givenBack → applyContradiction
   GivenBack: recordAnswered → applyLateRecordAnswer, orderHoldsIntent → applyContradiction
   Ended: approved → applyLateApproval"
  `);
});

test('what each answer to a record call means, the first time and after an unanswered call', () => {
  expect(lines(RECORD_ANSWERS, ({ first, afterUnanswered }) => `${first} | ${afterUnanswered}`)).toMatchInlineSnapshot(`
   "Success: recorded | recorded
   PAYMENT_ALREADY_RECORDED: recorded | recorded
   PAYMENT_NOT_RECORDED: refused | lookAtBill
   ERROR_PARSE_ERROR: refused | operator
   WAITER_INCORRECT_WAITER_ID: refused | operator
   SESSION_NO_SUCH_SESSION: refused | operator
   TABLE_NO_SUCH_TABLE: refused | operator
   BILL_NO_SUCH_BILL: refused | operator
   SESSION_NOT_LOCKED: lockAgain | lockAgain
   SESSION_ALREADY_LOCKED: lockAgain | lockAgain
   SESSION_UNABLE_TO_UNLOCK: unknown | unknown
   ERROR_INTERNAL_POS_ERROR: unknown | unknown
   NotFound: refused | operator
   Conflict: lookAtOrder | lookAtOrder
   InvalidRequest: lookAtOrder | lookAtOrder
   UnexpectedError: unknown | unknown
   CredentialsRefused: credentials | credentials
   NoAnswer: unknown | unknown
   NotSent: notDone | notDone"
  `);
  expect(Object.keys(RECORD_ANSWERS)).toEqual(expect.arrayContaining(Object.keys(EPOS_ERRORS)));
});

test.each<[RecordAnswer, string, string]>([
  // answer                      first call                  after an unanswered call
  ['Success', 'Recorded unlock', 'Recorded unlock'],
  ['PAYMENT_ALREADY_RECORDED', 'Recorded unlock', 'Recorded unlock'],
  ['PAYMENT_NOT_RECORDED', 'Refused wake 0', 'RecordUnknown wake 60'],
  ['ERROR_PARSE_ERROR', 'Refused wake 0', 'NeedsOperator alarm'],
  ['WAITER_INCORRECT_WAITER_ID', 'Refused wake 0', 'NeedsOperator alarm'],
  ['SESSION_NO_SUCH_SESSION', 'Refused wake 0', 'NeedsOperator alarm'],
  ['SESSION_NOT_LOCKED', 'Recording lock', 'Recording lock'],
  ['ERROR_INTERNAL_POS_ERROR', 'RecordUnknown wake 1', 'RecordUnknown wake 1'],
  ['NoAnswer', 'RecordUnknown wake 1', 'RecordUnknown wake 1'],
  ['NotSent', 'RecordUnknown wake 1', 'RecordUnknown wake 1'],
  ['CredentialsRefused', 'RecordUnknown alarm wake 600', 'RecordUnknown alarm wake 600'],
])('the EPOS answers %s: %s, after an unanswered call %s', (answer, first, afterUnanswered) => {
  expect(applyInput(recording, { kind: 'recordAnswered', answer })).toBe(first);
  expect(applyInput(repeating, { kind: 'recordAnswered', answer })).toBe(afterUnanswered);
});

test.each<[RecordAnswer, string, string]>([
  ['Conflict', 'Recording readOrder', 'Recording readOrder'],
  ['InvalidRequest', 'Recording readOrder', 'Recording readOrder'],
  ['PAYMENT_NOT_RECORDED', 'Recording readOrder', 'Recording readOrder'],
  ['NotFound', 'Refused wake 0', 'NeedsOperator alarm wake 600'],
  ['UnexpectedError', 'RecordUnknown wake 1', 'RecordUnknown wake 1'],
])('an EPOS that keeps orders answers %s: %s, after an unanswered call %s', (answer, first, afterUnanswered) => {
  expect(applyInput(onOrder(recording), { kind: 'recordAnswered', answer })).toBe(first);
  expect(applyInput(onOrder(repeating), { kind: 'recordAnswered', answer })).toBe(afterUnanswered);
});

test('a call that never left leaves the next refusal trustworthy; one without an answer does not', () => {
  const unsent = stepTablePayment(recording, { kind: 'recordAnswered', answer: 'NotSent' }, NOON).payment;
  const lost = stepTablePayment(recording, { kind: 'recordAnswered', answer: 'NoAnswer' }, NOON).payment;
  expect([unsent.isUnanswered, lost.isUnanswered]).toEqual([false, true]);
});

test.each<[string, TablePayment, TablePaymentInput, number, string]>([
  // reading the refused order again
  ['it holds our intent', refusedByOrder(recording), { kind: 'orderHoldsIntent' }, 0, 'Recorded unlock'],
  ['it lacks our intent', refusedByOrder(recording), { kind: 'orderLacksIntent' }, 0, 'Refused wake 0'],
  ['it cannot be read', refusedByOrder(recording), { kind: 'orderUnreadable' }, 0, 'RecordUnknown wake 1'],
  ['it lacks it at once', refusedByOrder(repeating), { kind: 'orderLacksIntent' }, 0, 'RecordUnknown wake 60'],
  ['it lacks it 59 s later', refusedByOrder(repeating), { kind: 'orderLacksIntent' }, 59, 'RecordUnknown wake 1'],
  ['it lacks it 60 s later', refusedByOrder(repeating), { kind: 'orderLacksIntent' }, 60, 'Refused alarm wake 0'],
  // reading the bill under our lock
  ['the bill has not moved', buildDoubt(), { kind: 'billRead', paid: money(1_000, 'GBP') }, 60, 'Refused alarm wake 0'],
  [
    'the bill has moved by our amount',
    buildDoubt(),
    { kind: 'billRead', paid: money(5_000, 'GBP') },
    60,
    'NeedsOperator alarm',
  ],
  [
    'the bill has moved otherwise',
    buildDoubt(),
    { kind: 'billRead', paid: money(1_001, 'GBP') },
    60,
    'NeedsOperator alarm',
  ],
  [
    'the bill has another currency',
    buildDoubt(),
    { kind: 'billRead', paid: money(1_000, 'EUR') },
    60,
    'NeedsOperator alarm',
  ],
  ['the bill cannot be read', buildDoubt(), { kind: 'billUnreadable' }, 60, 'RecordUnknown alarm wake 1'],
  ['a runner is too early', { ...buildDoubt(), nextStep: 'lockToLook' }, { kind: 'due' }, 59, 'RecordUnknown wake 1'],
  ['a runner is in time', { ...buildDoubt(), nextStep: 'lockToLook' }, { kind: 'due' }, 60, 'RecordUnknown lock alarm'],
])('a refusal is checked after an unanswered call: %s', (_name, payment, input, afterSeconds, then) => {
  expect(applyInput(payment, input, afterSeconds)).toBe(then);
});

test('not locked, lock again, record again: after three rounds an operator is alerted', () => {
  let payment = recording;
  for (const round of [1, 2, 3]) {
    payment = stepTablePayment(payment, { kind: 'recordAnswered', answer: 'SESSION_NOT_LOCKED' }, NOON).payment;
    expect(payment).toMatchObject({ nextStep: 'lockToRecord', lockRounds: round });
    payment = stepTablePayment(payment, { kind: 'locked' }, NOON).payment;
    expect(payment).toMatchObject({ state: 'Recording', nextStep: 'record', recordCalls: 1 + round });
  }
  expect(applyInput(payment, { kind: 'recordAnswered', answer: 'SESSION_NOT_LOCKED' })).toBe('NeedsOperator alarm');
});

test('after an unanswered call an order is read under the new lock before it is recorded again', () => {
  const relocking: TablePayment = { ...onOrder(repeating), nextStep: 'lockToRecord', lockRounds: 1 };
  expect(applyInput(relocking, { kind: 'locked' })).toBe('RecordUnknown readOrder');
  expect(applyInput({ ...relocking, isUnanswered: false }, { kind: 'locked' })).toBe('Recording record');
});

test('a lock lost during the card payment is requested again for 30 s, then the payment is recorded without it', () => {
  const lost = stepTablePayment(
    started,
    { kind: 'approved', message: new Uint8Array(1), mustLock: true },
    NOON,
  ).payment;
  expect(applyInput(lost, { kind: 'due' })).toBe('Approved lock');
  expect(applyInput(lost, { kind: 'lockUnanswered' }, 29)).toBe('Approved wake 1');
  expect(applyInput(lost, { kind: 'lockUnanswered' }, 30)).toBe('Recording record');
  expect(applyInput(lost, { kind: 'locked' }, 5)).toBe('Recording record');
});

test('record calls are repeated after 1, 2, 4 … 60 seconds, after an hour every ten minutes', () => {
  const waits = [0, 1, 2, 5, 6, 30].map((tries) =>
    applyInput({ ...recording, tries }, { kind: 'recordAnswered', answer: 'NoAnswer' }),
  );
  expect(waits.map((text) => Number(text.split(' ').at(-1)))).toEqual([1, 2, 4, 32, 60, 60]);
  expect(applyInput(recording, { kind: 'recordAnswered', answer: 'NoAnswer' }, 3_600)).toBe(
    'RecordUnknown alarm wake 600',
  );
});

test('a reconnected EPOS is called at once, but an unanswered call is still given its minute', () => {
  const waiting: TablePayment = { ...repeating, state: 'RecordUnknown', tries: 6, dueAt: at(60) };
  expect(applyInput(waiting, { kind: 'reconnected' })).toBe('RecordUnknown wake 0');
  const doubting: TablePayment = { ...buildDoubt(), nextStep: 'lockToLook', dueAt: at(60) };
  expect(applyInput(doubting, { kind: 'reconnected' })).toBe('RecordUnknown wake 60');
});

test('giving back is tried after 10 s, doubling to 10 min, for a day; then an operator is alerted and the tries continue', () => {
  const giving: TablePayment = { ...recording, state: 'GivingBack', nextStep: 'giveBack', giveBackSince: NOON };
  const waits = [0, 1, 5, 6, 40].map((tries) => applyInput({ ...giving, tries }, { kind: 'giveBackUnanswered' }));
  expect(waits.map((text) => Number(text.split(' ').at(-1)))).toEqual([10, 20, 320, 600, 600]);
  const day = 24 * 60 * 60;
  expect(applyInput(giving, { kind: 'giveBackRefused' }, day - 1)).toBe('GivingBack alarm wake 10');
  const { payment } = stepTablePayment(giving, { kind: 'giveBackUnanswered' }, at(day));
  expect(payment).toMatchObject({ state: 'NeedsOperator', nextStep: 'giveBack', dueAt: at(day + 600) });
  expect(applyInput(payment, { kind: 'due' }, day + 600)).toBe('GivingBack giveBack');
});

test('every try to give back carries the same key', () => {
  const refused = stepTablePayment(recording, { kind: 'recordAnswered', answer: 'PAYMENT_NOT_RECORDED' }, NOON).payment;
  const first = stepTablePayment(refused, { kind: 'due' }, NOON);
  const failed = stepTablePayment(first.payment, { kind: 'giveBackRefused' }, NOON).payment;
  const second = stepTablePayment(failed, { kind: 'due' }, at(10));
  const reference = getPaymentGiveBackReference('payment-1');
  for (const { outputs } of [first, second]) expect(outputs).toContainEqual({ do: 'giveBack', reference });
});

const booked: TablePaymentInput = { kind: 'recordAnswered', answer: 'Success' };
const givingBack: TablePayment = {
  ...recording,
  state: 'GivingBack',
  nextStep: 'giveBack',
  giveBackSince: NOON,
  giveBackReference: 'x',
};
const recorded: TablePayment = { ...recording, state: 'Recorded', nextStep: null };

test.each<[string, TablePayment, TablePaymentInput]>([
  ['a success while giving back', givingBack, booked],
  [
    'a success after it was given back',
    { ...givingBack, state: 'GivenBack', nextStep: null, givenBackAt: NOON },
    booked,
  ],
  ['our intent on the order while giving back', givingBack, { kind: 'orderHoldsIntent' }],
  ['money given back although recorded', recorded, { kind: 'givenBack' }],
  [
    'an approval after the payment had ended',
    { ...started, state: 'Ended' },
    { kind: 'approved', message: new Uint8Array(1), mustLock: false },
  ],
])('the world contradicts itself: %s goes to the operator', (_name, payment, input) => {
  expect(applyInput(payment, input)).toBe('NeedsOperator alarm');
});

test.each<[string, TablePayment, TablePaymentInput, string]>([
  ['a card was declined', started, { kind: 'ended', reason: 'declined' }, 'Ended reportUnsuccessful'],
  ['a card was cancelled', started, { kind: 'ended', reason: 'cancelled' }, 'Ended reportUnsuccessful'],
  ['it has expired', started, { kind: 'ended', reason: 'expired' }, 'Ended reportUnsuccessful'],
  ['it is part of an order', { ...started, orderId: 'order-1' }, { kind: 'ended', reason: 'declined' }, 'Ended'],
  ['it has ended before', { ...started, state: 'Ended', dueAt: null }, { kind: 'ended', reason: 'expired' }, 'Ended'],
  ['it is paid by now', recording, { kind: 'ended', reason: 'declined' }, 'Recording'],
])('a part that ended without money is reported once to the EPOS: %s', (_name, payment, input, then) => {
  expect(applyInput(payment, input)).toBe(then);
});

test.each<[string, TablePayment, TablePaymentFact, string]>([
  ['in doubt, mark recorded', { ...repeating, state: 'RecordUnknown' }, 'markRecorded', 'Recorded unlock'],
  ['in doubt, give back', { ...repeating, state: 'RecordUnknown' }, 'giveBack', 'GivingBack wake 0'],
  ['in doubt, retry', { ...repeating, state: 'RecordUnknown', dueAt: at(60) }, 'retryNow', 'RecordUnknown wake 0'],
  ['stuck, retry', { ...repeating, state: 'NeedsOperator', nextStep: null }, 'retryNow', 'RecordUnknown wake 0'],
  ['stuck, give back', { ...repeating, state: 'NeedsOperator', nextStep: null }, 'giveBack', 'GivingBack wake 0'],
  [
    'stuck giving back, retry',
    { ...givingBack, state: 'NeedsOperator', dueAt: at(600) },
    'retryNow',
    'NeedsOperator wake 0',
  ],
  [
    'given back is refused, mark recorded',
    { ...givingBack, giveBackReference: null },
    'markRecorded',
    'Recorded unlock',
  ],
  ['may be given back, mark recorded', givingBack, 'markRecorded', 'pending_payment_not_decidable'],
  [
    'is given back, mark recorded',
    { ...givingBack, state: 'NeedsOperator', givenBackAt: NOON },
    'markRecorded',
    'pending_payment_not_decidable',
  ],
  [
    'recorded and given back, retry',
    { ...givingBack, state: 'NeedsOperator', nextStep: null },
    'retryNow',
    'pending_payment_not_decidable',
  ],
  ['card still running, mark recorded', started, 'markRecorded', 'pending_payment_not_decidable'],
  ['card still running, give back', started, 'giveBack', 'pending_payment_not_decidable'],
  ['card still running, retry', started, 'retryNow', 'pending_payment_not_decidable'],
  ['recorded, give back', recorded, 'giveBack', 'pending_payment_not_decidable'],
  ['recorded, mark recorded', recorded, 'markRecorded', 'pending_payment_not_decidable'],
  ['given back, mark recorded', { ...givingBack, state: 'GivenBack' }, 'markRecorded', 'pending_payment_not_decidable'],
  ['ended, retry', { ...started, state: 'Ended' }, 'retryNow', 'pending_payment_not_decidable'],
  ['money of no intent, give back', { ...repeating, intentId: null }, 'giveBack', 'pending_payment_not_decidable'],
])('an operator decides: %s', (_name, payment, kind, then) => {
  expect(applyInput(payment, { kind })).toBe(then);
});

test('facts that do not concern a state change nothing, and its wake time is returned again', () => {
  const facts: TablePaymentFact[] = ['due', 'givenBack', 'locked', 'orderLacksIntent', 'reconnected', 'billUnreadable'];
  for (const state of TABLE_PAYMENT_STATES) {
    const payment: TablePayment = { ...started, state, dueAt: at(9), giveBackSince: NOON };
    const silent = facts.filter((kind) => !(kind in REACTIONS[state]));
    for (const kind of silent)
      expect(stepTablePayment(payment, { kind }, NOON)).toEqual({ payment, outputs: [{ do: 'wakeAt', at: at(9) }] });
  }
  expect(stepTablePayment(recorded, { kind: 'due' }, NOON).payment).toBe(recorded);
});

test('a started payment is pending, and alarms once, while the money of a finished card is not returned', () => {
  const note = 'the acquirer does not take it back';
  const owed = stepTablePayment(started, { kind: 'due', note }, at(120));
  expect([isPending(owed.payment), isAlarming(owed.payment, at(120))]).toEqual([true, true]);
  expect(owed.outputs).toContainEqual({ do: 'alarm', reason: note });
  expect(stepTablePayment(owed.payment, { kind: 'due', note }, at(130)).outputs.map((each) => each.do)).not.toContain(
    'alarm',
  );
  expect(() => stepTablePayment(owed.payment, { kind: 'markRecorded' }, at(130))).toThrow(
    'pending_payment_not_decidable',
  );
  expect(isPending(stepTablePayment(owed.payment, { kind: 'due' }, at(140)).payment)).toBe(false);
});

test('a payment is pending from its approval, alarms after a minute, and once only', () => {
  expect([started, approved, recorded].map(isPending)).toEqual([false, true, false]);
  expect([isAlarming(approved, at(59)), isAlarming(approved, at(60))]).toEqual([false, true]);
  const first = stepTablePayment(recording, { kind: 'recordAnswered', answer: 'NoAnswer' }, at(61)).payment;
  expect(
    applyInput(
      { ...first, state: 'Recording', nextStep: 'record' },
      { kind: 'recordAnswered', answer: 'NoAnswer' },
      70,
    ),
  ).toBe('RecordUnknown wake 2');
});

test.each<[string, Partial<TablePayment>]>([
  ['that no intent of ours took', { intentId: null }],
  ['that its key may not return', { intentId: 'pi_one', mayGiveBack: false }],
])('money of a device %s is left to an operator when the EPOS refuses it', (_, change) => {
  const part = { ...started, origin: 'device' as const, ...change };
  const relayed = createRelayedPayment(part, new Uint8Array([1, 2]), NOON).payment;
  const calling = stepTablePayment(relayed, { kind: 'due' }, NOON).payment;
  expect(applyInput(calling, { kind: 'recordAnswered', answer: 'PAYMENT_NOT_RECORDED' })).toBe('NeedsOperator alarm');
});

function onOrder(payment: TablePayment): TablePayment {
  return { ...payment, orderId: 'order-1' };
}

function refusedByOrder(payment: TablePayment): TablePayment {
  return stepTablePayment(onOrder(payment), { kind: 'recordAnswered', answer: 'Conflict' }, NOON).payment;
}

function buildDoubt(): TablePayment {
  return { ...repeating, state: 'RecordUnknown', nextStep: 'readBill', doubtAt: NOON };
}

function lines<T>(table: Readonly<Record<string, T>>, show: (row: T) => string): string {
  return Object.entries(table)
    .map(([name, row]) => `${name}: ${show(row)}`)
    .join('\n');
}
