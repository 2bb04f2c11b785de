import { AVS_RESULTS, CARD_FUNDING_TYPES, ENTRY_MODES, VERIFICATION_METHODS } from '@pos/core/cards';
import {
  ACTION_LINK_ACTIONS,
  CAPTURE_STATUSES,
  PAYMENT_EVENT_TYPES,
  PAYMENT_MESSAGES,
} from '@pos/core/payment-intents';
import { NOTIFICATION_TYPES, SESSION_STATUSES } from '@pos/core/terminals';
import { z } from 'zod';
import { freeText, ownReference, TypedEmail } from '../shapes/free-text.js';
import { RESHAPES, reshapeSynonym } from '../shapes/reshape.js';
import { CountryCodeInput, getId, Moment, MomentInput, Money, PriceInput, text, webAddress } from '../shapes/shapes.js';

const line = freeText({ max: 100 }).optional();
const QUANTITY_MAX = 2_147_483_647;

export const Address = z
  .object({
    address1: line.describe('First line: house number and street.'),
    address2: line.describe('Second line, such as a flat or a building.'),
    address3: line.describe('Third line, where two are not enough.'),
    address4: line.describe('Fourth line, where three are not enough.'),
    city: line.describe('Town or city.'),
    state: line.describe('State or province, where the country has them.'),
    locality: line.describe('Village or district within the city.'),
    county: line.describe('County, where addresses of the country name one.'),
    postcode: freeText({ max: 50 })
      .optional()
      .describe('Postal code as it is written in the country. Address checks of the issuer compare it.'),
    countryCode: CountryCodeInput.describe(
      'ISO 3166-1 alpha-2 code of the country, such as `GB`; read in any case, written in capitals.',
    ),
  })
  .meta({ id: 'Address', examples: [{ address1: '1 High Street', postcode: 'BS1 1AA', countryCode: 'GB' }] });

export const ShippingDetails = z
  .object({
    name: line.describe('Who receives the goods.'),
    deliveryNotes: freeText({ max: 1024 }).optional().describe('Instructions for the courier.'),
    address: Address.optional().describe('Where the goods are sent.'),
  })
  .meta({ id: 'ShippingDetails' });

export const RequestSecurity = z
  .object({
    userAgent: freeText({ max: 300 })
      .optional()
      .describe('The header `User-Agent` of the payer’s browser, as the integrator received it.'),
    ipAddress: freeText({ max: 70 }).optional().describe('The IP address from which the payer orders.'),
    device: freeText({ max: 120 })
      .optional()
      .describe('The kind or name of the payer’s device, in the integrator’s words.'),
  })
  .meta({ id: 'RequestSecurity', description: "The payer's device." });

const modifierMembers = {
  id: ownReference({ max: 100 }).describe('The integrator’s or EPOS’s id of the modifier.'),
  name: freeText({ max: 200 }).describe('Text of the modifier on the bill, such as “extra cheese”.'),
  quantity: z
    .int32()
    .describe('How many of the modifier one item has. The line has this number times its own quantity.'),
};

const Modifier = z
  .object({ ...modifierMembers, amountPerModifier: Money.describe('Price of one modifier; negative for a discount.') })
  .meta({ id: 'Modifier', description: 'Counts per single item of its line; a negative amount is a discount.' });

const ModifierInput = z
  .object({
    ...modifierMembers,
    amountPerModifier: PriceInput.describe('Price of one modifier; negative for a discount.'),
  })
  .meta({ id: 'NewModifier' });

const itemMembers = {
  id: ownReference({ max: 60 }).optional().describe('The integrator’s or EPOS’s id of the line.'),
  caption: line.describe('Text of the line on the payment page and the receipt. Requests may send it as `name`.'),
  category: line.describe('Group of the item, such as “drinks”.'),
  plu: ownReference({ max: 200 }).optional().describe('Price look-up number: the item in the catalogue of the EPOS.'),
};

export const ItemLine = z
  .object({
    ...itemMembers,
    name: line.meta({ description: 'Equal to `caption`.' }),
    quantity: z.int32().describe('How many of the item the line has; 1 unless another number was sent.'),
    amountTotal: Money.meta({ description: 'Before discounts and taxes, without modifiers.' }),
    modifiers: z
      .array(Modifier)
      .describe('Changes to the item that have a price of their own; empty when there are none.'),
  })
  .meta({ id: 'ItemLine' });

export const ItemLineInput = z
  .object({
    ...itemMembers,
    quantity: z
      .int()
      .min(-QUANTITY_MAX)
      .max(QUANTITY_MAX)
      .default(1)
      .describe('How many of the item the line has; negative for returned items. 1 when not sent.'),
    amountTotal: PriceInput.describe(
      'Price of the whole line before discounts and taxes, without modifiers. Never checked against the amount of the payment.',
    ),
    modifiers: z
      .array(ModifierInput)
      .max(1000)
      .default([])
      .describe('Changes to the item that have a price of their own.'),
  })
  .meta({ id: 'NewItemLine', examples: [{ caption: 'Soup', amountTotal: { value: 650, currencyCode: 'GBP' } }] })
  .register(RESHAPES, reshapeSynonym('caption', 'name'));

