import { createApiKey, deleteApiKey } from '@pos/rest-contracts/accounts/api-keys';
import { refundPaymentIntent, reversePaymentIntent } from '@pos/rest-contracts/payment-intents/payment-money';
import { activateSecret, createSecret, deleteSecret } from '@pos/rest-contracts/webhooks/webhooks';

/** What needs the password within the last five minutes: it changes credentials, or returns money. */
export const GUARDED_OPERATIONS: ReadonlySet<string> = new Set(
  [
    createApiKey,
    deleteApiKey,
    createSecret,
    activateSecret,
    deleteSecret,
    refundPaymentIntent,
    reversePaymentIntent,
  ].map(({ id }) => id),
);
