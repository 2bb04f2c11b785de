import {
  AVS_RESULTS,
  CARD_FUNDING_TYPES,
  CARD_SCHEMES,
  ENTRY_MODES,
  VERIFICATION_METHODS,
  WALLET_KINDS,
} from '@pos/core/cards/card';
import { ACTION_LINK_ACTIONS } from '@pos/core/payment-intents/intent-details';
import { CAPTURE_STATUSES } from '@pos/core/payment-intents/payment-intent';
import { PAYMENT_EVENT_TYPES, PAYMENT_MESSAGES } from '@pos/core/payment-intents/payment-event';
import { NOTIFICATION_TYPES, SESSION_STATUSES } from '@pos/core/terminals/terminal-session';
import { z } from 'zod';
import { freeText, TypedEmail } from '../shapes/free-text.js';
import { RESHAPES, reshapeSynonym } from '../shapes/reshape.js';
import { CountryCodeInput, getId, Moment, MomentInput, Money, PriceInput, text, webAddress } from '../shapes/shapes.js';

const line = freeText({ max: 100 }).optional();
const QUANTITY_MAX = 2_147_483_647;

export const Address = z
  .object({
    address1: line,
    address2: line,
    address3: line,
    address4: line,
    city: line,
    state: line,
    locality: line,
    county: line,
    postcode: text({ max: 50 }).optional(),
    countryCode: CountryCodeInput,
  })
  .meta({ id: 'Address', examples: [{ address1: '1 High Street', postcode: 'BS1 1AA', countryCode: 'GB' }] });

export const ShippingDetails = z
  .object({ name: line, deliveryNotes: freeText({ max: 1024 }).optional(), address: Address.optional() })
  .meta({ id: 'ShippingDetails' });

export const RequestSecurity = z
  .object({
    userAgent: text({ max: 300 }).optional(),
    ipAddress: text({ max: 70 }).optional(),
    device: text({ max: 120 }).optional(),
  })
  .meta({ id: 'RequestSecurity', description: "The payer's device." });

const modifierMembers = { id: text({ max: 100 }), name: freeText({ max: 200 }), quantity: z.int32() };

const Modifier = z
  .object({ ...modifierMembers, amountPerModifier: Money })
  .meta({ id: 'Modifier', description: 'Counts per single item of its line; a negative amount is a discount.' });

const ModifierInput = z.object({ ...modifierMembers, amountPerModifier: PriceInput }).meta({ id: 'NewModifier' });

const itemMembers = {
  id: text({ max: 60 }).optional(),
  caption: line,
  category: line,
  plu: text({ max: 200 }).optional(),
};

export const ItemLine = z
  .object({
    ...itemMembers,
    name: line.meta({ description: 'Equal to `caption`.' }),
    quantity: z.int32(),
    amountTotal: Money.meta({ description: 'Before discounts and taxes, without modifiers.' }),
    modifiers: z.array(Modifier),
  })
  .meta({ id: 'ItemLine' });

export const ItemLineInput = z
  .object({
    ...itemMembers,
    quantity: z.int().min(-QUANTITY_MAX).max(QUANTITY_MAX).default(1),
    amountTotal: PriceInput,
    modifiers: z.array(ModifierInput).max(1000).default([]),
  })
  .meta({ id: 'NewItemLine', examples: [{ caption: 'Soup', amountTotal: { value: 650, currencyCode: 'GBP' } }] })
  .register(RESHAPES, reshapeSynonym('caption', 'name'));

const taxMembers = {
  id: text({ max: 60 }).optional(),
  caption: line,
  subCaption: line,
  affectedPlu: text({ max: 200 }).optional(),
};

export const TaxLine = z.object({ ...taxMembers, amountTotal: Money }).meta({ id: 'TaxLine' });

export const TaxLineInput = z
  .object({ ...taxMembers, amountTotal: PriceInput })
  .meta({ id: 'NewTaxLine', examples: [{ caption: 'VAT', amountTotal: { value: 130, currencyCode: 'GBP' } }] });

/** Far above the longest bill of a restaurant. */
export const LINES_MAX = 1000;

const actionLinkMembers = {
  url: webAddress(),
  label: freeText({ min: 1, max: 60 }),
  fileName: freeText({ max: 256 }).optional(),
};

export const ActionLink = z
  .object({ ...actionLinkMembers, action: z.enum(ACTION_LINK_ACTIONS) })
  .meta({ id: 'ActionLink' });

export const ActionLinkInput = z
  .object({ ...actionLinkMembers, action: z.enum(ACTION_LINK_ACTIONS).default('OpenLink') })
  .meta({ id: 'NewActionLink' });

const orderMembers = {
  isUpdate: z.boolean().optional(),
  id: text({ max: 200 }).optional().meta({ description: "The order's id in the service." }),
  externalId: text({ max: 200 }).optional().meta({ description: "The order's id in the EPOS." }),
};

export const OrderDetails = z
  .object({ availabilityDate: Moment.optional(), ...orderMembers })
  .meta({ id: 'OrderDetails' });

