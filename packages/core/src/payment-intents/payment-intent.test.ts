import { describe, expect, test } from '@jest/globals';
import { changeAmount, changeTips, reserveRaise } from './amount-change.js';
import { Defect } from '../refusals/assert.js';
import { reserveCapture } from '../captures-refunds/capture.js';
import { issueSecret } from './client-secret.js';
import { computeBalances } from '../ledger/ledger.js';
import {
  approve,
  approveCharge,
  transitionTo,
  cancel,
  challenge,
  decline,
  expire,
  type IntentDecision,
  MOVES,
  PAYMENT_INTENT_STATUSES,
  type PaymentIntent,
  rejectSignature,
  requirePayable,
  requireReceipt,
  requireVisible,
  computeTotalAmount,
  undoLateApproval,
} from './payment-intent.js';
import { reserveRefund } from '../captures-refunds/refund.js';
import { reserveReversal } from '../captures-refunds/reversal.js';
import { DAY_MS } from '../time/timespan.js';
import {
  createApproval,
  createAuthorizedIntent,
  createCapturedIntent,
  buildIntent,
  getDecline,
  gbp,
  createIntentIn,
  NOON,
  NOTHING,
  getOutcome,
  createPastDate,
  formatMoves,
  testId,
} from '../testing/builders.js';

test('the whole state machine has these moves', () => {
  expect(formatMoves(MOVES)).toMatchInlineSnapshot(`
   "Created    challenge → Created, decline → Created, change → Created, takeAtOnce → Captured, hold → Authorized, charge → Captured, rejectSignature → Reversed, cancel → Canceled, expire → Canceled
   Authorized raise → Authorized, capturePart → Authorized, captureRest → Captured, reverse → Reversed, releaseRest → Captured, refundPart → Captured, refundRest → Refunded
   Captured   refundPart → Captured, refundRest → Refunded, undoRefund → Captured, reverse → Reversed
   Reversed   (final)
   Refunded   undoRefund → Captured
   Canceled   (final)"
  `);
});

/** The answer of every operation in every state: `ok`, or the code of the refusal. */
const OPERATIONS: Record<string, (intent: PaymentIntent) => unknown> = {
  get: (intent) => requireVisible(intent, false),
  'get, Canceled too': (intent) => requireVisible(intent, true),
  delete: (intent) => cancel(intent, { now: NOON, hasRunningAttempt: false }),
  'delete while paying': (intent) => cancel(intent, { now: NOON, hasRunningAttempt: true }),
  capture: (intent) =>
    reserveCapture(intent, { id: testId('capture'), amount: gbp(500), tipsAmount: NOTHING, now: NOON }),
  refund: (intent) => reserveRefund(intent, gbp(500), NOON),
  reversal: (intent) =>
    reserveReversal(intent, { now: NOON, windows: { authorizedMs: 7 * DAY_MS, capturedDays: 1, timeZone: 'UTC' } }),
  charge: (intent) => approveCharge(intent, createApproval(computeTotalAmount(intent)), NOON),
  'amount of a request': (intent) => changeAmount(intent, amountChange()),
  'amount of a hold, raised': (intent) => reserveRaise(intent, gbp(2500), NOON),
  'amount of a hold, lowered': (intent) => reserveRaise(intent, gbp(1500), NOON),
  'tips-amount': (intent) =>
    changeTips(intent, { tipsAmount: gbp(100), clientSecret: null, hasRunningAttempt: false, now: NOON }),
  'refresh secret': (intent) => issueSecret(intent, { text: 'secret', now: NOON, hasRunningAttempt: false }),
  'refresh secret while paying': (intent) =>
    issueSecret(intent, { text: 'secret', now: NOON, hasRunningAttempt: true }),
  receipt: requireReceipt,
  'sale session': (intent) => requirePayable(intent, false),
  'sale session while paying': (intent) => requirePayable(intent, true),
};

