import { describe, expect, test } from '@jest/globals';
import { Defect } from '../refusals/assert.js';
import { releaseCapture, reserveCapture, bookCapture } from './capture.js';
import { computeBalances } from '../ledger/ledger.js';
import type { PaymentIntent } from '../payment-intents/payment-intent.js';
import { reserveRefund, bookRefund } from './refund.js';
import { decideHoldEnd } from './hold-end.js';
import { computeHoldTimes } from './hold-times.js';
import { releaseReversal, reserveReversal, bookReversal } from './reversal.js';
import { DAY_MS } from '../time/timespan.js';
import {
  createApprovedIntent,
  createAuthorizedIntent,
  createCapturedIntent,
  gbp,
  NOON,
  NOTHING,
  getOutcome,
  createPastDate,
  testId,
} from '../testing/builders.js';

const WINDOWS = { authorizedMs: 7 * DAY_MS, capturedDays: 1, timeZone: 'UTC' };
const MIDNIGHT = 12 * 3_600_000;

test.each<[string, PaymentIntent, Date, string]>([
  ['a hold at once', createAuthorizedIntent(), NOON, 'done'],
  ['a hold just within seven days', createAuthorizedIntent(), createPastDate(7 * DAY_MS - 1), 'done'],
  ['a hold of seven days', createAuthorizedIntent(), createPastDate(7 * DAY_MS), 'reversal_window_passed'],
  ['a hold of which something is captured', partlyCaptured(), NOON, 'not_reversible'],
  ['a hold while a capture runs', capturing(), NOON, 'payment_intent_busy'],
  ['a payment just before midnight UTC', createCapturedIntent(), createPastDate(MIDNIGHT - 1), 'done'],
  ['a payment at midnight UTC', createCapturedIntent(), createPastDate(MIDNIGHT), 'reversal_window_passed'],
  ['a payment partly refunded', partlyRefunded(), NOON, 'not_reversible'],
  [
    'a payment while a refund runs',
    reserveRefund(createCapturedIntent(), gbp(1), NOON).intent,
    NOON,
    'payment_intent_busy',
  ],
  ['a payment that was held first', whollyCaptured(), NOON, 'not_reversible'],
])('%s is asked to be reversed: %s', (_, intent, now, then) => {
  expect(getOutcome(() => reserveReversal(intent, { now, windows: WINDOWS }))).toBe(then);
});

test('an account may allow more days, or none', () => {
  const days = (capturedDays: number, now: Date) =>
    getOutcome(() => reserveReversal(createCapturedIntent(), { now, windows: { ...WINDOWS, capturedDays } }));
  expect(days(2, createPastDate(MIDNIGHT + DAY_MS - 1))).toBe('done');
  expect(days(2, createPastDate(MIDNIGHT + DAY_MS))).toBe('reversal_window_passed');
  expect(days(0, NOON)).toBe('reversal_window_passed');
});

test.each([
  // The capture, the zone, and the begin of the next day there. Clocks go back on 25 October and forward on 29 March.
  ['2026-10-25T12:00:00Z', 'Europe/London', '2026-10-26T00:00:00Z'],
  ['2026-10-24T23:00:00Z', 'Europe/London', '2026-10-26T00:00:00Z'],
  ['2026-10-24T22:59:59Z', 'Europe/London', '2026-10-24T23:00:00Z'],
  ['2026-03-29T12:00:00Z', 'Europe/London', '2026-03-29T23:00:00Z'],
  ['2026-03-01T12:00:00Z', 'America/New_York', '2026-03-02T05:00:00Z'],
  ['2026-03-01T12:00:00Z', 'Pacific/Auckland', '2026-03-02T11:00:00Z'],
])('a payment of %s in %s may be reversed on its calendar day, until %s', (capturedAt, timeZone, end) => {
  const intent = { ...createCapturedIntent(), capturedAt: new Date(capturedAt) };
  const reverse = (now: number) =>
    getOutcome(() => reserveReversal(intent, { now: new Date(now), windows: { ...WINDOWS, timeZone } }));
  expect([reverse(Date.parse(end) - 1), reverse(Date.parse(end))]).toEqual(['done', 'reversal_window_passed']);
});

describe.each([
  ['a hold', createAuthorizedIntent(), { card_hold: -2000, card_receivable: 0 }],
  ['a payment', createCapturedIntent(), { card_hold: 0, card_receivable: -2000 }],
])('the reversal of %s', (_, intent, expected) => {
  const reserved = reserveReversal(intent, { now: NOON, windows: WINDOWS });

  test('is reserved first: nothing can be captured, refunded or reversed beside it', () => {
    expect([reserved.events, reserved.entries, reserved.webhookEvents]).toEqual([[], [], []]);
    expect(getOutcome(() => reserveReversal(reserved.intent, { now: NOON, windows: WINDOWS }))).toBe(
      'payment_intent_busy',
    );
    const others = [
      () => reserveRefund(reserved.intent, gbp(1), NOON),
      () => reserveCapture(reserved.intent, createCaptureRequest(1)),
    ];
    for (const other of others) expect(getOutcome(other)).not.toBe('done');
  });

  test('undoes the whole of it when the acquirer has', () => {
    const decision = bookReversal(reserved.intent, { reference: 'rvs', now: createPastDate(1) });
    expect(decision.intent).toMatchObject({ status: 'Reversed', pendingCapture: NOTHING, pendingRefund: NOTHING });
    expect(decision.intent.paymentDetails?.message).toBe('REVERSED');
    expect(decision.events.map(({ eventType }) => eventType)).toEqual(['Reversed']);
    expect(decision.webhookEvents).toEqual(['payment_intent.status_updated']);
    expect(computeBalances(decision.entries)).toMatchObject(expected);
  });

  test('leaves it as it was when the acquirer refuses', () => {
    expect(releaseReversal(reserved.intent, NOON).intent).toEqual({ ...intent, updatedAt: NOON });
  });

  test('is never concluded without its reservation', () => {
    expect(() => bookReversal(intent, { reference: 'rvs', now: NOON })).toThrow(Defect);
    expect(() => releaseReversal(intent, NOON)).toThrow(Defect);
  });
});

