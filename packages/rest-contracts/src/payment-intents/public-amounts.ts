import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { PayableInput } from '../shapes/shapes.js';
import { PublicPaymentIntent } from './payment-intents.js';
import { AMOUNT_REFUSALS, NewTips } from './payment-money.js';

const shared = {
  tag: 'Payment intents, by the payer',
  method: 'POST',
  version: 'optional',
  permission: null,
  idempotency: 'none',
  crossOrigin: true,
  params: z.object({ paymentIntentId: z.string().describe('Id of the payment intent (`pi_…`).') }),
  returns: PublicPaymentIntent,
} as const;

export const changePublicTips = {
  ...shared,
  id: 'changePublicTips',
  path: '/payment-intents/public/{paymentIntentId}/tips-amount',
  summary: 'Choose a tip, by the payer',
  description:
    'Only where `config.payment.tipsAllowed` was set, and before the payment. The client secret is replaced.',
  body: NewTips,
  refusals: [...AMOUNT_REFUSALS, 'tips_change_not_enabled', 'tips_not_changeable'],
} as const satisfies Operation;

const NewPublicAmount = z
  .object({ amount: PayableInput.describe('The amount that the payer chooses, in the currency of the payment.') })
  .meta({ id: 'NewPublicAmount', examples: [{ amount: { value: 1500, currencyCode: 'GBP' } }] });

export const changePublicAmount = {
  ...shared,
  id: 'changePublicAmount',
  path: '/payment-intents/public/{paymentIntentId}/amount',
  summary: 'Choose the amount, by the payer',
  description:
    'Only where `config.payment.customAmountAllowed` was set, the intent has no item lines and tax lines, and before the ' +
    'payment. The client secret is replaced.',
  body: NewPublicAmount,
  refusals: [...AMOUNT_REFUSALS, 'amount_change_not_enabled', 'amount_not_changeable'],
} as const satisfies Operation;

export const PUBLIC_AMOUNT_OPERATIONS = [changePublicTips, changePublicAmount] as const;
