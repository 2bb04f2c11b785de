// Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.

import type { OperationFacts } from '../contract/operation-facts.js';
import type { OperationTypes } from './operation-types.js';

/** How each operation of payers is called. */
export const PAYER_OPERATIONS = {
  readPublicPaymentIntent: {"method":"GET","path":"/payment-intents/public/{paymentIntentId}","input":null,"summary":"Read what a payer may see of a payment intent","repeat":"read"},
  refreshPublicClientSecret: {"method":"POST","path":"/payment-intents/public/{paymentIntentId}/refresh-client-session-secret","input":null,"summary":"Get a client secret for one page of a payer","repeat":"never"},
  readPaymentLink: {"method":"GET","path":"/payment-links/{intentId}","input":null,"summary":"Read why a payment link has ended","repeat":"read"},
  changePublicTips: {"method":"POST","path":"/payment-intents/public/{paymentIntentId}/tips-amount","input":"body","summary":"Choose a tip, by the payer","repeat":"never"},
  changePublicAmount: {"method":"POST","path":"/payment-intents/public/{paymentIntentId}/amount","input":"body","summary":"Choose the amount, by the payer","repeat":"never"},
  sendPublicReceipt: {"method":"POST","path":"/payment-intents/public/{paymentIntentId}/receipt","input":"body","summary":"Mail the receipt to the payer","repeat":"never"},
  readPublicSetupIntent: {"method":"GET","path":"/setup-intents/public/{setupIntentId}","input":null,"summary":"Read what a payer may see of a setup intent","repeat":"read"},
  refreshPublicSetupSecret: {"method":"POST","path":"/setup-intents/public/{setupIntentId}/refresh-client-session-secret","input":null,"summary":"Get a client secret of a setup intent for one page of a payer","repeat":"never"},
  readPaymentMethods: {"method":"GET","path":"/customers/public/{customerId}/payment-methods","input":null,"summary":"List the saved cards of a customer","repeat":"read","customerSecret":true},
  deletePaymentMethod: {"method":"DELETE","path":"/customers/public/{customerId}/payment-methods/{paymentMethodId}","input":null,"summary":"Delete a saved card of a customer","repeat":"never","customerSecret":true},
  readOfferedCards: {"method":"GET","path":"/payment-intents/public/{paymentIntentId}/payment-methods","input":null,"summary":"List the saved cards that a payer may choose from","repeat":"read"},
} as const satisfies Partial<Readonly<Record<keyof OperationTypes, OperationFacts>>>;
