import { expect, test } from '@jest/globals';
import type { AcquirerBooking } from '../acquirer/ports.js';
import type { PaymentIntent } from '../payment-intents/payment-intent.js';
import { buildIntent, createApprovedIntent, createIntentIn, gbp, NOON } from '../testing/builders.js';
import { applyInput, at } from '../testing/table-payment-builders.js';
import {
  findClaimObjection,
  findIntentObjection,
  judgeBookings,
  type ProofVerdict,
  type RecordClaim,
} from './record-proof.js';
import {
  createUnprovedPayment,
  isAlarming,
  isPending,
  type TablePayment,
  type TablePaymentInput,
} from './table-payment.js';
import { stepTablePayment } from './table-payment-transitions.js';

const TID = '90000001';
const DAY_MS = 24 * 60 * 60 * 1000;
const TIMES = { now: NOON, databaseNow: NOON };
const moved = (days: number) => new Date(NOON.getTime() + days * DAY_MS);

const CAPTURED: PaymentIntent = createApprovedIntent({ amount: gbp(2_000) });
const PAID: PaymentIntent = {
  ...CAPTURED,
  paymentDetails: { ...CAPTURED.paymentDetails!, transactionDateTime: NOON.toISOString() },
};
const CLAIM: RecordClaim = {
  ...{ paymentId: 'payment-1', transactionId: 'T-1', isCardPresent: true, tids: [TID], attemptedAt: NOON },
  ...{ total: gbp(2_000), cashback: gbp(0) },
};

test.each<[string, Partial<RecordClaim>, string | null]>([
  ['of a card machine', {}, null],
  ['of a machine that is named twice', { tids: [TID, TID] }, null],
  ['with an empty transaction id', { transactionId: '' }, 'it names no card transaction'],
  [
    "on the payer's own device",
    { isCardPresent: false },
    'only a journey records a payment on the own device of a payer',
  ],
  ['without a machine', { tids: [] }, 'it names no card machine'],
  ['of two machines', { tids: [TID, '90000002'] }, 'it names two card machines'],
])('a claim %s', (_, change, objection) => {
  expect(findClaimObjection({ ...CLAIM, ...change })).toBe(objection);
});

const OTHER_AMOUNT = 'it is over another amount';
test.each<[string, Partial<RecordClaim>, { intent?: PaymentIntent; tid?: string | null; now?: Date }, string | null]>([
  ['the payment of the machine', {}, {}, null],
  ['a held payment', {}, { intent: { ...PAID, status: 'Authorized' } }, null],
  ['a payment of an account whose clock was advanced', { attemptedAt: moved(10) }, { now: moved(10) }, null],
  ['a payment of a device that does not follow that clock', {}, { now: moved(10) }, null],
  ['a payment page', {}, { tid: null }, 'no card machine took it'],
  ['another machine', {}, { tid: '90000002' }, 'another card machine took it'],
  ['a penny more', { total: gbp(2_001) }, {}, OTHER_AMOUNT],
  ['a penny less', { total: gbp(1_999) }, {}, OTHER_AMOUNT],
  ['another currency', { total: { value: 2_000, currencyCode: 'EUR' } }, {}, OTHER_AMOUNT],
  ['cash that was handed out', {}, { intent: { ...PAID, cashbackAmount: gbp(500) } }, OTHER_AMOUNT],
  [
    'cash that is not declared',
    { total: gbp(2_500) },
    { intent: { ...PAID, cashbackAmount: gbp(500) } },
    'it is over another cashback',
  ],
  ['a refunded part', {}, { intent: { ...PAID, refunded: gbp(1) } }, 'some of it went back'],
  ['a refund under way', {}, { intent: { ...PAID, pendingRefund: gbp(1) } }, 'some of it went back'],
  ['an unpaid intent', {}, { intent: buildIntent() }, 'it is Created'],
  [
    'a payment of an order on its way',
    {},
    { intent: { ...PAID, details: { ...PAID.details, heldForOrder: 'so-1' } } },
    'an order that is on its way to the EPOS is paid with it',
  ],
  ['a reversed payment', {}, { intent: createIntentIn('Reversed') }, 'it is Reversed'],
  ['a refunded payment', {}, { intent: createIntentIn('Refunded') }, 'it is Refunded'],
  ['a canceled payment', {}, { intent: createIntentIn('Canceled') }, 'it is Canceled'],
  ['an attempt two days later', { attemptedAt: moved(2) }, {}, 'it was taken at another time'],
  ['an attempt two days before', { attemptedAt: moved(-2) }, {}, 'it was taken at another time'],
])('%s against the intent of the transaction', (_, change, { intent = PAID, tid = TID, now = NOON }, objection) => {
  expect(findIntentObjection({ ...CLAIM, ...change }, { intent, tid }, { ...TIMES, now })).toBe(objection);
});

test('a transaction of two days ago proves nothing today', () => {
  const times = { now: moved(2), databaseNow: moved(2) };
  const objection = findIntentObjection({ ...CLAIM, attemptedAt: moved(2) }, { intent: PAID, tid: TID }, times);
  expect(objection).toBe('it was taken more than a day ago');
});

const AUTHORISED: AcquirerBooking = {
  ...{ reference: 'r-1', originalReference: null, kind: 'Authorise', status: 'booked', amount: gbp(2_000) },
  ...{ bookedAt: NOON, transactionId: 't-1', tid: TID },
};
const TAKEN: AcquirerBooking = { ...AUTHORISED, kind: 'Capture' };
const related = (change: Partial<AcquirerBooking>): AcquirerBooking => ({
  ...{ ...TAKEN, reference: 'r-2', originalReference: 'r-1', transactionId: 't-2' },
  ...change,
});

