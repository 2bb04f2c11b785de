// What apps without a DOM import, such as those of React Native: the flow, and the conversation with the card fields.
export { PosError, PosUsageError } from './errors/errors.js';
export {
  CardFieldsChannel,
  type FieldsListener,
  type FieldsLook,
  type FieldsSubmission,
} from './flow/card-fields-channel.js';
export type { FlowSubject } from './flow/flow-opening.js';
export type { FlowNotice, FlowOffer, FlowState } from './flow/flow-state.js';
export { type FlowPlatform, PaymentFlow, type SubmitFields } from './flow/payment-flow.js';
export type { AttemptOutcome, Challenge, PaymentResult } from './flow/payment-result.js';
export {
  type CardFieldsAddresses,
  PaymentService,
  type SavedCard,
  type ServiceAddresses,
} from './flow/payment-service.js';
export { RESULT_CODES, type ResultCode, toResultCode } from './flow/result-codes.js';
export { type PaymentTheme, readTheme, THEME_COLORS, type ThemeColor } from './flow/theme.js';
export { type Wallet, type WalletPayment, WALLETS } from './flow/wallets.js';
export { formatAmount, formatDecimal, type Money } from './money/money-text.js';