const taxMembers = {
  id: ownReference({ max: 60 }).optional().describe('The integrator’s or EPOS’s id of the tax line.'),
  caption: line.describe('Name of the tax on the payment page and the receipt, such as “VAT”.'),
  subCaption: line.describe('Second line of the text, such as the rate.'),
  affectedPlu: ownReference({ max: 200 })
    .optional()
    .describe('Price look-up number of the item that is taxed; absent for a tax on the whole bill.'),
};

export const TaxLine = z
  .object({ ...taxMembers, amountTotal: Money.describe('The amount of the tax.') })
  .meta({ id: 'TaxLine' });

export const TaxLineInput = z
  .object({
    ...taxMembers,
    amountTotal: PriceInput.describe('The amount of the tax. Never checked against the amount of the payment.'),
  })
  .meta({ id: 'NewTaxLine', examples: [{ caption: 'VAT', amountTotal: { value: 130, currencyCode: 'GBP' } }] });

/** Far above the longest bill of a restaurant. */
export const LINES_MAX = 1000;

const actionLinkMembers = {
  url: webAddress().describe('Absolute address that the link opens.'),
  label: freeText({ min: 1, max: 60 }).describe('Text of the link for the payer.'),
  fileName: freeText({ max: 256 }).optional().describe('Name of the saved file when `action` is `DownloadFile`.'),
};

export const ActionLink = z
  .object({
    ...actionLinkMembers,
    action: z.enum(ACTION_LINK_ACTIONS).describe('`OpenLink` opens the address; `DownloadFile` saves what it returns.'),
  })
  .meta({ id: 'ActionLink' });

export const ActionLinkInput = z
  .object({
    ...actionLinkMembers,
    action: z
      .enum(ACTION_LINK_ACTIONS)
      .default('OpenLink')
      .describe('`OpenLink` opens the address; `DownloadFile` saves what it returns. `OpenLink` when not sent.'),
  })
  .meta({ id: 'NewActionLink' });

const orderMembers = {
  isUpdate: z.boolean().optional().describe('True if the payment belongs to a change of an order that exists already.'),
  id: ownReference({ max: 200 }).optional().meta({ description: "The order's id in the service." }),
  externalId: ownReference({ max: 200 }).optional().meta({ description: "The order's id in the EPOS." }),
};

export const OrderDetails = z
  .object({
    availabilityDate: Moment.optional().describe('When the order is ready to be collected or served.'),
    ...orderMembers,
  })
  .meta({ id: 'OrderDetails' });

export const OrderDetailsInput = z
  .object({
    availabilityDate: MomentInput.optional().describe('When the order is ready to be collected or served.'),
    ...orderMembers,
  })
  .meta({ id: 'NewOrderDetails' });

const contact = {
  emailAddress: TypedEmail.optional().describe('E-mail address of the payer.'),
  phoneNumber: freeText({ max: 50 }).optional().describe('Phone number of the payer.'),
};

export const IntentCustomer = z
  .object({
    customerId: z
      .string()
      .optional()
      .describe('Id of the stored customer (`cust_…`); absent when the intent names none.'),
    id: z.string().optional().describe('Equal to `customerId`.'),
    ...contact,
  })
  .meta({ id: 'IntentCustomer', description: '`customerId` and `id` are equal.' });

/** Without the phone number, which another person may have entered. */
export const PublicCustomer = z.object({
  customerId: z
    .string()
    .optional()
    .describe('Id of the stored customer (`cust_…`); absent when the intent names none.'),
  id: z.string().optional().describe('Equal to `customerId`.'),
  emailAddress: z.string().optional().describe('E-mail address of the payer, so that the page need not ask for it.'),
});

export const IntentCustomerInput = z
  .object({
    id: getId('customer', 'Is not a customer.').optional().meta({ description: 'Also read as `customerId`.' }),
    ...contact,
    secret: text({ min: 1, max: 500 }).optional().meta({
      description: 'A customer secret: the hosted page offers saved cards. Needs `id` and the method SavedCard.',
    }),
    savedCardId: text({ min: 1, max: 100 }).optional().meta({ description: 'The saved card to offer first.' }),
  })
  .meta({ id: 'NewIntentCustomer' })
  .register(RESHAPES, reshapeSynonym('id', 'customerId'));

