import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import {
  listIgnoredOfIntent,
  NewPaymentIntent,
  PaymentIntent,
  PaymentIntentPage,
  PaymentIntentSearch,
  PublicPaymentIntent,
} from './payment-intents.js';

const shared = { tag: 'Payment intents', version: 'required' } as const;
const params = z.object({ paymentIntentId: z.string().describe('Id of the payment intent (`pi_…`).') });

export const createPaymentIntent = {
  ...shared,
  id: 'createPaymentIntent',
  movesMoney: true,
  method: 'POST',
  path: '/payment-intents',
  summary: 'Create a payment intent',
  description:
    'A request for one payment. The payer pays by the payment link, with the client secret, or on a card machine. The ' +
    'client secret is created at once if the key has the permission `payments.online`.',
  permission: 'payments.write',
  idempotency: 'optional',
  body: NewPaymentIntent,
  listIgnored: listIgnoredOfIntent,
  returns: PaymentIntent,
  refusals: ['account_disabled', 'acquirer_lacks_capability'],
} as const satisfies Operation;

export const readPaymentIntent = {
  ...shared,
  id: 'readPaymentIntent',
  method: 'GET',
  path: '/payment-intents/{paymentIntentId}',
  summary: 'Read a payment intent',
  permission: 'payments.read',
  idempotency: 'none',
  params,
  query: z.object({
    returnCanceled: z.boolean().default(false).meta({ description: 'Also answer when the intent is Canceled.' }),
  }),
  returns: PaymentIntent,
  continuesPayment: true,
  refusals: ['payment_intent_not_found'],
} as const satisfies Operation;

export const cancelPaymentIntent = {
  ...shared,
  id: 'cancelPaymentIntent',
  movesMoney: true,
  method: 'DELETE',
  path: '/payment-intents/{paymentIntentId}',
  summary: 'Cancel an unpaid payment intent',
  description:
    'A challenge that waits for its payer is ended, and its authorisation is reversed. While any other attempt or a session runs, the request is refused.',
  permission: 'payments.write',
  idempotency: 'optional',
  params,
  returns: PaymentIntent,
  continuesPayment: true,
  refusals: ['payment_intent_not_found', 'payment_intent_not_cancelable', 'payment_intent_busy'],
} as const satisfies Operation;

export const searchPaymentIntents = {
  ...shared,
  id: 'searchPaymentIntents',
  method: 'POST',
  path: '/payment-intents/search',
  summary: 'Search payment intents, newest first',
  permission: 'payments.read',
  idempotency: 'optional',
  body: PaymentIntentSearch,
  returns: PaymentIntentPage,
  continuesPayment: true,
  refusals: [],
} as const satisfies Operation;

export const refreshClientSecret = {
  ...shared,
  id: 'refreshClientSecret',
  method: 'POST',
  path: '/payment-intents/{paymentIntentId}/refresh-client-session-secret',
  summary: 'Replace the client secret of a payment intent',
  description:
    'The secret is good for one attempt; a new one is needed after it was used or has expired. It voids the secrets of all pages. A challenge that has waited for its payer for 5 minutes is ended first. Also needs `payments.online`.',
  permission: 'payments.write',
  idempotency: 'optional',
  params,
  returns: PaymentIntent,
  refusals: ['payment_intent_not_found', 'secret_not_refreshable', 'payment_intent_busy'],
} as const satisfies Operation;

const open = {
  tag: 'Payment intents, by the payer',
  version: 'optional',
  permission: null,
  idempotency: 'none',
  crossOrigin: true,
  params,
  returns: PublicPaymentIntent,
} as const;

export const readPublicPaymentIntent = {
  ...open,
  id: 'readPublicPaymentIntent',
  method: 'GET',
  path: '/payment-intents/public/{paymentIntentId}',
  summary: 'Read what a payer may see of a payment intent',
  description:
    'Everybody with the link may read it. After the payment, `customer`, the addresses and the transaction of an attempt are shown only to the page that has made the attempt: it proves that by the header `client-session-secret`.',
  payerProof: true,
  refusals: ['payment_intent_not_found'],
} as const satisfies Operation;

export const refreshPublicClientSecret = {
  ...open,
  id: 'refreshPublicClientSecret',
  method: 'POST',
  path: '/payment-intents/public/{paymentIntentId}/refresh-client-session-secret',
  summary: 'Get a client secret for one page of a payer',
  description:
    'The secret is good for one attempt at the total that the answer shows. It voids no other secret: several payers may have the page open, and at most one of them pays. A refresh with the key and a change of the amount void it.',
  refusals: ['payment_intent_not_found', 'secret_not_refreshable', 'payment_intent_busy', 'account_disabled'],
} as const satisfies Operation;

export const PAYMENT_INTENT_OPERATIONS = [
  createPaymentIntent,
  readPaymentIntent,
  cancelPaymentIntent,
  searchPaymentIntents,
  refreshClientSecret,
  readPublicPaymentIntent,
  refreshPublicClientSecret,
] as const;
