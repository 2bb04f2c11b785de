// Payment intents: creation, states and transitions, amount changes, client secrets and payment events.
export {
  abandonAttempt,
  approve,
  approveCharge,
  AUTO_EXPIRE_ACTIONS,
  type AutoExpireAction,
  cancel,
  type Capture,
  CAPTURE_MODES,
  CAPTURE_STATUSES,
  type CaptureMode,
  type CaptureStatus,
  challenge,
  changeDetails,
  computeTotalAmount,
  decline,
  expire,
  type IntentDecision,
  MOVES,
  PAYMENT_INTENT_STATUSES,
  PAYMENT_METHODS,
  PAYMENT_SOURCES,
  type PaymentIntent,
  type PaymentIntentStatus,
  type PaymentMethod,
  type PaymentSource,
  publishFailedCharge,
  recordChargeReversal,
  rejectSignature,
  requirePayable,
  requireReceipt,
  requireVisible,
  undoLateApproval,
} from './payment-intent.js';
export {
  createIntent,
  findLinesOfOtherCurrency,
  type NewPaymentIntent,
  requireSoundIntent,
} from './new-payment-intent.js';
export {
  ACTION_LINK_ACTIONS,
  type Address,
  computeSubtotal,
  DEFAULT_INTENT_CONFIG,
  type IntentConfig,
  type IntentCustomer,
  type IntentDetails,
  type ItemLine,
  type TaxLine,
} from './intent-details.js';
export {
  type Attempt,
  type AttemptDetails,
  type NewPaymentEvent,
  PAYMENT_EVENT_TYPES,
  PAYMENT_MESSAGES,
  type PaymentDetails,
  type PaymentEventDetails,
  type PaymentEventType,
} from './payment-event.js';
export { consumeSecret, issueSecret, type SecretBearer, withUsableSecret } from './client-secret.js';
export {
  changeAmount,
  changeAmountByPayer,
  changeTips,
  releaseRaise,
  reserveRaise,
  bookRaise,
} from './amount-change.js';
export { METADATA_BYTES_MAX } from './shared-violations.js';
export { SAVED_VIEW_NAME_LENGTH_MAX, SAVED_VIEWS_MAX, type SavedView } from './saved-view.js';
