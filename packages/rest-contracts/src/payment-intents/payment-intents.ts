import {
  AUTO_EXPIRE_ACTIONS,
  CAPTURE_MODES,
  PAYMENT_INTENT_STATUSES,
  PAYMENT_METHODS,
  PAYMENT_SOURCES,
} from '@pos/core/payment-intents';
import { ENTRY_MODES, VERIFICATION_METHODS } from '@pos/core/cards';
import { SESSION_STATUSES } from '@pos/core/terminals';
import { z } from 'zod';
import { freeText, Metadata, ownReference } from '../shapes/free-text.js';
import { Config, ConfigInput, MerchantConfig } from '../intent-parts/checkout-config.js';
import * as parts from '../intent-parts/payment-intent-parts.js';
import { applyInTurn, reshapeMovedMember, RESHAPES } from '../shapes/reshape.js';
import * as shapes from '../shapes/shapes.js';
import { SessionDetails } from '../terminal-sessions/terminal-sessions.js';

const { Money, Moment } = shapes;

const PastSession = z
  .object({
    terminalSession: z
      .object({
        id: z.string().describe('Id of the session (`ts_…`).'),
        terminalId: z.string().describe('Id of the card machine (`tm_…`).'),
        status: z.enum(SESSION_STATUSES).describe('Current status of the session.'),
        expireAt: Moment.describe('When the session expires unless it ends before.'),
        createdAt: Moment.describe('When the session was created.'),
        updatedAt: Moment.describe('When the last status was reached.'),
        notificationEvents: z.array(parts.NotificationEvent).describe('What the machine displayed, oldest first.'),
        statusEvents: z.array(parts.StatusEvent).describe('All statuses of the session, oldest first.'),
        details: SessionDetails.describe('What the session was created for.'),
      })
      .describe('The session as it is now.'),
    payment: z
      .object({
        transactionDateTime: Moment.describe('When the acquirer decided.'),
        cardNumber: z.string().describe('Masked number of the card.'),
        expiryDate: z.iso
          .date()
          .optional()
          .describe('Last day of the card’s expiry month; absent when the machine did not report it.'),
        cardType: z.string().describe('Scheme of the card in capitals; `UNKNOWN` when its label is not known.'),
        authGatewayTransactionId: z
          .string()
          .describe('UUID of the transaction; equal to `paymentDetails.transactionId`.'),
        cardHolderName: z.string().optional().describe('Name on the card; absent when the machine did not report it.'),
        entryMode: z.enum(ENTRY_MODES).describe('How the card was read.'),
        verificationMode: z.enum(VERIFICATION_METHODS).describe('How the cardholder proved their identity.'),
      })
      .optional()
      .describe('How the card was taken; absent until the acquirer has approved.'),
  })
  .meta({ id: 'PastTerminalSession' });