test('every operation has one answer in every state', () => {
  const rows = Object.entries(OPERATIONS).map(([name, operation]) => {
    const states = new Map<string, string[]>();
    for (const status of PAYMENT_INTENT_STATUSES) {
      const outcome = getOutcome(() => operation(createIntentIn(status)));
      states.set(outcome, [...(states.get(outcome) ?? []), status]);
    }
    return [name, ...[...states].map(([outcome, statuses]) => `  ${outcome}: ${statuses.join(' ')}`)].join('\n');
  });
  expect(rows.join('\n')).toMatchInlineSnapshot(`
   "get
     done: Created Authorized Captured Reversed Refunded
     payment_intent_not_found: Canceled
   get, Canceled too
     done: Created Authorized Captured Reversed Refunded Canceled
   delete
     done: Created
     payment_intent_not_cancelable: Authorized Captured Reversed Refunded Canceled
   delete while paying
     payment_intent_busy: Created
     payment_intent_not_cancelable: Authorized Captured Reversed Refunded Canceled
   capture
     not_capturable: Created Captured Reversed Refunded Canceled
     done: Authorized
   refund
     not_refundable: Created Authorized Reversed Refunded
     done: Captured
     payment_intent_canceled: Canceled
   reversal
     not_reversible: Created Reversed Refunded Canceled
     done: Authorized Captured
   charge
     done: Created
     payment_intent_not_payable: Authorized Captured Reversed Refunded Canceled
   amount of a request
     done: Created
     amount_not_changeable: Authorized Captured Reversed Refunded Canceled
   amount of a hold, raised
     amount_not_changeable: Created Captured Reversed Refunded Canceled
     done: Authorized
   amount of a hold, lowered
     amount_not_changeable: Created Captured Reversed Refunded Canceled
     amount_not_raised: Authorized
   tips-amount
     done: Created
     tips_not_changeable: Authorized Captured Reversed Refunded Canceled
   refresh secret
     done: Created
     secret_not_refreshable: Authorized Captured Reversed Refunded Canceled
   refresh secret while paying
     payment_intent_busy: Created
     secret_not_refreshable: Authorized Captured Reversed Refunded Canceled
   receipt
     receipt_not_available: Created Canceled
     done: Authorized Captured Reversed Refunded
   sale session
     done: Created
     payment_intent_not_payable: Authorized Captured Reversed Refunded Canceled
   sale session while paying
     payment_intent_busy: Created
     payment_intent_not_payable: Authorized Captured Reversed Refunded Canceled"
  `);
});

describe('an approval', () => {
  test.each([
    // mode      status        held   taken  event         message
    ['Auto', 'Captured', 2500, 2500, 'Captured', 'DEPOSITED'],
    ['Manual', 'Authorized', 2500, 0, 'Authorized', 'AUTHORIZED'],
  ] as const)('of a %s intent makes it %s', (captureMode, status, held, taken, eventType, message) => {
    const intent = buildIntent({ captureMode, tipsAmount: gbp(500) });
    const decision = approve(intent, createApproval(gbp(2500)), createPastDate(5_000));
    expect(decision.intent).toMatchObject({
      status,
      authorized: gbp(held),
      captured: gbp(taken),
      authorizedAt: createPastDate(5_000),
      capturedAt: taken === 0 ? null : createPastDate(5_000),
      updatedAt: createPastDate(5_000),
      paymentDetails: { message, authCode: '204711' },
    });
    expect(decision.events.map((event) => event.eventType)).toEqual([eventType]);
    expect(decision.webhookEvents).toEqual(['payment_intent.status_updated']);
    expect(computeBalances(decision.entries)).toEqual({
      card_hold: held - taken,
      merchant_hold: taken - held,
      card_receivable: taken,
      merchant_payable: taken === 0 ? 0 : -taken,
    });
  });

  test('of a charge takes the money at once', () => {
    expect(approveCharge(buildIntent(), createApproval(gbp(2000)), NOON).intent.status).toBe('Captured');
  });

  test.each([
    ['less than was requested', 1999],
    ['more than was requested', 2001],
  ])('over %s is a defect: nothing is written', (_, amount) => {
    expect(() => approve(buildIntent(), createApproval(gbp(amount)), NOON)).toThrow(Defect);
  });

  test('that finds the intent paid is refused, so the caller undoes it', () => {
    expect(getOutcome(() => approve(createCapturedIntent(), createApproval(gbp(2000)), NOON))).toBe(
      'payment_intent_not_payable',
    );
  });

  test('that was undone because the intent was Canceled is in its history only', () => {
    const canceled = cancel(buildIntent(), { now: NOON, hasRunningAttempt: false }).intent;
    const { intent, events, entries, webhookEvents } = undoLateApproval(
      canceled,
      createApproval(gbp(2000)),
      createPastDate(1),
    );
    expect([intent.status, events.map(({ eventType }) => eventType), entries, webhookEvents]).toEqual([
      'Canceled',
      ['Reversed'],
      [],
      [],
    ]);
    expect(() => undoLateApproval(buildIntent(), createApproval(gbp(2000)), NOON)).toThrow(Defect);
  });

  test('voids the client secret with the state it was for', () => {
    const intent = buildIntent({ clientSecret: 'secret' });
    expect(intent.clientSecretExpireAt).toEqual(createPastDate(30 * 60_000));
    const taken = approve(intent, createApproval(gbp(2000)), NOON).intent;
    expect([taken.clientSecret, taken.clientSecretExpireAt]).toEqual([null, null]);
  });
});

