// What pages import. It has no client that takes an API key, and no secret of webhooks belongs into a page.
export type { ClientSettings } from './client/client-settings.js';
export { PayerClient } from './client/payer-client.js';
export {
  PosAnswerError,
  PosApiError,
  PosConnectionError,
  PosError,
  PosTimeoutError,
  PosUsageError,
} from './errors/errors.js';
export type { CallOptions } from './http/sender.js';
export type { OperationTypes } from './gen/operation-types.js';
export type { ProblemReason } from './gen/schemas.js';
export { formatAmount, formatDecimal, type Money } from './money/money-text.js';
