// What pages import that collect cards: the card fields of the vault, and a whole payment flow.
export { PosError, PosUsageError } from './errors/errors.js';
export type { FlowNotice, FlowState } from './flow/flow-state.js';
export type { PaymentResult } from './flow/payment-result.js';
export type { ServiceAddresses } from './flow/payment-service.js';
export { RESULT_CODES, type ResultCode } from './flow/result-codes.js';
export { formatAmount, formatDecimal, type Money } from './money/money-text.js';
export { type PaymentTheme, THEME_COLORS, type ThemeColor } from './flow/theme.js';
export type { RequestWalletToken, Wallet, WalletRequests } from './flow/wallets.js';
export {
  type ComponentError,
  PaymentComponent,
  type PaymentComponentConfig,
  type PaymentExecution,
} from './web-component/payment-component.js';
export { type PaymentFlowConfig, startPaymentFlow } from './web-component/start-payment-flow.js';