describe('an attempt that took no money leaves the intent payable and publishes no event', () => {
  test.each([
    ['declined', decline(buildIntent(), getDecline('DECLINED'), createPastDate(1)), 'Declined'],
    ['referred', decline(buildIntent(), getDecline('REFERRED'), createPastDate(1)), 'Declined'],
    ['failed', decline(buildIntent(), getDecline('FAILED'), createPastDate(1)), 'Error'],
    ['challenged', challenge(buildIntent(), createApproval(gbp(2000)), createPastDate(1)), 'AuthChallenged'],
  ] as const)('%s', (_, decision: IntentDecision, eventType) => {
    expect(decision.intent).toEqual({ ...buildIntent(), updatedAt: createPastDate(1) });
    expect(decision.events.map((event) => event.eventType)).toEqual([eventType]);
    expect([decision.webhookEvents, decision.entries]).toEqual([[], []]);
  });
});

test('a rejected signature reverses the intent; the books never contain a hold', () => {
  const decision = rejectSignature(buildIntent(), createApproval(gbp(2000)), NOON);
  expect(decision.intent).toMatchObject({ status: 'Reversed', authorized: NOTHING, captured: NOTHING });
  expect(decision.intent.paymentDetails?.message).toBe('REVERSED');
  expect([decision.entries, decision.webhookEvents]).toEqual([[], ['payment_intent.status_updated']]);
});

describe('the end of an unpaid intent', () => {
  const due = buildIntent().expireAt;
  test.each([
    ['a moment before its time', buildIntent(), new Date(due.getTime() - 1), false, null],
    ['at its time', buildIntent(), due, false, 'Canceled'],
    ['at its time while a card is being read', buildIntent(), due, true, null],
    ['when it was paid in time', createCapturedIntent(), due, false, null],
    ['when it is held', createAuthorizedIntent(), due, false, null],
  ])('%s', (_, intent, now, hasRunningAttempt, status) => {
    expect(expire(intent, { now, hasRunningAttempt })?.intent.status ?? null).toBe(status);
  });

  test('a Canceled event belongs to no attempt', () => {
    const [event] = cancel(buildIntent(), { now: NOON, hasRunningAttempt: false }).events;
    expect(event?.details).toMatchObject({ transactionId: null, authCode: '', cardNumber: null });
  });
});

test('a change without a new status publishes no event', () => {
  expect(transitionTo(buildIntent(), 'Created', { now: NOON }).webhookEvents).toEqual([]);
  expect(transitionTo(buildIntent(), 'Canceled', { now: NOON }).webhookEvents).toEqual([
    'payment_intent.status_updated',
  ]);
});

function amountChange() {
  return {
    amount: gbp(2500),
    itemLines: null,
    taxLines: null,
    clientSecret: null,
    hasRunningAttempt: false,
    now: NOON,
  };
}
