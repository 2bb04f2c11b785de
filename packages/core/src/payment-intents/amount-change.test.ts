import { describe, expect, test } from '@jest/globals';
import {
  changeAmount,
  changeAmountByPayer,
  changeTips,
  releaseRaise,
  reserveRaise,
  bookRaise,
} from './amount-change.js';
import { Defect } from '../refusals/assert.js';
import { reserveCapture, bookCapture } from '../captures-refunds/capture.js';
import { consumeSecret, isSecretUsable, issueSecret } from './client-secret.js';
import { DEFAULT_INTENT_CONFIG } from './intent-details.js';
import { computeBalances } from '../ledger/ledger.js';
import { money, type Money } from '../money/money.js';
import type { PaymentIntent } from './payment-intent.js';
import {
  createAuthorizedIntent,
  createCapturedIntent,
  buildIntent,
  gbp,
  createIntentRequest,
  NOON,
  NOTHING,
  getOutcome,
  createPastDate,
  testId,
} from '../testing/builders.js';

const fixed = { details: { ...createIntentRequest().details, config: DEFAULT_INTENT_CONFIG } };

describe('another amount before the payment', () => {
  test.each<[string, PaymentIntent, Money, string]>([
    ['a valid one', buildIntent(), gbp(1), 'done'],
    ['nothing', buildIntent(), gbp(0), 'validation_failed'],
    ['too much', buildIntent(), gbp(1_000_000_000_000), 'validation_failed'],
    ['too much with the tip', buildIntent({ tipsAmount: gbp(1) }), gbp(999_999_999_999), 'validation_failed'],
    ['another currency', buildIntent(), money(1, 'EUR'), 'validation_failed'],
    ['where the integrator did not allow it', buildIntent(fixed), gbp(1), 'amount_change_not_enabled'],
    ['once it is paid', createCapturedIntent(), gbp(1), 'amount_not_changeable'],
  ])('%s', (_, intent, amount, then) => {
    expect(getOutcome(() => changeAmount(intent, change(amount)))).toBe(then);
  });

  test.each<[string, Partial<PaymentIntent['details']>, string]>([
    ['without lines', {}, 'done'],
    ['with items', { itemLines: [{ quantity: 1, amountTotal: gbp(100), modifiers: [] }] }, 'amount_change_not_enabled'],
    ['with taxes', { taxLines: [{ amountTotal: gbp(100) }] }, 'amount_change_not_enabled'],
    ['whose integrator did not allow it', { config: DEFAULT_INTENT_CONFIG }, 'amount_change_not_enabled'],
  ])('chosen by the payer of a payment %s', (_, details, then) => {
    const intent = buildIntent({ details: { ...buildIntent().details, itemLines: [], taxLines: [], ...details } });
    expect(getOutcome(() => changeAmountByPayer(intent, change(gbp(1))))).toBe(then);
  });

  test('waits for a running attempt', () => {
    const busy = { ...change(gbp(1)), hasRunningAttempt: true };
    expect(getOutcome(() => changeAmount(buildIntent(), busy))).toBe('payment_intent_busy');
  });

  test('stores the first amount, replaces the secret and publishes no event', () => {
    const first = changeAmount(buildIntent({ clientSecret: 'old' }), { ...change(gbp(1500)), clientSecret: 'new' });
    expect(first.intent).toMatchObject({ amount: gbp(1500), requestedAmount: gbp(2000), clientSecret: 'new' });
    expect(first.intent.clientSecretExpireAt).toEqual(createPastDate(60_000 + 30 * 60_000));
    expect([first.events, first.webhookEvents]).toEqual([[], []]);
    const second = changeAmount(first.intent, change(gbp(1000)));
    expect(second.intent).toMatchObject({ requestedAmount: gbp(2000), clientSecret: null, clientSecretExpireAt: null });
  });

  test('replaces lines only when some are sent, and they are of the same currency', () => {
    const line = { quantity: 1, amountTotal: gbp(100), modifiers: [] };
    const lined = changeAmount(buildIntent(), { ...change(gbp(100)), itemLines: [line] }).intent;
    expect(changeAmount(lined, change(gbp(200))).intent.details.itemLines).toEqual([line]);
    const foreign = { ...change(gbp(100)), itemLines: [{ ...line, amountTotal: money(1, 'EUR') }] };
    expect(getOutcome(() => changeAmount(buildIntent(), foreign))).toBe('validation_failed');
  });
});