/** The members of both views of an intent. */
const viewMembers = {
  id: z.string().describe('Id of the payment intent: `pi_sandbox_…` in the sandbox, `pi_…` in production.'),
  status: z
    .enum(PAYMENT_INTENT_STATUSES)
    .describe(
      '`Created` unpaid; `Authorized` held; `Captured` taken; `Refunded` taken and returned in full; `Reversed` undone; `Canceled` given up unpaid.',
    ),
  captureMode: z
    .enum(CAPTURE_MODES)
    .describe('`Auto`: the approval takes the money. `Manual`: it is held until captures take it.'),
  amount: Money.describe('The price, without tip, cashback and service charge.'),
  totalAmount: Money.meta({ description: 'The total for the cardholder: amount, tip, cashback, service charge.' }),
  tipsAmount: Money.optional().describe('The tip; absent until there is one.'),
  requestedAmount: Money.optional().meta({ description: 'The first amount, once it was changed.' }),
  refundedAmount: z.int().min(0).meta({ format: 'int64', description: 'Minor units.' }),
  paymentMethods: z
    .array(z.enum(PAYMENT_METHODS))
    .describe('How the payer may pay online: `Card`, `Wallet`, `SavedCard`.'),
  reference: z.string().describe('The integrator’s own reference, as it was sent. It need not be unique.'),
  description: z.string().optional().describe('The integrator’s text about the payment, if one was sent.'),
  clientSessionSecret: z.string().optional().meta({
    description:
      'While it is unused and unexpired, for a payer and for a key with `payments.write` or `payments.online`.',
  }),
  clientSessionSecretExpirationDate: Moment.meta({
    description:
      'When `clientSessionSecret` expires. Always written: without a secret, such as after the payment, it is ' +
      '0001-01-01T00:00:00Z, which means that there is no time.',
  }),
  billingAddress: parts.Address.optional().describe('Address of the invoice, as it was sent or the payer entered it.'),
  shippingDetails: parts.ShippingDetails.optional().describe(
    'Where the goods go, as it was sent or the payer entered it.',
  ),
  itemLines: z
    .array(parts.ItemLine)
    .describe('What is paid, line by line; empty when no lines were sent. The sum need not be the amount.'),
  taxLines: z.array(parts.TaxLine).describe('Taxes within the amount; empty when none were sent.'),
  config: Config.describe('What the payment page displays and requires.'),
  merchantConfig: MerchantConfig.describe('What the merchant accepts.'),
  paymentSource: z
    .enum(PAYMENT_SOURCES)
    .describe(
      'Where the intent was created: `api`, `virtual-terminal`, `payment-links` (the portal) or `pay-at-table`.',
    ),
  createdAt: Moment.describe('When the intent was created.'),
  updatedAt: Moment.describe('When the intent was changed last; moves with every stored change.'),
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
    payment: { customAmountAllowed: false, tipsAllowed: false, holdRaiseAllowed: false },
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
    cardHolderNotPresent: z
      .boolean()
      .describe('True: the card is keyed in without the cardholder, such as for an order by phone.'),
    cashbackAmount: Money.optional().describe(
      'Cash that is handed to the payer, on top of the price; absent without any.',
    ),
    serviceChargeAmount: Money.optional().describe('Service charge on top of the price; absent without any.'),
    subtotalLineItems: Money.optional().meta({ description: 'Sum of lines, modifiers and taxes; only with lines.' }),
    customer: parts.IntentCustomer.optional().describe('The payer, as far as they are known; absent otherwise.'),
    actionLink: parts.ActionLink.optional().describe(
      'A link for the payer that belongs to the payment, if one was sent.',
    ),
    orderDetails: parts.OrderDetails.optional().describe('The order that is paid, if it was sent.'),
    requestSecurity: parts.RequestSecurity.optional().describe(
      'The device from which the payer ordered, if it was sent.',
    ),
    autoExpireAction: z
      .enum(AUTO_EXPIRE_ACTIONS)
      .optional()
      .describe('Manual only: what happens to the hold when it ends. `Release` returns it, `Capture` takes it.'),
    autoExpireIn: shapes.Timespan.optional().describe(
      'Manual only: how long an authorisation is held, as `hh:mm:ss` or `d.hh:mm:ss`; seven days when absent.',
    ),
    expireAt: Moment.describe(
      'When an unpaid intent is canceled by itself; 30 days after its creation unless another time was sent.',
    ),
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'Always holds `location-id`.' }),
    setupIntentId: z
      .string()
      .optional()
      .describe('Id of the setup intent (`si_…`) whose card is charged; absent for other payments.'),
    paymentLink: z
      .string()
      .optional()
      .describe('Address of the hosted payment page for this intent; absent when the payment is not taken online.'),
    paymentDetails: parts.PaymentDetails.optional().meta({ description: 'Once the payment is final.' }),
    paymentEvents: z.array(parts.PaymentEvent).describe('Steps of all attempts, oldest first; empty until the first.'),
    terminalSessionHistory: z
      .array(PastSession)
      .describe('Sessions on card machines for this payment, oldest first; empty when there are none.'),
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
    customer: parts.PublicCustomer.optional().describe(
      'The payer, as far as they are known; absent otherwise, and after the payment for all but the page that has paid.',
    ),
    paymentEvents: z
      .array(parts.PaymentEvent.pick({ eventType: true, transactionId: true, transactionDateTime: true }))
      .describe(
        'Steps of all attempts without their cards, oldest first. `transactionId` is present for the page of the attempt only.',
      ),
    metadata: z
      .object({
        'location-id': z.string().describe('Id of the location (`loc_…`) of the account, set by the service.'),
      })
      .describe('Only the id of the location; the integrator’s own additions are left out.'),
  })
  .meta({ id: 'PublicPaymentIntent', examples: [VIEW_EXAMPLE] });
export type PublicPaymentIntent = z.output<typeof PublicPaymentIntent>;

