import { expect, test } from '@jest/globals';
import { Defect } from '../refusals/assert.js';
import { reserveCapture, bookCapture } from './capture.js';
import { computeBalances } from '../ledger/ledger.js';
import type { PaymentIntent } from '../payment-intents/payment-intent.js';
import { computeRefundable, releaseRefund, reserveRefund, bookRefund } from './refund.js';
import {
  createAuthorizedIntent,
  createCapturedIntent,
  gbp,
  createIntentIn,
  NOON,
  NOTHING,
  getOutcome,
  createPastDate,
  testId,
} from '../testing/builders.js';

test.each([
  // taken  back  asked  then
  [2000, 0, 2000, 'Refunded'],
  [2000, 0, 500, 'Captured'],
  [2000, 500, 1500, 'Refunded'],
  [2000, 500, 1499, 'Captured'],
  [2000, 500, 1501, 'refund_exceeds_captured'],
  [2000, 0, 2001, 'refund_exceeds_captured'],
  [2000, 0, 0, 'validation_failed'],
  [2000, 0, -1, 'validation_failed'],
])('%d taken, %d given back, %d asked: %s', (taken, back, asked, then) => {
  const intent = createCapturedIntent({ amount: gbp(taken) });
  const before = back === 0 ? intent : refunded(intent, back);
  expect(
    getOutcome(
      () => refunded(before, asked),
      ({ status }) => status,
    ),
  ).toBe(then);
});

test.each([
  ['Created', 'not_refundable'],
  ['Authorized', 'not_refundable'],
  ['Reversed', 'not_refundable'],
  ['Refunded', 'not_refundable'],
  ['Canceled', 'payment_intent_canceled'],
] as const)('nothing can be given back of a %s intent: %s', (status, code) => {
  expect(getOutcome(() => reserveRefund(createIntentIn(status), gbp(1), NOON))).toBe(code);
});

test('all refunds that run at once together never exceed what was taken', () => {
  const first = reserveRefund(createCapturedIntent(), gbp(1500), NOON);
  expect([first.events, first.entries, first.webhookEvents]).toEqual([[], [], []]);
  expect(computeRefundable(first.intent)).toEqual(gbp(500));
  expect(getOutcome(() => reserveRefund(first.intent, gbp(501), NOON))).toBe('refund_exceeds_captured');
  const second = reserveRefund(first.intent, gbp(500), NOON).intent;
  const one = bookRefund(second, { reference: 'a', amount: gbp(500), now: NOON });
  expect([one.intent.status, one.webhookEvents]).toEqual(['Captured', []]);
  const other = bookRefund(one.intent, { reference: 'b', amount: gbp(1500), now: NOON });
  expect([other.intent.status, other.webhookEvents]).toEqual(['Refunded', ['payment_intent.status_updated']]);
  expect(other.intent.paymentDetails?.message).toBe('REFUNDED');
});

test('a refused refund frees its reservation and changes nothing else', () => {
  const reserved = reserveRefund(createCapturedIntent(), gbp(2000), NOON).intent;
  const { intent, events, entries, webhookEvents } = releaseRefund(reserved, gbp(2000), createPastDate(1));
  expect(intent).toEqual({ ...createCapturedIntent(), updatedAt: createPastDate(1) });
  expect([events, entries, webhookEvents]).toEqual([[], [], []]);
});

test('a refund nobody reserved is never booked or freed', () => {
  expect(() => bookRefund(createCapturedIntent(), { reference: 'a', amount: gbp(1), now: NOON })).toThrow(Defect);
  expect(() => releaseRefund(createCapturedIntent(), gbp(1), NOON)).toThrow(Defect);
});

test.each([
  [500, 'Refunded'],
  [200, 'Captured'],
])('a refund of %d while 1500 of the hold are uncaptured releases the rest: %s', (amount, status) => {
  const held = partlyCaptured();
  const decision = bookRefund(reserveRefund(held, gbp(amount), NOON).intent, {
    reference: 'a',
    amount: gbp(amount),
    now: NOON,
  });
  expect(decision.intent.status).toBe(status);
  expect(decision.webhookEvents).toEqual(['payment_intent.status_updated']);
  expect(decision.events.map(({ eventType }) => eventType)).toEqual(['Refunded']);
  expect(computeBalances(decision.entries)).toMatchObject({ card_hold: -1500, card_receivable: -amount });
});

test('no refund while a capture of the same hold is running', () => {
  const capturing = reserveCapture(partlyCaptured(), {
    id: testId('capture', 2),
    amount: gbp(1),
    tipsAmount: NOTHING,
    now: NOON,
  }).intent;
  expect(getOutcome(() => reserveRefund(capturing, gbp(1), NOON))).toBe('payment_intent_busy');
});

function partlyCaptured(): PaymentIntent {
  const request = { id: testId('capture'), amount: gbp(500), tipsAmount: NOTHING, now: NOON };
  return bookCapture(reserveCapture(createAuthorizedIntent(), request).intent, request.id, NOON).intent;
}

function refunded(intent: PaymentIntent, amount: number): PaymentIntent {
  const reserved = reserveRefund(intent, gbp(amount), NOON).intent;
  return bookRefund(reserved, { reference: `refund-${amount}`, amount: gbp(amount), now: NOON }).intent;
}
