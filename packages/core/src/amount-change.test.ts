import { describe, expect, test } from '@jest/globals';
import { changeAmount, changeTips, refuseRaise, reserveRaise, settleRaise } from './amount-change.js';
import { Defect } from './assert.js';
import { reserveCapture, settleCapture } from './capture.js';
import { consumeSecret, isSecretUsable, issueSecret } from './client-secret.js';
import { DEFAULT_INTENT_CONFIG } from './intent-details.js';
import { balances } from './ledger.js';
import { money, type Money } from './money.js';
import type { PaymentIntent } from './payment-intent.js';
import {
  authorizedIntent,
  capturedIntent,
  createdIntent,
  gbp,
  intentWish,
  NOON,
  NOTHING,
  outcomeOf,
  past,
  testId,
} from './testing.js';

const fixed = { details: { ...intentWish().details, config: DEFAULT_INTENT_CONFIG } };

describe('another amount before anybody paid', () => {
  test.each<[string, PaymentIntent, Money, string]>([
    ['a valid one', createdIntent(), gbp(1), 'done'],
    ['nothing', createdIntent(), gbp(0), 'validation_failed'],
    ['too much', createdIntent(), gbp(1_000_000_000_000), 'validation_failed'],
    ['too much with the tip', createdIntent({ tipsAmount: gbp(1) }), gbp(999_999_999_999), 'validation_failed'],
    ['another currency', createdIntent(), money(1, 'EUR'), 'validation_failed'],
    ['where the integrator did not allow it', createdIntent(fixed), gbp(1), 'amount_change_not_enabled'],
    ['once it is paid', capturedIntent(), gbp(1), 'amount_not_changeable'],
  ])('%s', (_, intent, amount, then) => {
    expect(outcomeOf(() => changeAmount(intent, change(amount)))).toBe(then);
  });

  test('waits for a running attempt', () => {
    const busy = { ...change(gbp(1)), hasRunningAttempt: true };
    expect(outcomeOf(() => changeAmount(createdIntent(), busy))).toBe('payment_intent_busy');
  });

  test('remembers what was asked for first, replaces the secret and tells nobody', () => {
    const first = changeAmount(createdIntent({ clientSecret: 'old' }), { ...change(gbp(1500)), clientSecret: 'new' });
    expect(first.intent).toMatchObject({ amount: gbp(1500), requestedAmount: gbp(2000), clientSecret: 'new' });
    expect(first.intent.clientSecretExpireAt).toEqual(past(60_000 + 30 * 60_000));
    expect([first.events, first.tells]).toEqual([[], []]);
    const second = changeAmount(first.intent, change(gbp(1000)));
    expect(second.intent).toMatchObject({ requestedAmount: gbp(2000), clientSecret: null, clientSecretExpireAt: null });
  });

  test('replaces lines only when some are sent, and they are of the same currency', () => {
    const line = { quantity: 1, amountTotal: gbp(100), modifiers: [] };
    const lined = changeAmount(createdIntent(), { ...change(gbp(100)), itemLines: [line] }).intent;
    expect(changeAmount(lined, change(gbp(200))).intent.details.itemLines).toEqual([line]);
    const foreign = { ...change(gbp(100)), itemLines: [{ ...line, amountTotal: money(1, 'EUR') }] };
    expect(outcomeOf(() => changeAmount(createdIntent(), foreign))).toBe('validation_failed');
  });
});

test.each<[string, PaymentIntent, Money, string]>([
  ['a tip', createdIntent(), gbp(250), 'done'],
  ['no tip after all', createdIntent({ tipsAmount: gbp(250) }), gbp(0), 'done'],
  ['a negative tip', createdIntent(), gbp(-1), 'validation_failed'],
  ['a tip in euros', createdIntent(), money(1, 'EUR'), 'validation_failed'],
  ['a tip beyond all', createdIntent(), gbp(999_999_999_999), 'validation_failed'],
  ['a tip where none is allowed', createdIntent(fixed), gbp(1), 'tips_change_not_enabled'],
  ['a tip on a held payment', authorizedIntent(), gbp(1), 'tips_not_changeable'],
])('%s: %s', (_, intent, tipsAmount, then) => {
  const tips = { tipsAmount, clientSecret: null, hasRunningAttempt: false, now: NOON };
  expect(outcomeOf(() => changeTips(intent, tips))).toBe(then);
});

