// REST operations for payment intents: payment, capture, refund, links, receipts, saved cards, transactions.
export { PaymentIntent, PublicPaymentIntent } from './payment-intents.js';
export {
  cancelPaymentIntent,
  createPaymentIntent,
  readPaymentIntent,
  readPublicPaymentIntent,
  refreshClientSecret,
  refreshPublicClientSecret,
  searchPaymentIntents,
} from './payment-intent-operations.js';
export {
  capturePaymentIntent,
  changeAmount,
  changeTips,
  chargePaymentIntent,
  readRefund,
  Refund,
  refundPaymentIntent,
  reversePaymentIntent,
} from './payment-money.js';
export { changePublicAmount, changePublicTips } from './public-amounts.js';
export { PaymentLink, readPaymentLink } from './payment-links.js';
export { readMailbox, SandboxMail, sendPublicReceipt, sendReceipt } from './receipts.js';
export {
  deletePaymentMethod,
  deleteSavedCard,
  listSavedCards,
  type OfferedCards,
  PaymentMethods,
  readOfferedCards,
  readPaymentMethods,
} from './saved-cards.js';
export { searchTransactions, Transaction } from './transactions.js';
export { readSavedCard, readSharedParts } from './read-intent-parts.js';