const Card = z
  .object({
    cardNumber: z.string().meta({
      description:
        'First 8 digits, `****`, last 4. Asterisks replace digits that are not known, or that must not be displayed ' +
        'because the number may have fewer than 16. Empty when the card machine or the acquirer sent no readable mask.',
    }),
    last4PAN: z.string().meta({ description: 'Empty when they were not sent in a readable form.' }),
    cardName: z
      .string()
      .optional()
      .describe('Name on the card, as the payer entered it or the machine read it; absent when it is not known.'),
    expiryDate: z.iso.date().optional().meta({ description: 'Last day of the expiry month.' }),
    cardType: z
      .string()
      .describe('Scheme of the card in capitals, such as `VISA`; `UNKNOWN` when its label is not known.'),
    cardFundingType: z
      .enum(CARD_FUNDING_TYPES)
      .describe('How the card is funded, as the acquirer reports it; `Unknown` when it does not.'),
    entryMode: z
      .enum(ENTRY_MODES)
      .describe('How the card was read, as the machine reports it; `Unknown` for payments online.'),
    verificationMethod: z
      .enum(VERIFICATION_METHODS)
      .describe('How the cardholder proved their identity at the machine; `None` online.'),
  })
  .meta({ id: 'Card' });

export const PaymentDetails = z
  .object({
    transactionId: z.string().describe('UUID of the transaction; the same as `id` in the listing of transactions.'),
    acquirerTransactionId: z
      .string()
      .optional()
      .describe('How the acquirer names the transaction, where that is no UUID; absent otherwise.'),
    transactionDateTime: Moment.describe('When the acquirer decided.'),
    message: z
      .enum(PAYMENT_MESSAGES)
      .describe('Outcome of the last step: `DEPOSITED` captured, `AUTHORIZED` held, and so on.'),
    authCode: z.string().describe('Code with which the issuer approved the payment; printed on receipts.'),
    paymentMethodId: z
      .string()
      .optional()
      .describe('Id of the saved card (`pm_…`) that was used or saved; absent otherwise.'),
    avsResult: z
      .enum(AVS_RESULTS)
      .optional()
      .describe('How the billing address compares with the issuer’s; absent when there was no check.'),
    card: Card.describe('The card that was used, with a masked number.'),
  })
  .meta({ id: 'PaymentDetails' });

export const PaymentEvent = z
  .object({
    transactionId: z
      .string()
      .optional()
      .describe('UUID of the attempt; absent for steps that belong to none, such as a cancellation.'),
    transactionDateTime: Moment.describe('When the step happened.'),
    authCode: z.string().meta({ description: 'Empty before an approval.' }),
    cardNumber: z
      .string()
      .optional()
      .describe('Masked number of the card: first 8 digits, `****`, last 4. Absent for steps without a card.'),
    expiryDate: z.iso
      .date()
      .optional()
      .describe('Last day of the card’s expiry month; absent for steps without a card.'),
    cardType: z.string().optional().describe('Scheme of the card in capitals; absent for steps without a card.'),
    cardholderName: z.string().optional().describe('Name on the card; absent when it is not known.'),
    paymentMethodId: z.string().optional().describe('Id of the saved card (`pm_…`); absent when none was used.'),
    eventType: z
      .enum(PAYMENT_EVENT_TYPES)
      .describe(
        'What happened. `AuthChallenged`: the issuer asked for 3-D Secure. `Error`: the attempt failed without a decision of the issuer.',
      ),
    amount: Money.optional().meta({
      description: 'The amount of the step: of a capture, of a refund or reversal, or of a declined attempt.',
    }),
  })
  .meta({ id: 'PaymentEvent', description: 'Steps of one attempt share `transactionId`.' });

export const Capture = z
  .object({
    id: z.string().describe('Id of the capture (`cp_…`).'),
    amount: z
      .int()
      .meta({ format: 'int64' })
      .describe('Captured minor units without the tip, in the currency of the payment.'),
    tipsAmount: z
      .int()
      .meta({ format: 'int64' })
      .describe('Captured tip in minor units, on top of `amount`; 0 without one.'),
    status: z
      .enum(CAPTURE_STATUSES)
      .describe(
        '`Created` until the acquirer answers; then `Successful`, `Declined` or `Failed`. Only successful captures moved money.',
      ),
    createdAt: Moment.describe('When the capture was requested.'),
  })
  .meta({ id: 'Capture' });

export const NotificationEvent = z
  .object({
    notificationType: z.enum(NOTIFICATION_TYPES).describe('What the machine displays to the cardholder.'),
    createdAt: Moment.describe('When the machine reported it.'),
  })
  .meta({ id: 'NotificationEvent' });

export const StatusEvent = z
  .object({
    status: z.enum(SESSION_STATUSES).describe('Status that the session reached.'),
    createdAt: Moment.describe('When the session reached the status.'),
    debugMessage: z.string().describe('Kept for older integrations: always empty text.'),
  })
  .meta({ id: 'StatusEvent' });
