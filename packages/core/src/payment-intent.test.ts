import { describe, expect, test } from '@jest/globals';
import { changeAmount, changeTips, reserveRaise } from './amount-change.js';
import { Defect } from './assert.js';
import { reserveCapture } from './capture.js';
import { issueSecret } from './client-secret.js';
import { balances } from './ledger.js';
import {
  approve,
  approveCharge,
  arrive,
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
  totalAmount,
  undoLateApproval,
} from './payment-intent.js';
import { reserveRefund } from './refund.js';
import { reserveReversal } from './reversal.js';
import { DAY_MS } from './timespan.js';
import {
  approvalOf,
  authorizedIntent,
  capturedIntent,
  createdIntent,
  declineOf,
  gbp,
  intentIn,
  NOON,
  NOTHING,
  outcomeOf,
  past,
  printedMoves,
  testId,
} from './testing.js';

test('the whole machine', () => {
  expect(printedMoves(MOVES)).toMatchInlineSnapshot(`
   "Created    challenge → Created, decline → Created, change → Created, takeAtOnce → Captured, hold → Authorized, charge → Captured, rejectSignature → Reversed, cancel → Canceled, expire → Canceled
   Authorized raise → Authorized, capturePart → Authorized, captureRest → Captured, reverse → Reversed, releaseRest → Captured, refundPart → Captured, refundRest → Refunded
   Captured   refundPart → Captured, refundRest → Refunded, reverse → Reversed
   Reversed   (final)
   Refunded   (final)
   Canceled   (final)"
  `);
});