describe('the end of a hold', () => {
  const hourMs = 3_600_000;
  const asked = { autoExpireInMs: hourMs };
  const capture = { ...asked, autoExpireAction: 'Capture' } as const;

  test('is seven days after the authorisation, or when the integrator said', () => {
    expect(computeHoldTimes(createAuthorizedIntent())).toEqual({
      actAt: createPastDate(7 * DAY_MS),
      endsAt: createPastDate(7 * DAY_MS),
    });
    expect(computeHoldTimes(createAuthorizedIntent(asked))).toEqual({
      actAt: createPastDate(hourMs),
      endsAt: createPastDate(7 * DAY_MS),
    });
  });

  test.each<[string, PaymentIntent, Date, string]>([
    ['of a payment that is no longer held', createCapturedIntent(), createPastDate(8 * DAY_MS), 'none'],
    ['before its time', createAuthorizedIntent(asked), createPastDate(hourMs - 1), 'wait'],
    [
      'of an untouched hold: the acquirer has to be asked',
      createAuthorizedIntent(asked),
      createPastDate(hourMs),
      'reverse',
    ],
    ['of a hold without a time of its own', createAuthorizedIntent(), createPastDate(7 * DAY_MS), 'reverse'],
    ['of a partly captured hold: the rest just ends', partlyCaptured(asked), createPastDate(hourMs), 'release'],
    ['that is to be captured', createAuthorizedIntent(capture), createPastDate(hourMs), 'capture'],
    ['that is to be captured after a part was', partlyCaptured(capture), createPastDate(hourMs), 'capture'],
    ['while a capture runs', capturing(asked), createPastDate(hourMs), 'wait'],
    ['that was refused, to be tried again', refusedAt(hourMs, capture), createPastDate(2 * hourMs), 'capture'],
    ['that was refused until the hold itself ended', refusedAt(hourMs, capture), createPastDate(7 * DAY_MS), 'reverse'],
    [
      'to be captured at the very end',
      createAuthorizedIntent({ autoExpireAction: 'Capture' }),
      createPastDate(7 * DAY_MS),
      'capture',
    ],
  ])('%s', (_, intent, now, kind) => {
    expect(decideHoldEnd(intent, now, { capturesOnce: false }).kind).toBe(kind);
  });

  test('with something captured leaves a Captured payment and the rest released, published but without a payment event', () => {
    const end = decideHoldEnd(partlyCaptured(asked), createPastDate(hourMs), { capturesOnce: false });
    expect(end).toMatchObject({
      decision: { intent: { status: 'Captured' }, events: [], webhookEvents: ['payment_intent.status_updated'] },
    });
    expect(end.kind === 'release' && computeBalances(end.decision.entries).card_hold).toBe(-1500);
  });

  test('with nothing captured reserves the hold and reverses it when the acquirer has', () => {
    const end = decideHoldEnd(createAuthorizedIntent(asked), createPastDate(hourMs), { capturesOnce: false });
    const reserved = end.kind === 'reverse' ? end.decision.intent : createAuthorizedIntent();
    expect(bookReversal(reserved, { reference: 'rvs', now: createPastDate(hourMs) }).intent.status).toBe('Reversed');
  });

  test('asks for what is not captured yet', () => {
    const now = createPastDate(hourMs);
    expect(decideHoldEnd(partlyCaptured(capture), now, { capturesOnce: false })).toEqual({
      kind: 'capture',
      amount: gbp(1500),
    });
    // Where the acquirer captures once, a second capture would be refused every hour.
    expect(decideHoldEnd(partlyCaptured(capture), now, { capturesOnce: true }).kind).toBe('release');
  });
});

type Request = Parameters<typeof createAuthorizedIntent>[0];

function createCaptureRequest(amount: number) {
  return { id: testId('capture'), amount: gbp(amount), tipsAmount: NOTHING, now: NOON };
}

function capturing(more: Request = {}): PaymentIntent {
  return reserveCapture(createAuthorizedIntent(more), createCaptureRequest(500)).intent;
}

function partlyCaptured(more: Request = {}): PaymentIntent {
  return bookCapture(capturing(more), testId('capture'), NOON).intent;
}

function whollyCaptured(): PaymentIntent {
  return bookCapture(
    reserveCapture(createAuthorizedIntent(), createCaptureRequest(2000)).intent,
    testId('capture'),
    NOON,
  ).intent;
}

function refusedAt(ms: number, more: Request): PaymentIntent {
  const reserved = reserveCapture(createAuthorizedIntent(more), {
    ...createCaptureRequest(2000),
    now: createPastDate(ms),
  }).intent;
  return releaseCapture(reserved, { id: testId('capture'), status: 'Declined', now: createPastDate(ms) }).intent;
}

function partlyRefunded(): PaymentIntent {
  const reserved = reserveRefund(createApprovedIntent(), gbp(1), NOON).intent;
  return bookRefund(reserved, { reference: 'rfnd', amount: gbp(1), now: NOON }).intent;
}
