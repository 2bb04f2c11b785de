import {
  AUTO_EXPIRE_ACTIONS,
  CAPTURE_MODES,
  PAYMENT_INTENT_STATUSES,
  PAYMENT_METHODS,
  PAYMENT_SOURCES,
} from '@pos/core/payment-intents/payment-intent';
import { ENTRY_MODES, VERIFICATION_METHODS } from '@pos/core/cards/card';
import { SESSION_STATUSES } from '@pos/core/terminals/terminal-session';
import { z } from 'zod';
import { freeText, Metadata, ownReference } from '../shapes/free-text.js';
import * as parts from '../intent-parts/payment-intent-parts.js';
import { applyInTurn, reshapeMovedMember, RESHAPES } from '../shapes/reshape.js';
import * as shapes from '../shapes/shapes.js';
import { SessionDetails } from '../terminal-sessions/terminal-sessions.js';

const { Money, Moment } = shapes;

const PastSession = z
  .object({
    terminalSession: z.object({
      id: z.string(),
      terminalId: z.string(),
      status: z.enum(SESSION_STATUSES),
      expireAt: Moment,
      createdAt: Moment,
      updatedAt: Moment,
      notificationEvents: z.array(parts.NotificationEvent),
      statusEvents: z.array(parts.StatusEvent),
      details: SessionDetails,
    }),
    payment: z
      .object({
        transactionDateTime: Moment,
        cardNumber: z.string(),
        expiryDate: z.iso.date().optional(),
        cardType: z.string(),
        authGatewayTransactionId: z.string(),
        cardHolderName: z.string().optional(),
        entryMode: z.enum(ENTRY_MODES),
        verificationMode: z.enum(VERIFICATION_METHODS),
      })
      .optional(),
  })
  .meta({ id: 'PastTerminalSession' });

/** The members of both views of an intent. */
const viewMembers = {
  id: z.string(),
  status: z.enum(PAYMENT_INTENT_STATUSES),
  captureMode: z.enum(CAPTURE_MODES),
  amount: Money,
  totalAmount: Money.meta({ description: 'What the cardholder is asked for: amount, tip, cashback, service charge.' }),
  tipsAmount: Money.optional(),
  requestedAmount: Money.optional().meta({ description: 'The first amount, once it was changed.' }),
  refundedAmount: z.int().min(0).meta({ format: 'int64', description: 'Minor units.' }),
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
  itemLines: z.array(parts.ItemLine),
  taxLines: z.array(parts.TaxLine),
  config: parts.Config,
  merchantConfig: parts.MerchantConfig,
  paymentSource: z.enum(PAYMENT_SOURCES),
  createdAt: Moment,
  updatedAt: Moment,
};

const VIEW_EXAMPLE = {
  id: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
  status: 'Created',
  captureMode: 'Auto',
  amount: { value: 1250, currencyCode: 'GBP' },
  totalAmount: { value: 1250, currencyCode: 'GBP' },
  refundedAmount: 0,
  paymentMethods: ['Card'],
  reference: 'table 4',
  clientSessionSecretExpirationDate: '0001-01-01T00:00:00Z',
  itemLines: [],
  taxLines: [],
  config: {
    customerEmail: { collectionRequired: false },
    billingAddress: { collectionRequired: false },
    shippingDetails: { collectionRequired: false },
    details: { showTotal: false, showReference: false },
    payment: { customAmountAllowed: false, tipsAllowed: false },
    branding: {},
    tradingName: 'The Corner Table',
  },
  merchantConfig: { supportedPaymentMethods: { cardSchemes: ['VISA', 'MASTERCARD'], wallets: ['APPLE_PAY'] } },
  paymentSource: 'api',
  metadata: { 'location-id': 'loc_Qk1v5r0bT4a2S7n8Lw3XyA' },
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
  paymentEvents: [],
};

export const PaymentIntent = z
  .object({
    ...viewMembers,
    cardHolderNotPresent: z.boolean(),
    cashbackAmount: Money.optional(),
    serviceChargeAmount: Money.optional(),
    subtotalLineItems: Money.optional().meta({ description: 'Sum of lines, modifiers and taxes; only with lines.' }),
    customer: parts.IntentCustomer.optional(),
    actionLink: parts.ActionLink.optional(),
    orderDetails: parts.OrderDetails.optional(),
    requestSecurity: parts.RequestSecurity.optional(),
    autoExpireAction: z.enum(AUTO_EXPIRE_ACTIONS).optional(),
    autoExpireIn: shapes.Timespan.optional(),
    expireAt: Moment,
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'Always holds `location-id`.' }),
    setupIntentId: z.string().optional(),
    paymentLink: z.string().optional(),
    paymentDetails: parts.PaymentDetails.optional().meta({ description: 'Once the payment is final.' }),
    paymentEvents: z.array(parts.PaymentEvent),
    terminalSessionHistory: z.array(PastSession),
    captures: z.array(parts.Capture).meta({ description: 'Of Manual intents only.' }),
  })
  .meta({
    id: 'PaymentIntent',
    examples: [
      {
        ...VIEW_EXAMPLE,
        cardHolderNotPresent: false,
        expireAt: '2026-03-31T12:00:00.000Z',
        terminalSessionHistory: [],
        captures: [],
      },
    ],
  });