test.each<[string, AcquirerBooking[], { isOwnTid?: boolean; ours?: string[] }, ProofVerdict['outcome']]>([
  ['the taken money', [AUTHORISED, TAKEN], {}, 'proved'],
  ['held money', [AUTHORISED], {}, 'proved'],
  ['nothing', [], {}, 'missing'],
  ['another transaction', [{ ...TAKEN, transactionId: 't-9' }], {}, 'missing'],
  ['lines without transactions', [{ ...TAKEN, transactionId: '' }], {}, 'missing'],
  ['a payment whose report is still to come', [AUTHORISED, TAKEN], { ours: ['r-1'] }, 'missing'],
  ['a refund under that transaction', [related({ kind: 'Refund', transactionId: 't-1' })], {}, 'missing'],
  ['an online payment', [{ ...TAKEN, tid: '' }], {}, 'refused'],
  ['another machine', [{ ...TAKEN, tid: '90000002' }], {}, 'refused'],
  ['a machine that is none of the account', [TAKEN], { isOwnTid: false }, 'refused'],
  ['another amount', [AUTHORISED, { ...TAKEN, amount: gbp(1_999) }], {}, 'refused'],
  ['another currency', [{ ...TAKEN, amount: { value: 2_000, currencyCode: 'EUR' } }], {}, 'refused'],
  ['a declined card', [{ ...AUTHORISED, status: 'declined' }], {}, 'refused'],
  ['a reversed payment', [{ ...AUTHORISED, status: 'reversed' }, TAKEN], {}, 'refused'],
  ['a payment with a reversal', [TAKEN, related({ kind: 'Reverse' })], {}, 'refused'],
  ['a payment with a refund', [TAKEN, related({ kind: 'Refund', amount: gbp(1) })], {}, 'refused'],
  ['an old payment', [{ ...TAKEN, bookedAt: moved(-2) }], {}, 'refused'],
])('books of the acquirer with %s', (_, bookings, { isOwnTid = true, ours = [] }, outcome) => {
  const books = { bookings, isOwnTid, ourReferences: new Set(ours) };
  expect(judgeBookings(CLAIM, books, TIMES).outcome).toBe(outcome);
});

test('a claim without a transaction is not proved by a booking without one', () => {
  const books = { bookings: [{ ...TAKEN, transactionId: '' }], isOwnTid: true, ourReferences: new Set<string>() };
  expect(judgeBookings({ ...CLAIM, transactionId: '' }, books, TIMES).outcome).toBe('missing');
});

const part = {
  ...{ id: 'payment-1', origin: 'device' as const, journeyId: null, leaseId: 'lease-1', sessionId: 'session-1' },
  ...{ orderId: null, intentId: null, base: gbp(2_000), gratuity: gbp(0), cashback: gbp(0), paidBefore: gbp(0) },
} as const;
const unproved = createUnprovedPayment(part, new Uint8Array([1]), NOON).payment;
const proving = stepTablePayment(unproved, { kind: 'due' }, NOON).payment;
const over = stepTablePayment(proving, { kind: 'proofRefused', note: 'no' }, NOON).payment;

test('a payment is looked for after 0.5, 1 and 1.5 seconds, and is then left to an operator', () => {
  let payment: TablePayment = proving;
  const waits: number[] = [];
  for (;;) {
    payment = stepTablePayment(payment, { kind: 'proofMissing', note: 'unknown' }, NOON).payment;
    if (payment.dueAt === null) break;
    waits.push(payment.dueAt.getTime() - NOON.getTime());
    payment = stepTablePayment(payment, { kind: 'due' }, NOON).payment;
  }
  expect(waits).toEqual([500, 1_000, 1_500]);
  expect(payment).toMatchObject({ state: 'Unproved', nextStep: null, lastError: 'unknown' });
});

test.each<[string, TablePayment, TablePaymentInput, string]>([
  ['stored, due', unproved, { kind: 'due' }, 'Unproved prove'],
  ['looked for, proved', proving, { kind: 'proved', intentId: 'pi_one' }, 'Approved wake 0'],
  ['looked for, refused', proving, { kind: 'proofRefused' }, 'Unproved alarm'],
  ['over, due', over, { kind: 'due' }, 'Unproved'],
  ['over, repeated by the device', over, { kind: 'repeated' }, 'Unproved wake 0'],
  ['over, retry', over, { kind: 'retryNow' }, 'Unproved wake 0'],
  ['over, mark recorded', over, { kind: 'markRecorded' }, 'Recorded unlock'],
  ['over, give back', over, { kind: 'giveBack' }, 'pending_payment_not_decidable'],
  ['over, mark not held', over, { kind: 'markNotHeld' }, 'Ended'],
  ['over, the EPOS has reconnected', over, { kind: 'reconnected' }, 'Unproved'],
  ['over, a late answer of a record', over, { kind: 'recordAnswered', answer: 'Success' }, 'Unproved'],
])('an unproved payment that is %s', (_, payment, input, then) => {
  expect(applyInput(payment, input)).toBe(then);
});

test('money that the service holds cannot be marked as not held', () => {
  const held: TablePayment = { ...over, state: 'NeedsOperator', intentId: 'pi_one' };
  expect(applyInput(held, { kind: 'markNotHeld' })).toBe('pending_payment_not_decidable');
  expect(applyInput({ ...held, intentId: null }, { kind: 'markNotHeld' })).toBe('Ended');
});

test('an unproved payment is pending from the start, and alarms as soon as its proof is over', () => {
  expect([isPending(unproved), isPending(over)]).toEqual([true, true]);
  expect([isAlarming(proving, at(1)), isAlarming(over, at(1))]).toEqual([false, true]);
});