export const OrderDetailsInput = z
  .object({ availabilityDate: MomentInput.optional(), ...orderMembers })
  .meta({ id: 'NewOrderDetails' });

const switchedOff = z.boolean().default(false);

export const ConfigInput = z
  .object({
    title: freeText({ max: 100 }).optional(),
    redirectUrl: webAddress().optional(),
    cancelUrl: webAddress().optional(),
    customerEmail: z.object({ collectionRequired: switchedOff }).prefault({}),
    billingAddress: z.object({ collectionRequired: switchedOff }).prefault({}),
    shippingDetails: z.object({ collectionRequired: switchedOff }).prefault({}),
    details: z.object({ showTotal: switchedOff, showReference: switchedOff }).prefault({}),
    payment: z.object({ customAmountAllowed: switchedOff, tipsAllowed: switchedOff }).prefault({}),
  })
  .meta({ id: 'NewCheckoutConfig', description: 'What the hosted page shows and asks for.' });

const collects = z.object({ collectionRequired: z.boolean() });

export const Config = z
  .object({
    title: z.string().optional(),
    redirectUrl: z.string().optional(),
    cancelUrl: z.string().optional(),
    customerEmail: collects,
    billingAddress: collects,
    shippingDetails: collects,
    details: z.object({ showTotal: z.boolean(), showReference: z.boolean() }),
    payment: z.object({ customAmountAllowed: z.boolean(), tipsAllowed: z.boolean() }),
    branding: z.object({ logoUrl: z.string().optional(), faviconUrl: z.string().optional() }),
    tradingName: z.string(),
  })
  .meta({ id: 'CheckoutConfig' });

export const MerchantConfig = z
  .object({
    supportedPaymentMethods: z.object({
      cardSchemes: z.array(z.enum(CARD_SCHEMES)),
      wallets: z.array(z.enum(WALLET_KINDS)),
    }),
  })
  .meta({ id: 'MerchantConfig' });

const contact = { emailAddress: TypedEmail.optional(), phoneNumber: freeText({ max: 50 }).optional() };

export const IntentCustomer = z
  .object({ customerId: z.string().optional(), id: z.string().optional(), ...contact })
  .meta({ id: 'IntentCustomer', description: '`customerId` and `id` are equal.' });

/** Without the phone number, which another person may have entered. */
export const PublicCustomer = z.object({
  customerId: z.string().optional(),
  id: z.string().optional(),
  emailAddress: z.string().optional(),
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
        'First 8 digits, `****`, last 4. Asterisks stand in place of digits that are not known, or that may not be shown ' +
        'because the number may have fewer than 16. Empty when the card machine or the acquirer sent no readable mask.',
    }),
    last4PAN: z.string().meta({ description: 'Empty when nobody sent them readably.' }),
    cardName: z.string().optional(),
    expiryDate: z.iso.date().optional().meta({ description: 'Last day of the expiry month.' }),
    cardType: z.string(),
    cardFundingType: z.enum(CARD_FUNDING_TYPES),
    entryMode: z.enum(ENTRY_MODES),
    verificationMethod: z.enum(VERIFICATION_METHODS),
  })
  .meta({ id: 'Card' });

export const PaymentDetails = z
  .object({
    transactionId: z.string(),
    transactionDateTime: Moment,
    message: z.enum(PAYMENT_MESSAGES),
    authCode: z.string(),
    paymentMethodId: z.string().optional(),
    avsResult: z.enum(AVS_RESULTS).optional(),
    card: Card,
  })
  .meta({ id: 'PaymentDetails' });

export const PaymentEvent = z
  .object({
    transactionId: z.string().optional(),
    transactionDateTime: Moment,
    authCode: z.string().meta({ description: 'Empty before an approval.' }),
    cardNumber: z.string().optional(),
    expiryDate: z.iso.date().optional(),
    cardType: z.string().optional(),
    cardholderName: z.string().optional(),
    paymentMethodId: z.string().optional(),
    eventType: z.enum(PAYMENT_EVENT_TYPES),
    amount: Money.optional().meta({
      description:
        'What the step was over: what a capture took, what a refund or reversal gave back, what a declined attempt asked for.',
    }),
  })
  .meta({ id: 'PaymentEvent', description: 'Steps of one attempt share `transactionId`.' });

export const Capture = z
  .object({
    id: z.string(),
    amount: z.int().meta({ format: 'int64' }),
    tipsAmount: z.int().meta({ format: 'int64' }),
    status: z.enum(CAPTURE_STATUSES),
    createdAt: Moment,
  })
  .meta({ id: 'Capture' });

export const NotificationEvent = z
  .object({ notificationType: z.enum(NOTIFICATION_TYPES), createdAt: Moment })
  .meta({ id: 'NotificationEvent' });

export const StatusEvent = z
  .object({ status: z.enum(SESSION_STATUSES), createdAt: Moment, debugMessage: z.string() })
  .meta({ id: 'StatusEvent' });