/** What every operation answers in every state: `ok`, or the code of the refusal. */
const OPERATIONS: Record<string, (intent: PaymentIntent) => unknown> = {
  get: (intent) => requireVisible(intent, false),
  'get, Canceled too': (intent) => requireVisible(intent, true),
  delete: (intent) => cancel(intent, { now: NOON, hasRunningAttempt: false }),
  'delete while paying': (intent) => cancel(intent, { now: NOON, hasRunningAttempt: true }),
  capture: (intent) =>
    reserveCapture(intent, { id: testId('capture'), amount: gbp(500), tipsAmount: NOTHING, now: NOON }),
  refund: (intent) => reserveRefund(intent, gbp(500), NOON),
  reversal: (intent) => reserveReversal(intent, { now: NOON, windows: { authorizedMs: 7 * DAY_MS, capturedDays: 1 } }),
  charge: (intent) => approveCharge(intent, approvalOf(totalAmount(intent)), NOON),
  'amount of a wish': (intent) => changeAmount(intent, amountChange()),
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

test('what every operation answers in every state', () => {
  const rows = Object.entries(OPERATIONS).map(([name, operation]) => {
    const states = new Map<string, string[]>();
    for (const status of PAYMENT_INTENT_STATUSES) {
      const outcome = outcomeOf(() => operation(intentIn(status)));
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
   amount of a wish
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
    const intent = createdIntent({ captureMode, tipsAmount: gbp(500) });
    const decision = approve(intent, approvalOf(gbp(2500)), past(5_000));
    expect(decision.intent).toMatchObject({
      status,
      authorized: gbp(held),
      captured: gbp(taken),
      authorizedAt: past(5_000),
      capturedAt: taken === 0 ? null : past(5_000),
      updatedAt: past(5_000),
      paymentDetails: { message, authCode: '204711' },
    });
    expect(decision.events.map((event) => event.eventType)).toEqual([eventType]);
    expect(decision.tells).toEqual(['payment_intent.status_updated']);
    expect(balances(decision.entries)).toEqual({
      card_hold: held - taken,
      merchant_hold: taken - held,
      card_receivable: taken,
      merchant_payable: taken === 0 ? 0 : -taken,
    });
  });

  test('of a charge takes the money at once', () => {
    expect(approveCharge(createdIntent(), approvalOf(gbp(2000)), NOON).intent.status).toBe('Captured');
  });

  test.each([
    ['less than was asked for', 1999],
    ['more than was asked for', 2001],
  ])('over %s is a defect: nothing is written', (_, amount) => {
    expect(() => approve(createdIntent(), approvalOf(gbp(amount)), NOON)).toThrow(Defect);
  });

  test('that finds the intent paid is refused, so the caller undoes it', () => {
    expect(outcomeOf(() => approve(capturedIntent(), approvalOf(gbp(2000)), NOON))).toBe('payment_intent_not_payable');
  });

  test('that was undone because the intent was Canceled is told in its history only', () => {
    const canceled = cancel(createdIntent(), { now: NOON, hasRunningAttempt: false }).intent;
    const { intent, events, entries, tells } = undoLateApproval(canceled, approvalOf(gbp(2000)), past(1));
    expect([intent.status, events.map(({ eventType }) => eventType), entries, tells]).toEqual([
      'Canceled',
      ['Reversed'],
      [],
      [],
    ]);
    expect(() => undoLateApproval(createdIntent(), approvalOf(gbp(2000)), NOON)).toThrow(Defect);
  });

  test('voids the client secret with the state it was for', () => {
    const intent = createdIntent({ clientSecret: 'secret' });
    expect(intent.clientSecretExpireAt).toEqual(past(30 * 60_000));
    const taken = approve(intent, approvalOf(gbp(2000)), NOON).intent;
    expect([taken.clientSecret, taken.clientSecretExpireAt]).toEqual([null, null]);
  });
});

describe('an attempt that took no money leaves the intent payable and tells nobody', () => {
  test.each([
    ['declined', decline(createdIntent(), declineOf('DECLINED'), past(1)), 'Declined'],
    ['referred', decline(createdIntent(), declineOf('REFERRED'), past(1)), 'Declined'],
    ['failed', decline(createdIntent(), declineOf('FAILED'), past(1)), 'Error'],
    ['challenged', challenge(createdIntent(), approvalOf(gbp(2000)), past(1)), 'AuthChallenged'],
  ] as const)('%s', (_, decision: IntentDecision, eventType) => {
    expect(decision.intent).toEqual({ ...createdIntent(), updatedAt: past(1) });
    expect(decision.events.map((event) => event.eventType)).toEqual([eventType]);
    expect([decision.tells, decision.entries]).toEqual([[], []]);
  });
});

test('a rejected signature reverses the intent; nothing was ever held for the books', () => {
  const decision = rejectSignature(createdIntent(), approvalOf(gbp(2000)), NOON);
  expect(decision.intent).toMatchObject({ status: 'Reversed', authorized: NOTHING, captured: NOTHING });
  expect(decision.intent.paymentDetails?.message).toBe('REVERSED');
  expect([decision.entries, decision.tells]).toEqual([[], ['payment_intent.status_updated']]);
});

describe('the end of an intent nobody paid', () => {
  const due = createdIntent().expireAt;
  test.each([
    ['a moment before its time', createdIntent(), new Date(due.getTime() - 1), false, null],
    ['at its time', createdIntent(), due, false, 'Canceled'],
    ['at its time while a card is being read', createdIntent(), due, true, null],
    ['when it was paid in time', capturedIntent(), due, false, null],
    ['when it is held', authorizedIntent(), due, false, null],
  ])('%s', (_, intent, now, hasRunningAttempt, status) => {
    expect(expire(intent, { now, hasRunningAttempt })?.intent.status ?? null).toBe(status);
  });

  test('a Canceled event belongs to no attempt', () => {
    const [event] = cancel(createdIntent(), { now: NOON, hasRunningAttempt: false }).events;
    expect(event?.details).toMatchObject({ transactionId: null, authCode: '', cardNumber: null });
  });
});

test('a change without a new status tells nobody', () => {
  expect(arrive(createdIntent(), 'Created', { now: NOON }).tells).toEqual([]);
  expect(arrive(createdIntent(), 'Canceled', { now: NOON }).tells).toEqual(['payment_intent.status_updated']);
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
