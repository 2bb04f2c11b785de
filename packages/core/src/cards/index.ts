// Cards: schemes and approvals, card numbers, saved cards, test numbers and transaction ids.
export {
  type Approval,
  AVS_RESULTS,
  type AvsResult,
  CARD_FUNDING_TYPES,
  type CardDetails,
  type CardFundingType,
  type CardPresentApproval,
  type CardType,
  type Decline,
  ENTRY_MODES,
  type EntryMode,
  formatMaskedPan,
  toCardType,
  VERIFICATION_METHODS,
  type VerificationMethod,
  WALLET_KINDS,
  type WalletKind,
} from './card.js';
export { CARD_SCHEMES, type CardScheme, SCHEMES } from './schemes.js';
export {
  type CardExpiry,
  CardNumber,
  type CardNumberNotation,
  containsCardNumber,
  containsSecurityCode,
  Cv2,
  type DigitsViolation,
  findLastDay,
  getEnd,
  isPast,
  readExpiry,
  readShownDigits,
  toAsciiDigits,
  type VisibleDigits,
} from './card-number.js';
export {
  type CardDescription,
  createPendingCard,
  markCardErased,
  type SavedCard,
  type SavedCardState,
  storeCard,
} from './saved-card.js';
export {
  ACQUIRER_TRANSACTION_ID_LENGTH_MAX,
  deriveTransactionId,
  toTransactionIds,
  type TransactionIds,
} from './transaction-id.js';
export { EXAMPLE_NUMBERS, TEST_NUMBERS, type TestNumber } from './test-card-numbers.js';
