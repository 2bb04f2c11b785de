import { describe, expect, test } from '@jest/globals';
import { DEFAULT_INTENT_CONFIG } from './intent-details.js';
import { money } from '../money/money.js';
import { createIntent, type NewPaymentIntent, requireSoundIntent } from './new-payment-intent.js';
import { computeTotalAmount } from './payment-intent.js';
import { Refusal } from '../refusals/refusal.js';
import { buildIntent, gbp, createIntentRequest, NOON, ORIGIN, createPastDate, testId } from '../testing/builders.js';

const DAY_MS = 86_400_000;

test('a new intent is Created, expires after thirty days, and publishes its creation', () => {
  const { intent, events, entries, webhookEvents } = createIntent(createIntentRequest(), ORIGIN);
  expect(intent).toMatchObject({
    status: 'Created',
    version: 1,
    expireAt: createPastDate(30 * DAY_MS),
    createdAt: NOON,
  });
  expect([events, entries, webhookEvents]).toEqual([[], [], ['payment_intent.created']]);
});

test('the cardholder pays the amount with tip, cashback and service charge', () => {
  const intent = buildIntent({ tipsAmount: gbp(1), cashbackAmount: gbp(20), serviceChargeAmount: gbp(300) });
  expect(computeTotalAmount(intent)).toEqual(gbp(2321));
});

test('the service sets the location of an intent', () => {
  const intent = buildIntent({ metadata: { table: 7, 'location-id': 'loc_forged' } });
  expect(intent.metadata).toEqual({ table: 7, 'location-id': testId('location') });
});

test.each([
  ['Auto', 'Capture', 60_000, null, null],
  ['Manual', 'Capture', 60_000, 'Capture', 60_000],
  ['Manual', null, null, 'Release', null],
] as const)(
  'only a Manual intent may set when its hold ends: %s, %s after %s',
  (captureMode, asked, ms, action, after) => {
    const intent = buildIntent({ captureMode, autoExpireAction: asked, autoExpireInMs: ms });
    expect([intent.autoExpireAction, intent.autoExpireInMs]).toEqual([action, after]);
  },
);

describe('a request is refused', () => {
  const manual = { captureMode: 'Manual' } as const;
  test.each<[string, Partial<NewPaymentIntent>, string[]]>([
    ['for nothing', { amount: gbp(0) }, ['amount.value']],
    ['for less than nothing', { amount: gbp(-1) }, ['amount.value']],
    ['for more than a card message holds', { amount: gbp(1_000_000_000_000) }, ['amount.value']],
    ['when only the total is too much', { amount: gbp(999_999_999_999), tipsAmount: gbp(1) }, ['amount.value']],
    ['in a currency the account has not enabled', { amount: money(100, 'USD') }, ['amount.currencyCode']],
    ['with a tip in another currency', { tipsAmount: money(1, 'EUR') }, ['tipsAmount.currencyCode']],
    ['with a negative tip', { tipsAmount: gbp(-1) }, ['tipsAmount.value']],
    ['with a negative cashback', { cashbackAmount: gbp(-1) }, ['cashbackAmount.value']],
    ['with a service charge beyond all', { serviceChargeAmount: gbp(1e12) }, ['serviceChargeAmount.value']],
    ['when it has expired already', { expireAt: NOON }, ['expireAt']],
    ['for a hold of thirty seconds', { ...manual, autoExpireInMs: 30_000 }, ['autoExpireIn']],
    ['for a hold of seven days', { ...manual, autoExpireInMs: 7 * DAY_MS }, ['autoExpireIn']],
    ['when a setup intent is to be held', { ...manual, setupIntentId: testId('setupIntent') }, ['captureMode']],
    ['with too much metadata', { metadata: { note: 'é'.repeat(8_192) } }, ['metadata']],
    [
      'with lines in another currency',
      { details: detailsWithEuros() },
      [
        'itemLines[0].amountTotal.currencyCode',
        'itemLines[0].modifiers[0].amountPerModifier.currencyCode',
        'taxLines[0].amountTotal.currencyCode',
      ],
    ],
    ['naming all that is wrong at once', { amount: gbp(0), expireAt: NOON }, ['amount.value', 'expireAt']],
  ])('%s', (_, request, members) => {
    expect(membersRefused(request)).toEqual(members);
  });

  test.each<[string, Partial<NewPaymentIntent>]>([
    ['the smallest amount', { amount: gbp(1) }],
    ['the largest amount', { amount: gbp(999_999_999_999) }],
    ['a tip of nothing', { tipsAmount: gbp(0) }],
    ['euros', { amount: money(100, 'EUR') }],
    ['a hold of just above thirty seconds', { ...manual, autoExpireInMs: 30_001 }],
    ['a hold of just below seven days', { ...manual, autoExpireInMs: 7 * DAY_MS - 1 }],
    ['a nonsensical hold of an Auto intent, which is ignored', { autoExpireInMs: 1 }],
    ['metadata of exactly the limit', { metadata: { n: 'x'.repeat(16_384 - 8) } }],
  ])('but not for %s', (_, request) => {
    expect(membersRefused(request)).toEqual([]);
  });
});

test('members that could not be read are not checked, and all others are', () => {
  const check = (request: Parameters<typeof requireSoundIntent>[0]) =>
    listMembers(() => {
      requireSoundIntent(request, ORIGIN);
    });
  expect(check({})).toEqual([]);
  expect(check({ amount: { value: 0 }, tipsAmount: { currencyCode: 'EUR' } })).toEqual(['amount.value']);
  expect(check({ amount: { currencyCode: 'USD' }, tipsAmount: { currencyCode: 'EUR' }, expireAt: NOON })).toEqual([
    'amount.currencyCode',
    'tipsAmount.currencyCode',
    'expireAt',
  ]);
  const itemLines = [undefined, { amountTotal: { currencyCode: 'EUR' } }, { modifiers: [undefined] }];
  expect(check({ amount: { currencyCode: 'GBP' }, details: { itemLines } })).toEqual([
    'itemLines[1].amountTotal.currencyCode',
  ]);
});

test('a total that is too large and a currency that is not enabled are both named', () => {
  const request = { amount: money(999_999_999_999, 'USD'), tipsAmount: money(1, 'USD') };
  expect(membersRefused(request)).toEqual(['amount.currencyCode', 'amount.value']);
});

function membersRefused(request: Partial<NewPaymentIntent>): string[] {
  return listMembers(() => createIntent(createIntentRequest(request), ORIGIN));
}

function listMembers(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return error instanceof Refusal ? Object.keys(error.members) : [];
  }
}

function detailsWithEuros(): NewPaymentIntent['details'] {
  const amountTotal = money(100, 'EUR');
  const modifier = { id: 'm', name: 'extra', quantity: 1, amountPerModifier: amountTotal };
  return {
    config: DEFAULT_INTENT_CONFIG,
    itemLines: [{ quantity: 1, amountTotal, modifiers: [modifier] }],
    taxLines: [{ amountTotal }],
    hasPaymentLink: false,
    mayHaveClientSecret: false,
    isNotOnlineCheckout: false,
  };
}
