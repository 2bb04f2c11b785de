import { PAYMENT_METHODS, PAYMENT_SOURCES } from '@pos/core/payment-intents';
import { MERCHANT_INITIATED_TYPES, SETUP_INTENT_STATUSES } from '@pos/core/setup-intents';
import { z } from 'zod';
import { freeText, Metadata, ownReference } from '../shapes/free-text.js';
import { Config, ConfigInput, MerchantConfig } from '../intent-parts/checkout-config.js';
import * as parts from '../intent-parts/payment-intent-parts.js';
import * as shapes from '../shapes/shapes.js';

const { Money, Moment } = shapes;

const PaymentDetails = parts.PaymentDetails.extend({
  authCode: z.string().meta({ description: 'Empty when the card was refused.' }),
  card: parts.PaymentDetails.shape.card
    .optional()
    .describe('The card that was tried, with a masked number; absent when it is not known.'),
}).meta({ id: 'SetupOutcome', description: 'How the last attempt to authorise the card came out.' });

/** The members of both views of a setup intent. */
const viewMembers = {
  id: z.string().describe('Id of the setup intent: `si_sandbox_…` in the sandbox, `si_…` in production.'),
  status: z
    .enum(SETUP_INTENT_STATUSES)
    .describe(
      '`Created` without a card; `Authorized` its card can be charged; `Completed` charged; `Canceled` or `Closed` given up before or after a card; `Expired` or `CardExpired` too late.',
    ),
  merchantInitiatedTransactionType: z
    .enum(MERCHANT_INITIATED_TYPES)
    .describe(
      'Why the merchant may charge later: `NoShow` for a missed booking, `Unscheduled` for other agreed charges.',
    ),
  terms: z.string().meta({ description: 'What the payer agrees to.' }),
  intendedAmount: Money.optional().meta({ description: 'The most that may be charged.' }),
  paymentMethods: z
    .array(z.enum(PAYMENT_METHODS))
    .describe('How the payer may authorise: `Card`, `Wallet`, `SavedCard`.'),
  reference: z.string().describe('The integrator’s own reference, as it was sent.'),
  description: z.string().optional().describe('The integrator’s text, if one was sent.'),
  clientSessionSecret: z.string().optional().meta({
    description: 'While it is unused and unexpired, for a payer and for a key with `setup.write`.',
  }),
  clientSessionSecretExpirationDate: Moment.meta({
    description:
      'When `clientSessionSecret` expires. Always written: without a secret, such as after the payment, it is ' +
      '0001-01-01T00:00:00Z, which means that there is no time.',
  }),
  billingAddress: parts.Address.optional().describe('Address of the invoice, as it was sent or the payer entered it.'),
  shippingDetails: parts.ShippingDetails.optional().describe('Where goods go, if it was sent.'),
  orderDetails: parts.OrderDetails.optional().describe('The order that it belongs to, if it was sent.'),
  config: Config.describe('What the hosted page displays and requires.'),
  merchantConfig: MerchantConfig.meta({ description: 'There are no wallets here.' }),
  paymentSource: z.enum(PAYMENT_SOURCES).describe('Where the setup intent was created.'),
  expireAt: Moment.describe('When a setup intent without a card becomes `Expired`.'),
  createdAt: Moment.describe('When the setup intent was created.'),
  updatedAt: Moment.describe('When the setup intent was changed last.'),
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
    payment: { customAmountAllowed: false, tipsAllowed: false, holdRaiseAllowed: false },
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
    customer: parts.IntentCustomer.optional().describe('The payer, as far as they are known; absent otherwise.'),
    requestSecurity: parts.RequestSecurity.optional().describe('The payer’s device, if it was sent.'),
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'Always holds `location-id`.' }),
    paymentDetails: PaymentDetails.optional().describe(
      'Outcome of the last attempt to authorise the card; absent before the first.',
    ),
    setupLink: z
      .string()
      .optional()
      .describe('Address of the hosted page on which the payer enters the card; present while it is `Created`.'),
    setupEvents: z.array(parts.PaymentEvent).describe('Steps of all attempts, oldest first; empty until the first.'),
  })
  .meta({ id: 'SetupIntent', examples: [{ ...VIEW_EXAMPLE, setupEvents: [] }] });
export type SetupIntent = z.output<typeof SetupIntent>;

/** The view for the payer's browser: without the card and the merchant's own notes. */
export const PublicSetupIntent = z
  .object({
    ...viewMembers,
    customer: parts.PublicCustomer.optional().describe(
      'The payer, as far as they are known; absent otherwise, and after the setup for all but the page of the payer.',
    ),
    metadata: z
      .object({
        'location-id': z.string().describe('Id of the location (`loc_…`) of the account, set by the service.'),
      })
      .describe('Only the id of the location; the integrator’s own additions are left out.'),
    paymentDetails: PaymentDetails.pick({ transactionId: true, transactionDateTime: true, message: true })
      .optional()
      .describe(
        'Outcome of the last attempt without the card; absent before the first, and for all but the page of the attempt.',
      ),
  })
  .meta({ id: 'PublicSetupIntent', examples: [VIEW_EXAMPLE] });
export type PublicSetupIntent = z.output<typeof PublicSetupIntent>;

export const NewSetupIntent = z
  .object({
    reference: ownReference({ min: 1, max: 60 }).describe('The integrator’s own reference; need not be unique.'),
    merchantInitiatedTransactionType: z
      .enum(MERCHANT_INITIATED_TYPES)
      .describe(
        'Why the merchant may charge later: `NoShow` for a missed booking, `Unscheduled` for other agreed charges.',
      ),
    terms: freeText({ min: 1, max: 10_240 }).describe(
      'The text that the payer agrees to on the page; it names the charge and when it is made.',
    ),
    intendedAmount: shapes.PayableInput.optional().describe(
      'The most that may be charged later; no limit when not sent.',
    ),
    captureMode: z.enum(['Auto']).default('Auto').meta({ description: 'A charge is always taken at once.' }),
    description: freeText({ max: 4096 }).optional().describe('Text for the payer and for reports.'),
    customer: parts.IntentCustomerInput.optional().describe('The payer, as far as they are known.'),
    paymentMethods: z
      .array(z.enum(PAYMENT_METHODS))
      .min(1)
      .max(shapes.WORDS_MAX)
      .default(['Card'])
      .describe('How the payer may authorise; `["Card"]` when not sent.'),
    billingAddress: parts.Address.optional().describe('Address of the invoice; issuers compare it.'),
    shippingDetails: parts.ShippingDetails.optional().describe('Where goods go.'),
    config: ConfigInput.prefault({}).describe('What the hosted page for the card displays and requires.'),
    metadata: Metadata.meta({ description: 'At most 16 KiB as JSON.' }),
    orderDetails: parts.OrderDetailsInput.optional().describe('The order or booking that it belongs to.'),
    requestSecurity: parts.RequestSecurity.optional().describe('The payer’s device; helps to detect fraud.'),
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
