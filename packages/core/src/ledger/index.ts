// The ledger: double entries, balances, transaction lines, and differences found by reconciliation.
export {
  computeBalances,
  formatChainRecord,
  type LedgerAccount,
  type LedgerEntryDraft,
  type LedgerEntryKind,
  reverseRefundEntry,
} from './ledger.js';
export {
  changeTransaction,
  findPaymentProduct,
  PAYMENT_PRODUCTS,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  type TransactionChange,
  type TransactionDraft,
  type TransactionStatus,
  type TransactionType,
} from './transaction.js';
export {
  acknowledgeDifference,
  type Difference,
  DIFFERENCE_KINDS,
  DIFFERENCE_STATES,
  type DifferenceKind,
  type DifferenceReview,
  type DifferenceState,
  type Finding,
  isSameFinding,
  reviewDifferences,
} from './reconciliation.js';