export const NewPaymentIntent = z
  .object({
    amount: shapes.PayableInput.describe('The price to collect, without tip, cashback and service charge.'),
    reference: ownReference({ min: 1, max: 60 }).describe(
      'The integrator’s own reference, such as a bill number. Appears in listings; need not be unique.',
    ),
    captureMode: z
      .enum(CAPTURE_MODES)
      .default('Auto')
      .describe('`Auto` takes the money at once; `Manual` holds it for captures. `Auto` when not sent.'),
    description: freeText({ max: 4096 }).optional().describe('Text about the payment for the payer and for reports.'),
    tipsAmount: shapes.SurplusInput.optional().describe('Tip that is collected on top of `amount`.'),
    cashbackAmount: shapes.SurplusInput.optional().describe('Cash for the payer, collected on top of `amount`.'),
    serviceChargeAmount: shapes.SurplusInput.optional().describe('Service charge, collected on top of `amount`.'),
    customer: parts.IntentCustomerInput.optional().describe('The payer, as far as they are known.'),
    cardHolderNotPresent: z
      .boolean()
      .default(false)
      .describe('True: the card is keyed in without the cardholder. Also read as `transactionSource: "MOTO"`.'),
    paymentMethods: z
      .array(z.enum(PAYMENT_METHODS))
      .min(1)
      .max(shapes.WORDS_MAX)
      .default(['Card'])
      .describe('How the payer may pay online; `["Card"]` when not sent.'),
    billingAddress: parts.Address.optional().describe('Address of the invoice; issuers compare it.'),
    shippingDetails: parts.ShippingDetails.optional().describe('Where the goods go.'),
    requestSecurity: parts.RequestSecurity.optional().describe(
      'The device from which the payer orders; helps to detect fraud.',
    ),
    itemLines: z
      .array(parts.ItemLineInput)
      .max(parts.LINES_MAX)
      .default([])
      .describe('What is paid, line by line. The sum need not be the amount.'),
    taxLines: z.array(parts.TaxLineInput).max(parts.LINES_MAX).default([]).describe('Taxes within the amount.'),
    actionLink: parts.ActionLinkInput.optional().describe(
      'A link for the payer that belongs to the payment; stored and returned as it is.',
    ),
    orderDetails: parts.OrderDetailsInput.optional().describe('The order that is paid.'),
    config: ConfigInput.prefault({}).describe('What the hosted payment page displays and requires.'),
    expireAt: shapes.MomentInput.optional().meta({ description: 'In the future; 30 days from now when not sent.' }),
    autoExpireIn: shapes.TimespanInput.optional().meta({
      description: 'Manual only: how long an authorisation is held. More than 30 seconds, less than 7 days.',
    }),
    autoExpireAction: z
      .enum(AUTO_EXPIRE_ACTIONS)
      .optional()
      .meta({ description: 'Manual only; Release when not sent.' }),
    metadata: Metadata.meta({ description: 'At most 16 KiB as JSON.' }),
    setupIntentId: shapes
      .getId('setupIntent', 'Is not an authorised setup intent.')
      .optional()
      .describe('Id of an Authorized setup intent whose card is charged by the charge operation. Not with `Manual`.'),
    generateRemoteToken: z
      .boolean()
      .optional()
      .describe(
        'False: no client secret until it is refreshed. True: a secret at once, or 403 without the permission `payments.online`. Not sent: a secret if the key may.',
      ),
    isNotOnlineCheckout: z
      .boolean()
      .default(false)
      .describe(
        'True: the answer has `paymentLink` even if the account or key may not take payments online; it then has no client secret.',
      ),
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

/** Members of a new payment intent that have no effect: an `Auto` one has nothing that could expire. */
export function listIgnoredOfIntent(body: unknown): readonly string[] {
  const { captureMode, autoExpireIn, autoExpireAction } = body as z.output<typeof NewPaymentIntent>;
  if (captureMode !== 'Auto') return [];
  return Object.entries({ autoExpireIn, autoExpireAction }).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
}

export const PaymentIntentSearch = z
  .object({
    statuses: z
      .array(z.enum(PAYMENT_INTENT_STATUSES))
      .max(shapes.WORDS_MAX)
      .default([])
      .meta({ description: 'All but Canceled when not sent.' }),
    startDate: shapes.MomentInput.optional().meta({ description: 'Inclusive, by `createdAt`.' }),
    endDate: shapes.MomentInput.optional().meta({ description: 'Exclusive.' }),
    customerId: shapes
      .text({ min: 1, max: 100 })
      .optional()
      .describe('Only payments of this customer (`cust_…`); an unknown one has none.'),
    cursor: z
      .object(shapes.PAGE_MEMBERS)
      .refine(shapes.isOneDirection, shapes.ONE_DIRECTION)
      .prefault({})
      .meta({ description: 'Which page.' }),
  })
  .meta({ id: 'PaymentIntentSearch', examples: [{ statuses: ['Captured'], cursor: { limit: 10 } }] });

export const PaymentIntentPage = shapes.getPage('PaymentIntentPage', PaymentIntent);
