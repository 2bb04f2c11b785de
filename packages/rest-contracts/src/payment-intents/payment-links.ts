import { z } from 'zod';
import { Branding } from '../intent-parts/checkout-config.js';
import type { Operation } from '../operation/operation.js';

export const PaymentLink = z
  .object({
    id: z.string().describe('Id of the payment intent (`pi_…`) or setup intent (`si_…`) of the link.'),
    state: z.enum(['Active', 'Canceled', 'Expired']).meta({
      description: '`Active`: the intent can be read by its payer, whether it is paid or not.',
    }),
    tradingName: z.string().describe('Name of the merchant as payers know it.'),
    branding: Branding.describe('The look of the merchant’s pages.'),
  })
  .meta({
    id: 'PaymentLink',
    examples: [
      { id: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw', state: 'Expired', tradingName: 'The Corner Table', branding: {} },
    ],
  });
export type PaymentLink = z.output<typeof PaymentLink>;

export const readPaymentLink = {
  id: 'readPaymentLink',
  tag: 'Payment intents, by the payer',
  method: 'GET',
  path: '/payment-links/{intentId}',
  summary: 'Read why a payment link has ended',
  description:
    'The other operations of payers answer 404 once an intent is cancelled or expired. This one says which, and whose it ' +
    'was. It serves payment intents and setup intents that have a payment page.',
  version: 'optional',
  permission: null,
  idempotency: 'none',
  crossOrigin: true,
  params: z.object({ intentId: z.string().describe('Id of a payment intent (`pi_…`) or setup intent (`si_…`).') }),
  returns: PaymentLink,
  refusals: ['payment_intent_not_found', 'setup_intent_not_found'],
} as const satisfies Operation;

export const PAYMENT_LINK_OPERATIONS = [readPaymentLink] as const;
