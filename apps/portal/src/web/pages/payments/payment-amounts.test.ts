import { expect, test } from '@jest/globals';
import type { PaymentAnswer } from '../../client/answers.js';
import { computeAmounts } from './payment-amounts.js';

type Capture = PaymentAnswer['captures'][number];

function createPayment(more: Partial<PaymentAnswer>): PaymentAnswer {
  const totalAmount = { value: 2000, currencyCode: 'GBP' };
  return {
    status: 'Created',
    captureMode: 'Auto',
    totalAmount,
    refundedAmount: 0,
    captures: [],
    ...more,
  } as PaymentAnswer;
}
const capture = (amount: number, status: Capture['status'] = 'Successful') =>
  ({ amount, tipsAmount: 0, status }) as Capture;

// oxfmt-ignore
test.each<[string, Partial<PaymentAnswer>, { captured: number; kept: number; held: number }]>([
  ['an unpaid payment', {}, { captured: 0, kept: 0, held: 0 }],
  ['a paid one', { status: 'Captured' }, { captured: 2000, kept: 2000, held: 0 }],
  ['a paid one that was returned in part', { status: 'Captured', refundedAmount: 500 }, { captured: 2000, kept: 1500, held: 0 }],
  ['a returned one', { status: 'Refunded', refundedAmount: 2000 }, { captured: 2000, kept: 0, held: 0 }],
  ['a held one', { status: 'Authorized', captureMode: 'Manual' }, { captured: 0, kept: 0, held: 2000 }],
  ['a held one that was captured in part', { status: 'Authorized', captureMode: 'Manual', captures: [capture(500), capture(300, 'Declined')] }, { captured: 500, kept: 500, held: 1500 }],
  ['a reversed one', { status: 'Reversed', captureMode: 'Manual' }, { captured: 0, kept: 0, held: 0 }],
  ['a cancelled one', { status: 'Canceled' }, { captured: 0, kept: 0, held: 0 }],
])('%s shows where its money is', (_, payment, expected) => {
  expect(computeAmounts(createPayment(payment))).toMatchObject({ total: 2000, ...expected });
});
