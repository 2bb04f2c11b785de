import { createApiKey, deleteApiKey } from '@pos/rest-contracts/accounts/api-keys';
import { refundPaymentIntent, reversePaymentIntent } from '@pos/rest-contracts/payment-intents/payment-money';

/** What needs the password within the last five minutes: it creates credentials, or returns money. */
export const GUARDED_OPERATIONS: ReadonlySet<string> = new Set(
  [createApiKey, deleteApiKey, refundPaymentIntent, reversePaymentIntent].map(({ id }) => id),
);
