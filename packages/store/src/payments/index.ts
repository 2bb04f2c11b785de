// Stored payment intents, setup intents, attempts, acquirer calls, refunds, cards and transactions.
export {
  findIntent,
  findIntentScope,
  findIntentWithHistory,
  insertIntent,
  type IntentHistory,
  type IntentSearchTerms,
  listIntentHistories,
  listPaymentEvents,
  type LockedIntent,
  lockIntent,
  searchIntents,
  writeIntentRow,
} from './payment-intents.js';
export {
  findSetupIntent,
  findSetupIntentScope,
  insertSetupIntent,
  listSetupEvents,
  type LockedSetupIntent,
  lockSetupIntent,
  updateSetupIntent,
} from './setup-intents.js';
export {
  type AttemptSubject,
  countAttemptsSince,
  deleteContacts,
  findOnlineAttempt,
  findOnlineAttemptBySecret,
  hasOpenAttemptOfCard,
  insertOnlineAttempt,
  type OnlineAttempt,
} from './online-attempts.js';
export { findPageSecret, insertPageSecret, type PageSecret, usePageSecret } from './page-secrets.js';
export {
  type DatedAcquirerCall,
  findAcquirerCall,
  findChallengedReference,
  findDatedAcquirerCall,
  findMachineRefund,
  findReversalRequestedAt,
  getAuthorisationState,
  getCallMerchant,
  hasOpenAttempt,
  incrementNotFoundCount,
  insertAcquirerCall,
  listCallsBetween,
  listCallsByReference,
  listCallsOfIntent,
  listOpenCalls,
  listOpenMachineRefunds,
  lockAcquirerCall,
  type OpenAcquirerCall,
  type OpenMachineRefund,
  resetNotFoundCount,
  updateAcquirerCall,
} from './acquirer-calls.js';
export { findRefund, insertRefund, type Refund } from './refunds.js';
export { findIntentByTransaction, findIntentIdByTransaction } from './intent-transactions.js';
export {
  type CardTransaction,
  findListingMismatches,
  type ListingMismatch,
  listSaleReferences,
  searchTransactions,
  writeTransactions,
} from './transaction-listing.js';
export {
  findSavedCard,
  insertSavedCard,
  listStoredCards,
  lockCardsOfOwner,
  lockSavedCard,
  updateSavedCard,
} from './saved-cards.js';
export {
  type CardNumberReference,
  deleteCardNumber,
  findCardNumber,
  insertCardNumber,
  listCardNumbersOfNextKey,
  listCardNumbersUnderOtherKeys,
  lockCardNumber,
  rewrapCardNumber,
  type SealedCardNumber,
} from './card-numbers.js';
