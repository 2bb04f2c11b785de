import { expect, test } from '@jest/globals';
import type { PaymentIntent } from '../payment-intents/payment-intent.js';
import { reserveRelease } from '../captures-refunds/reversal.js';
import { createApprovedIntent, createIntentIn, gbp, NOON } from '../testing/builders.js';
import { allocateDeposit, computeDepositHeldUntil, computeDepositValue } from './deposit.js';

const CAPTURED = createApprovedIntent({ amount: gbp(2_000) });
const HELD: PaymentIntent = { ...CAPTURED, status: 'Authorized', captured: gbp(0) };

test.each<[string, PaymentIntent, number]>([
  ['captured', CAPTURED, 2_000],
  ['captured in part', { ...CAPTURED, captured: gbp(1_500) }, 1_500],
  ['refunded in part', { ...CAPTURED, refunded: gbp(300) }, 1_700],
  ['being refunded in part', { ...CAPTURED, pendingRefund: gbp(300) }, 1_700],
  ['held', HELD, 2_000],
  ['held, of which a part is captured', { ...HELD, captured: gbp(500) }, 2_000],
  [
    'held in part and being refunded: the rest is released with it',
    { ...HELD, captured: gbp(500), pendingRefund: gbp(100) },
    400,
  ],
  ['a hold that is being reversed', reserveRelease(HELD, NOON).intent, 0],
  ['unpaid', createIntentIn('Created'), 0],
  ['reversed', createIntentIn('Reversed'), 0],
  ['refunded', createIntentIn('Refunded'), 0],
  ['canceled', createIntentIn('Canceled'), 0],
])('the money of a payment that is %s', (_, intent, value) => {
  expect(computeDepositValue(intent)).toEqual(gbp(value));
});

test.each<[string, number, readonly number[], readonly number[] | null]>([
  ['by one payment', 1_000, [2_000], [1_000]],
  ['by its whole payment', 2_000, [2_000], [2_000]],
  ['by two payments together', 1_500, [1_000, 1_000], [1_000, 500]],
  ['by the first payment alone', 1_000, [1_000, 1_000], [1_000, 0]],
  ['by no payment', 1, [], null],
  ['by too little money', 2_001, [1_000, 1_000], null],
])('a deposit that is covered %s', (_, total, values, parts) => {
  expect(allocateDeposit(gbp(total), values.map(gbp))).toEqual(parts === null ? null : parts.map(gbp));
});

test('a deposit is kept until a day after the party starts, or ends as expected', () => {
  const at = (hours: number) => new Date(NOON.getTime() + hours * 3_600_000);
  const held = (times: { startTime: Date; expectedEndTime?: Date }) => computeDepositHeldUntil(times, NOON);
  expect(held({ startTime: at(5) })).toEqual(at(29));
  expect(held({ startTime: at(5), expectedEndTime: at(8) })).toEqual(at(32));
  expect(held({ startTime: at(-5) })).toEqual(at(24));
});
