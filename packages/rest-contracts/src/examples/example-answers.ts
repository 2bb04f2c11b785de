import { IDS } from './example-ids.js';
import type { PaymentIntent } from '../payment-intents/payment-intents.js';

// The parts of an intent that the examples are about. An example is a selection: a real answer has more members.

const CREATED = '2026-03-01T12:00:00.000Z';
const NONE = '0001-01-01T00:00:00Z';

export const gbp = (value: number) => ({ value, currencyCode: 'GBP' });

const CONFIG = {
  customerEmail: { collectionRequired: false },
  billingAddress: { collectionRequired: false },
  shippingDetails: { collectionRequired: false },
  details: { showTotal: false, showReference: false },
  payment: { customAmountAllowed: false, tipsAllowed: false, holdRaiseAllowed: false },
  branding: {},
  tradingName: 'The Corner Table',
};

const MERCHANT = { supportedPaymentMethods: { cardSchemes: ['VISA', 'MASTERCARD'], wallets: ['APPLE_PAY'] } };
const METADATA = { 'location-id': 'loc_Qk1v5r0bT4a2S7n8Lw3XyA' };

/** A payment intent as the API writes it: unpaid and without a secret unless a change says otherwise. */
export function intent(changes: Partial<PaymentIntent> & { readonly id: string }): PaymentIntent {
  return {
    status: 'Created',
    captureMode: 'Auto',
    amount: gbp(1250),
    totalAmount: gbp(1250),
    refundedAmount: 0,
    paymentMethods: ['Card'],
    reference: 'table 4',
    clientSessionSecretExpirationDate: NONE,
    itemLines: [],
    taxLines: [],
    config: CONFIG,
    merchantConfig: MERCHANT as PaymentIntent['merchantConfig'],
    paymentSource: 'api',
    metadata: METADATA,
    cardHolderNotPresent: false,
    paymentEvents: [],
    terminalSessionHistory: [],
    captures: [],
    expireAt: '2026-03-31T12:00:00.000Z',
    createdAt: CREATED,
    updatedAt: CREATED,
    ...changes,
  };
}

/** The members of an intent with a secret that is still good for an attempt. */
export function withSecret(clientSessionSecret: string) {
  return { clientSessionSecret, clientSessionSecretExpirationDate: '2026-03-01T12:30:00.000Z' };
}

/** A test card that is approved without 3-D Secure, as a page sends it. */
export const CARD = { cardNumber: '4456530000091014', cardName: 'A Payer', expiryDate: '12/32', cV2: '020' };

/** The result of an approved payment online. */
export function approve(transactionId: string, message: 'DEPOSITED' | 'AUTHORIZED' = 'DEPOSITED') {
  return { statusCode: 0, message, authCode: '204711', transactionId };
}

/** The details of a payment with the test card that is always approved. */
export const CARD_PAYMENT = {
  transactionId: IDS.paidTransaction,
  transactionDateTime: '2026-03-01T12:01:00.000Z',
  message: 'DEPOSITED',
  authCode: '204711',
  card: {
    cardNumber: '44565300****1014',
    last4PAN: '1014',
    cardName: 'A Payer',
    expiryDate: '2032-12-31',
    cardType: 'VISA',
    cardFundingType: 'Debit',
    entryMode: 'Unknown',
    verificationMethod: 'None',
  },
} as const;
