import { describe, expect, test } from '@jest/globals';
import { Defect } from '../refusals/assert.js';
import { isHoldReserved, releaseCapture, reserveCapture, bookCapture, computeUncaptured } from './capture.js';
import { computeBalances } from '../ledger/ledger.js';
import type { PaymentIntent } from '../payment-intents/payment-intent.js';
import { reserveRefund } from './refund.js';
import { reserveReversal } from './reversal.js';
import { createAuthorizedIntent, gbp, NOON, NOTHING, getOutcome, createPastDate, testId } from '../testing/builders.js';

test.each([
  // held  taken  asked  tip  then
  [2000, 0, 2000, 0, 'Captured'],
  [2000, 0, 1500, 500, 'Captured'],
  [2000, 0, 500, 0, 'Authorized'],
  [2000, 500, 1500, 0, 'Captured'],
  [2000, 500, 1499, 0, 'Authorized'],
  [2000, 500, 1501, 0, 'capture_exceeds_authorized'],
  [2000, 500, 1500, 1, 'capture_exceeds_authorized'],
  [2000, 1999, 2, 0, 'capture_exceeds_authorized'],
  [2000, 0, 0, 0, 'validation_failed'],
  [2000, 0, 0, 500, 'validation_failed'],
  [2000, 0, -1, 0, 'validation_failed'],
  [2000, 0, 500, -1, 'validation_failed'],
])('%d held, %d taken, %d asked with a tip of %d: %s', (held, taken, asked, tip, then) => {
  const before = taken === 0 ? getHeld(held) : captured(getHeld(held), taken, { number: 9 });
  expect(
    getOutcome(
      () => captured(before, asked, { tip }),
      ({ status }) => status,
    ),
  ).toBe(then);
});

test('a reservation moves no money and publishes nothing, and two at once cannot take the same money', () => {
  const first = reserveCapture(getHeld(2000), createCaptureRequest(1500));
  expect([first.events, first.entries, first.webhookEvents]).toEqual([[], [], []]);
  expect(first.intent).toMatchObject({ status: 'Authorized', pendingCapture: gbp(1500), captured: NOTHING });
  expect(computeUncaptured(first.intent)).toEqual(gbp(500));
  expect(getOutcome(() => reserveCapture(first.intent, createCaptureRequest(501, { number: 2 })))).toBe(
    'capture_exceeds_authorized',
  );
  expect(getOutcome(() => reserveCapture(first.intent, createCaptureRequest(500, { number: 2 })))).toBe('done');
});

test('a part capture changes no status, so nothing is published; the one that completes the total is published', () => {
  const part = bookCapture(
    reserveCapture(getHeld(2000), createCaptureRequest(500)).intent,
    testId('capture'),
    createPastDate(1),
  );
  expect([part.intent.status, part.webhookEvents, part.intent.capturedAt]).toEqual([
    'Authorized',
    [],
    createPastDate(1),
  ]);
  const second = reserveCapture(part.intent, createCaptureRequest(1500, { number: 2 })).intent;
  const rest = bookCapture(second, testId('capture', 2), createPastDate(2));
  expect([rest.intent.status, rest.webhookEvents]).toEqual(['Captured', ['payment_intent.status_updated']]);
  expect(rest.intent.paymentDetails?.message).toBe('DEPOSITED');
  expect([...part.events, ...rest.events].map(({ eventType, details }) => [eventType, details.amount.value])).toEqual([
    ['Captured', 500],
    ['Captured', 1500],
  ]);
  expect(computeBalances([...part.entries, ...rest.entries]).card_receivable).toBe(2000);
});

test('tips taken in captures are the tip of the intent', () => {
  const first = captured(getHeld(2000), 500, { tip: 50 });
  const second = captured(first, 500, { tip: 25, number: 2 });
  expect(second.tipsAmount).toEqual(gbp(75));
  expect(captured(getHeld(2000), 500, {}).tipsAmount).toBeNull();
});

describe('a capture that did not happen', () => {
  test.each(['Declined', 'Failed'] as const)('%s: the reservation is free again and the list says so', (status) => {
    const reserved = reserveCapture(getHeld(2000), createCaptureRequest(2000, { tip: 0 })).intent;
    const { intent, events, entries, webhookEvents } = releaseCapture(reserved, {
      id: testId('capture'),
      status,
      now: createPastDate(1),
    });
    expect(intent).toMatchObject({ status: 'Authorized', pendingCapture: NOTHING, captured: NOTHING });
    expect(intent.captures.map((each) => each.status)).toEqual([status]);
    expect([events, entries, webhookEvents]).toEqual([[], [], []]);
  });

  test('is not concluded afterwards, nor twice refused', () => {
    const reserved = reserveCapture(getHeld(2000), createCaptureRequest(2000)).intent;
    const refused = releaseCapture(reserved, { id: testId('capture'), status: 'Declined', now: NOON }).intent;
    expect(() => bookCapture(refused, testId('capture'), NOON)).toThrow(Defect);
    expect(() => releaseCapture(refused, { id: testId('capture'), status: 'Failed', now: NOON })).toThrow(Defect);
  });
});

test('nothing is captured while the whole hold is being reversed or a refund gives it up', () => {
  const windows = { authorizedMs: 1, capturedDays: 1, timeZone: 'UTC' };
  const reversing = reserveReversal(getHeld(2000), { now: NOON, windows }).intent;
  expect(isHoldReserved(reversing)).toBe(true);
  expect(getOutcome(() => reserveCapture(reversing, createCaptureRequest(1)))).toBe('payment_intent_busy');
  const refunding = reserveRefund(captured(getHeld(2000), 500, {}), gbp(500), NOON).intent;
  expect(getOutcome(() => reserveCapture(refunding, createCaptureRequest(1, { number: 2 })))).toBe(
    'payment_intent_busy',
  );
  expect(isHoldReserved(reserveCapture(getHeld(2000), createCaptureRequest(2000)).intent)).toBe(false);
});

function getHeld(amount: number): PaymentIntent {
  return createAuthorizedIntent({ amount: gbp(amount) });
}

function createCaptureRequest(amount: number, { tip = 0, number = 1 } = {}) {
  return { id: testId('capture', number), amount: gbp(amount), tipsAmount: gbp(tip), now: NOON };
}

function captured(intent: PaymentIntent, amount: number, more: { tip?: number; number?: number }): PaymentIntent {
  const { number = 1 } = more;
  return bookCapture(reserveCapture(intent, createCaptureRequest(amount, more)).intent, testId('capture', number), NOON)
    .intent;
}