describe('a raise of a held payment', () => {
  test.each<[string, PaymentIntent, Money, string]>([
    ['upwards', authorizedIntent(), gbp(2001), 'done'],
    ['to the same', authorizedIntent(), gbp(2000), 'amount_not_raised'],
    ['downwards', authorizedIntent(), gbp(1999), 'amount_not_raised'],
    ['beyond all', authorizedIntent(), gbp(1_000_000_000_000), 'validation_failed'],
    ['in euros', authorizedIntent(), money(3000, 'EUR'), 'validation_failed'],
    ['where the integrator did not allow it', authorizedIntent(fixed), gbp(2001), 'amount_change_not_enabled'],
    ['once something is captured', captured(500), gbp(2001), 'amount_not_changeable'],
    [
      'while something is being captured',
      reserveCapture(authorizedIntent(), wish(1)).intent,
      gbp(2001),
      'payment_intent_busy',
    ],
    ['once it is captured', capturedIntent(), gbp(2001), 'amount_not_changeable'],
  ])('%s', (_, intent, amount, then) => {
    expect(outcomeOf(() => reserveRaise(intent, amount, NOON))).toBe(then);
  });

  test('asks the issuer for the difference and holds it when he agrees', () => {
    const { decision, difference } = reserveRaise(authorizedIntent({ tipsAmount: gbp(100) }), gbp(2500), NOON);
    expect(difference).toEqual(gbp(500));
    expect(outcomeOf(() => reserveCapture(decision.intent, wish(1)))).toBe('payment_intent_busy');
    const settled = settleRaise(decision.intent, { reference: 'raise', difference, now: NOON });
    expect(settled.intent).toMatchObject({
      status: 'Authorized',
      amount: gbp(2500),
      requestedAmount: gbp(2000),
      authorized: gbp(2600),
      pendingCapture: NOTHING,
    });
    expect(balances(settled.entries).card_hold).toBe(500);
    expect(settled.tells).toEqual([]);
  });

  test('that the issuer refuses changes nothing', () => {
    const { decision } = reserveRaise(authorizedIntent(), gbp(2500), NOON);
    expect(refuseRaise(decision.intent, NOON).intent).toEqual({ ...authorizedIntent(), updatedAt: NOON });
    expect(() => refuseRaise(authorizedIntent(), NOON)).toThrow(Defect);
  });
});

describe('a client secret', () => {
  const intent = createdIntent({ clientSecret: 'secret' });
  test.each<[string, PaymentIntent, Date, boolean]>([
    ['is usable for thirty minutes', intent, past(30 * 60_000 - 1), true],
    ['and no longer', intent, past(30 * 60_000), false],
    ['not when there is none', createdIntent(), NOON, false],
    ['not once the payer has submitted with it', consumeSecret(intent, NOON).intent, NOON, false],
    ['not once the intent is paid', { ...intent, status: 'Captured' }, NOON, false],
    ['a new one counts from its issue', issueSecret(intent, issued(60_000)).intent, past(31 * 60_000 - 1), true],
  ])('%s', (_, of, now, is) => {
    expect(isSecretUsable(of, now)).toBe(is);
  });
});

function issued(ms: number) {
  return { text: 'other', now: past(ms), hasRunningAttempt: false };
}

function change(amount: Money) {
  return { amount, itemLines: null, taxLines: null, clientSecret: null, hasRunningAttempt: false, now: past(60_000) };
}

function wish(amount: number) {
  return { id: testId('capture'), amount: gbp(amount), tipsAmount: NOTHING, now: NOON };
}

function captured(amount: number): PaymentIntent {
  return settleCapture(reserveCapture(authorizedIntent(), wish(amount)).intent, testId('capture'), NOON).intent;
}