test.each<[string, PaymentIntent, Money, string]>([
  ['a tip', buildIntent(), gbp(250), 'done'],
  ['no tip after all', buildIntent({ tipsAmount: gbp(250) }), gbp(0), 'done'],
  ['a negative tip', buildIntent(), gbp(-1), 'validation_failed'],
  ['a tip in euros', buildIntent(), money(1, 'EUR'), 'validation_failed'],
  ['a tip beyond all', buildIntent(), gbp(999_999_999_999), 'validation_failed'],
  ['a tip where none is allowed', buildIntent(fixed), gbp(1), 'tips_change_not_enabled'],
  ['a tip on a held payment', createAuthorizedIntent(), gbp(1), 'tips_not_changeable'],
])('%s: %s', (_, intent, tipsAmount, then) => {
  const tips = { tipsAmount, clientSecret: null, hasRunningAttempt: false, now: NOON };
  expect(getOutcome(() => changeTips(intent, tips))).toBe(then);
});

describe('a raise of a held payment', () => {
  test.each<[string, PaymentIntent, Money, string]>([
    ['upwards', createAuthorizedIntent(), gbp(2001), 'done'],
    ['to the same', createAuthorizedIntent(), gbp(2000), 'amount_not_raised'],
    ['downwards', createAuthorizedIntent(), gbp(1999), 'amount_not_raised'],
    ['beyond all', createAuthorizedIntent(), gbp(1_000_000_000_000), 'validation_failed'],
    ['in euros', createAuthorizedIntent(), money(3000, 'EUR'), 'validation_failed'],
    ['where the integrator did not allow it', createAuthorizedIntent(fixed), gbp(2001), 'amount_change_not_enabled'],
    ['once something is captured', captured(500), gbp(2001), 'amount_not_changeable'],
    [
      'while something is being captured',
      reserveCapture(createAuthorizedIntent(), request(1)).intent,
      gbp(2001),
      'payment_intent_busy',
    ],
    ['once it is captured', createCapturedIntent(), gbp(2001), 'amount_not_changeable'],
  ])('%s', (_, intent, amount, then) => {
    expect(getOutcome(() => reserveRaise(intent, amount, NOON))).toBe(then);
  });

  test('requests the difference from the issuer and holds it when the issuer agrees', () => {
    const { decision, difference } = reserveRaise(createAuthorizedIntent({ tipsAmount: gbp(100) }), gbp(2500), NOON);
    expect(difference).toEqual(gbp(500));
    expect(getOutcome(() => reserveCapture(decision.intent, request(1)))).toBe('payment_intent_busy');
    const settled = bookRaise(decision.intent, { reference: 'raise', difference, now: NOON });
    expect(settled.intent).toMatchObject({
      status: 'Authorized',
      amount: gbp(2500),
      requestedAmount: gbp(2000),
      authorized: gbp(2600),
      pendingCapture: NOTHING,
    });
    expect(computeBalances(settled.entries).card_hold).toBe(500);
    expect(settled.webhookEvents).toEqual([]);
  });

  test('that the issuer refuses changes nothing', () => {
    const { decision } = reserveRaise(createAuthorizedIntent(), gbp(2500), NOON);
    expect(releaseRaise(decision.intent, NOON).intent).toEqual({ ...createAuthorizedIntent(), updatedAt: NOON });
    expect(() => releaseRaise(createAuthorizedIntent(), NOON)).toThrow(Defect);
  });
});

describe('a client secret', () => {
  const intent = buildIntent({ clientSecret: 'secret' });
  test.each<[string, PaymentIntent, Date, boolean]>([
    ['is usable for thirty minutes', intent, createPastDate(30 * 60_000 - 1), true],
    ['and no longer', intent, createPastDate(30 * 60_000), false],
    ['not when there is none', buildIntent(), NOON, false],
    ['not once the payer has submitted with it', consumeSecret(intent, NOON).intent, NOON, false],
    ['not once the intent is paid', { ...intent, status: 'Captured' }, NOON, false],
    [
      'a new one counts from its issue',
      issueSecret(intent, issued(60_000)).intent,
      createPastDate(31 * 60_000 - 1),
      true,
    ],
  ])('%s', (_, of, now, is) => {
    expect(isSecretUsable(of, now)).toBe(is);
  });
});

function issued(ms: number) {
  return { text: 'other', now: createPastDate(ms), hasRunningAttempt: false };
}

function change(amount: Money) {
  return {
    amount,
    itemLines: null,
    taxLines: null,
    clientSecret: null,
    hasRunningAttempt: false,
    now: createPastDate(60_000),
  };
}

function request(amount: number) {
  return { id: testId('capture'), amount: gbp(amount), tipsAmount: NOTHING, now: NOON };
}

function captured(amount: number): PaymentIntent {
  return bookCapture(reserveCapture(createAuthorizedIntent(), request(amount)).intent, testId('capture'), NOON).intent;
}
