// Payment intents: requests, their views for merchants and payers, and the list of transactions.
export {
  type IntentView,
  type PaymentIntentRequest,
  PaymentIntents,
  type PaymentLinkView,
  type PublicIntentView,
} from './payment-intents.js';
export type { TerminalSessionView } from './terminal-session-view.js';
export { listTransactions, type MerchantTransaction } from './transaction-listing.js';
