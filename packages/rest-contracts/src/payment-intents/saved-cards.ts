import { CARD_SCHEMES, WALLET_KINDS } from '@pos/core/cards';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';

const SavedPaymentMethod = z
  .object({
    id: z.string().describe('Id of the saved card (`pm_…`); pay with it by `paymentMethodId`.'),
    cardDetails: z
      .object({
        pan: z.string().meta({ description: 'First 8 digits, `****`, last 4.' }),
        expiryDate: z.iso.date().meta({ description: 'Last day of the expiry month.' }),
        scheme: z.enum(CARD_SCHEMES).optional().describe('Scheme of the card; absent when it is not known.'),
      })
      .describe('What may be displayed of the card.'),
  })
  .meta({ id: 'SavedPaymentMethod' });

export const PaymentMethods = z
  .object({
    customerId: z.string().describe('Id of the customer (`cust_…`) whose cards are listed.'),
    merchantId: z.string().describe('Number of the merchant at the acquirer.'),
    savedPaymentMethods: z.array(SavedPaymentMethod).meta({ description: 'Newest first.' }),
    supportedPaymentMethods: z
      .object({
        cardSchemes: z.array(z.enum(CARD_SCHEMES)).describe('Card schemes that the merchant accepts.'),
        wallets: z.array(z.enum(WALLET_KINDS)).describe('Wallets that the merchant accepts.'),
      })
      .describe('What the merchant accepts now.'),
  })
  .meta({
    id: 'PaymentMethods',
    examples: [
      {
        customerId: 'cust_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
        merchantId: '9000012345',
        savedPaymentMethods: [
          {
            id: 'pm_AaH8KwlxavakGwZZljrhYw',
            cardDetails: { pan: '44565300****1014', expiryDate: '2032-12-31', scheme: 'VISA' },
          },
        ],
        supportedPaymentMethods: { cardSchemes: ['VISA', 'MASTERCARD'], wallets: ['APPLE_PAY'] },
      },
    ],
  });
export type PaymentMethods = z.output<typeof PaymentMethods>;

const OfferedCards = z
  .object({
    savedPaymentMethods: z.array(SavedPaymentMethod).meta({
      description: 'The one that the integrator named first, then newest first; without those that have expired.',
    }),
  })
  .meta({
    id: 'OfferedCards',
    examples: [
      {
        savedPaymentMethods: [
          {
            id: 'pm_AaH8KwlxavakGwZZljrhYw',
            cardDetails: { pan: '44565300****1014', expiryDate: '2032-12-31', scheme: 'VISA' },
          },
        ],
      },
    ],
  });
export type OfferedCards = z.output<typeof OfferedCards>;

const shared = {
  tag: 'Saved cards, by the customer',
  version: 'optional',
  permission: null,
  customerSecret: 'authorization',
  idempotency: 'none',
  crossOrigin: true,
} as const;

export const readPaymentMethods = {
  ...shared,
  id: 'readPaymentMethods',
  method: 'GET',
  path: '/customers/public/{customerId}/payment-methods',
  summary: 'List the saved cards of a customer',
  params: z.object({ customerId: z.string().describe('Id of the customer (`cust_…`) whose secret is sent.') }),
  returns: PaymentMethods,
  refusals: ['unauthenticated'],
} as const satisfies Operation;

export const deletePaymentMethod = {
  ...shared,
  id: 'deletePaymentMethod',
  method: 'DELETE',
  path: '/customers/public/{customerId}/payment-methods/{paymentMethodId}',
  summary: 'Delete a saved card of a customer',
  description: 'Its number is erased at once.',
  params: z.object({
    customerId: z.string().describe('Id of the customer (`cust_…`) whose secret is sent.'),
    paymentMethodId: z.string().describe('Id of the saved card (`pm_…`).'),
  }),
  returns: null,
  refusals: ['unauthenticated', 'saved_card_not_found', 'saved_card_busy'],
} as const satisfies Operation;

const byMerchant = { tag: 'Customers', version: 'required' } as const;

export const listSavedCards = {
  ...byMerchant,
  id: 'listSavedCards',
  method: 'GET',
  path: '/customers/{customerId}/payment-methods',
  summary: 'List the saved cards of a customer, by the merchant',
  description: 'The same cards as the customer reads with their secret. Numbers are masked.',
  permission: 'customers.read',
  idempotency: 'none',
  params: z.object({ customerId: z.string().describe('Id of the customer (`cust_…`).') }),
  returns: PaymentMethods,
  refusals: ['customer_not_found'],
} as const satisfies Operation;

export const deleteSavedCard = {
  ...byMerchant,
  id: 'deleteSavedCard',
  method: 'DELETE',
  path: '/customers/{customerId}/payment-methods/{paymentMethodId}',
  summary: 'Delete a saved card of a customer, by the merchant',
  description: 'For a customer who asks the merchant to remove the card. Its number is erased at once.',
  permission: 'customers.write',
  idempotency: 'optional',
  params: z.object({
    customerId: z.string().describe('Id of the customer (`cust_…`).'),
    paymentMethodId: z.string().describe('Id of the saved card (`pm_…`).'),
  }),
  returns: null,
  refusals: ['customer_not_found', 'saved_card_not_found', 'saved_card_busy'],
} as const satisfies Operation;

export const readOfferedCards = {
  id: 'readOfferedCards',
  tag: 'Payment intents, by the payer',
  method: 'GET',
  path: '/payment-intents/public/{paymentIntentId}/payment-methods',
  summary: 'List the saved cards that a payer may choose from',
  description:
    'There are some only while the customer secret is valid that the intent was created with (`customer.secret`), and only ' +
    'until it is paid; the list is empty otherwise.',
  version: 'optional',
  permission: null,
  idempotency: 'none',
  crossOrigin: true,
  params: z.object({ paymentIntentId: z.string().describe('Id of the payment intent (`pi_…`).') }),
  returns: OfferedCards,
  refusals: ['payment_intent_not_found'],
} as const satisfies Operation;

export const SAVED_CARD_OPERATIONS = [
  listSavedCards,
  deleteSavedCard,
  readPaymentMethods,
  deletePaymentMethod,
  readOfferedCards,
] as const;