export type PaymentIntent = z.output<typeof PaymentIntent>;

/** The view for the payer's browser: without the card and the merchant's own notes. */
export const PublicPaymentIntent = z
  .object({
    ...viewMembers,
    customer: parts.PublicCustomer.optional(),
    paymentEvents: z.array(
      parts.PaymentEvent.pick({ eventType: true, transactionId: true, transactionDateTime: true }),
    ),
    metadata: z.object({ 'location-id': z.string() }),
  })
  .meta({ id: 'PublicPaymentIntent', examples: [VIEW_EXAMPLE] });
export type PublicPaymentIntent = z.output<typeof PublicPaymentIntent>;

export const NewPaymentIntent = z
  .object({
    amount: shapes.PayableInput,
    reference: ownReference({ min: 1, max: 60 }),
    captureMode: z.enum(CAPTURE_MODES).default('Auto'),
    description: freeText({ max: 4096 }).optional(),
    tipsAmount: shapes.SurplusInput.optional(),
    cashbackAmount: shapes.SurplusInput.optional(),
    serviceChargeAmount: shapes.SurplusInput.optional(),
    customer: parts.IntentCustomerInput.optional(),
    cardHolderNotPresent: z.boolean().default(false),
    paymentMethods: z.array(z.enum(PAYMENT_METHODS)).min(1).max(shapes.WORDS_MAX).default(['Card']),
    billingAddress: parts.Address.optional(),
    shippingDetails: parts.ShippingDetails.optional(),
    requestSecurity: parts.RequestSecurity.optional(),
    itemLines: z.array(parts.ItemLineInput).max(parts.LINES_MAX).default([]),
    taxLines: z.array(parts.TaxLineInput).max(parts.LINES_MAX).default([]),
    actionLink: parts.ActionLinkInput.optional(),
    orderDetails: parts.OrderDetailsInput.optional(),
    config: parts.ConfigInput.prefault({}),
    expireAt: shapes.MomentInput.optional().meta({ description: 'In the future; 30 days from now when not sent.' }),
    autoExpireIn: shapes.TimespanInput.optional().meta({
      description: 'Manual only: how long an authorisation is held. More than 30 seconds, less than 7 days.',
    }),
    autoExpireAction: z
      .enum(AUTO_EXPIRE_ACTIONS)
      .optional()
      .meta({ description: 'Manual only; Release when not sent.' }),
    metadata: Metadata.meta({ description: 'At most 16 KiB as JSON.' }),
    setupIntentId: shapes.getId('setupIntent', 'Is not an authorised setup intent.').optional(),
    generateRemoteToken: z.boolean().optional(),
    isNotOnlineCheckout: z.boolean().default(false),
  })
  .meta({
    id: 'NewPaymentIntent',
    examples: [{ amount: { value: 1250, currencyCode: 'GBP' }, reference: 'table 4', captureMode: 'Manual' }],
  })
  .register(
    RESHAPES,
    applyInTurn(
      reshapeMovedMember({
        from: 'transactionSource',
        into: ['cardHolderNotPresent'],
        value: (sent) => (typeof sent === 'string' && sent.toUpperCase() === 'MOTO' ? true : undefined),
      }),
    ),
  );

export const PaymentIntentSearch = z
  .object({
    statuses: z
      .array(z.enum(PAYMENT_INTENT_STATUSES))
      .max(shapes.WORDS_MAX)
      .default([])
      .meta({ description: 'All but Canceled when not sent.' }),
    startDate: shapes.MomentInput.optional().meta({ description: 'Inclusive, by `createdAt`.' }),
    endDate: shapes.MomentInput.optional().meta({ description: 'Exclusive.' }),
    cursor: z
      .object(shapes.PAGE_MEMBERS)
      .refine(shapes.isOneDirection, shapes.ONE_DIRECTION)
      .prefault({})
      .meta({ description: 'Which page.' }),
  })
  .meta({ id: 'PaymentIntentSearch', examples: [{ statuses: ['Captured'], cursor: { limit: 10 } }] });

export const PaymentIntentPage = shapes.getPage('PaymentIntentPage', PaymentIntent);
