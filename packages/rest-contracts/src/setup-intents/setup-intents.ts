import { PAYMENT_METHODS, PAYMENT_SOURCES } from '@pos/core/payment-intents/payment-intent';
import { MERCHANT_INITIATED_TYPES, SETUP_INTENT_STATUSES } from '@pos/core/setup-intents/setup-intent';
import { z } from 'zod';
import { freeText, Metadata, ownReference } from '../shapes/free-text.js';
import * as parts from '../intent-parts/payment-intent-parts.js';
import * as shapes from '../shapes/shapes.js';

const { Money, Moment } = shapes;

const PaymentDetails = parts.PaymentDetails.extend({
  authCode: z.string().meta({ description: 'Empty when the card was refused.' }),
  card: parts.PaymentDetails.shape.card.optional(),
}).meta({ id: 'SetupOutcome', description: 'How the last attempt to authorise the card came out.' });

/** The members of both views of a setup intent. */
const viewMembers = {
  id: z.string(),
  status: z.enum(SETUP_INTENT_STATUSES),
  merchantInitiatedTransactionType: z.enum(MERCHANT_INITIATED_TYPES),
  terms: z.string().meta({ description: 'What the payer agrees to.' }),
  intendedAmount: Money.optional().meta({ description: 'The most that may be charged.' }),
  paymentMethods: z.array(z.enum(PAYMENT_METHODS)),
  reference: z.string(),
  description: z.string().optional(),
  clientSessionSecret: z.string().optional().meta({ description: 'While it is unused and unexpired.' }),
  clientSessionSecretExpirationDate: Moment.meta({
    description:
      'When `clientSessionSecret` expires. Always written: without a secret, such as after the payment, it is ' +
      '0001-01-01T00:00:00Z, which means that there is no time.',
  }),
  billingAddress: parts.Address.optional(),
  shippingDetails: parts.ShippingDetails.optional(),
  orderDetails: parts.OrderDetails.optional(),
  config: parts.Config,
  merchantConfig: parts.MerchantConfig.meta({ description: 'There are no wallets here.' }),
  paymentSource: z.enum(PAYMENT_SOURCES),
  expireAt: Moment,
  createdAt: Moment,
  updatedAt: Moment,
};

const VIEW_EXAMPLE = {
  id: 'si_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
  status: 'Created',
  merchantInitiatedTransactionType: 'NoShow',
  terms: 'If you do not come, we charge £25.00 to this card.',
  intendedAmount: { value: 2500, currencyCode: 'GBP' },
  paymentMethods: ['Card'],
  reference: 'table 4, Saturday',
  clientSessionSecretExpirationDate: '0001-01-01T00:00:00Z',
  config: {
    customerEmail: { collectionRequired: false },
    billingAddress: { collectionRequired: false },
    shippingDetails: { collectionRequired: false },
    details: { showTotal: false, showReference: false },
    payment: { customAmountAllowed: false, tipsAllowed: false },
    branding: {},
    tradingName: 'The Corner Table',
  },
  merchantConfig: { supportedPaymentMethods: { cardSchemes: ['VISA', 'MASTERCARD'], wallets: [] } },
  paymentSource: 'api',
  metadata: { 'location-id': 'loc_Qk1v5r0bT4a2S7n8Lw3XyA' },
  expireAt: '2026-03-31T12:00:00.000Z',
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
};

export const SetupIntent = z
  .object({
    ...viewMembers,
    customer: parts.IntentCustomer.optional(),
    requestSecurity: parts.RequestSecurity.optional(),
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'Always holds `location-id`.' }),
    paymentDetails: PaymentDetails.optional(),
    setupEvents: z.array(parts.PaymentEvent),
  })
  .meta({ id: 'SetupIntent', examples: [{ ...VIEW_EXAMPLE, setupEvents: [] }] });
export type SetupIntent = z.output<typeof SetupIntent>;

/** The view for the payer's browser: without the card and the merchant's own notes. */
export const PublicSetupIntent = z
  .object({
    ...viewMembers,
    customer: parts.PublicCustomer.optional(),
    metadata: z.object({ 'location-id': z.string() }),
    paymentDetails: PaymentDetails.pick({ transactionId: true, transactionDateTime: true, message: true }).optional(),
  })
  .meta({ id: 'PublicSetupIntent', examples: [VIEW_EXAMPLE] });
export type PublicSetupIntent = z.output<typeof PublicSetupIntent>;

export const NewSetupIntent = z
  .object({
    reference: ownReference({ min: 1, max: 60 }),
    merchantInitiatedTransactionType: z.enum(MERCHANT_INITIATED_TYPES),
    terms: freeText({ min: 1, max: 10_240 }),
    intendedAmount: shapes.PayableInput.optional(),
    captureMode: z.enum(['Auto']).default('Auto').meta({ description: 'A charge is always taken at once.' }),
    description: freeText({ max: 4096 }).optional(),
    customer: parts.IntentCustomerInput.optional(),
    paymentMethods: z.array(z.enum(PAYMENT_METHODS)).min(1).max(shapes.WORDS_MAX).default(['Card']),
    billingAddress: parts.Address.optional(),
    shippingDetails: parts.ShippingDetails.optional(),
    config: parts.ConfigInput.prefault({}),
    metadata: Metadata.meta({ description: 'At most 16 KiB as JSON.' }),
    orderDetails: parts.OrderDetailsInput.optional(),
    requestSecurity: parts.RequestSecurity.optional(),
    expireAt: shapes.MomentInput.optional().meta({ description: 'In the future; 30 days from now when not sent.' }),
    card: z.never().optional().meta({ description: 'Never here: a card number may only be sent to the PCI address.' }),
  })
  .meta({
    id: 'NewSetupIntent',
    examples: [
      {
        reference: 'table 4, Saturday',
        merchantInitiatedTransactionType: 'NoShow',
        terms: 'If you do not come, we charge £25.00 to this card.',
        intendedAmount: { value: 2500, currencyCode: 'GBP' },
      },
    ],
  });
