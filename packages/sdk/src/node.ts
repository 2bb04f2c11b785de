// What servers import.
export { PosClient, type PosClientSettings } from './client/pos-client.js';
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
export { OPERATIONS } from './gen/operations.js';
export type { ProblemReason, WebhookEvent } from './gen/schemas.js';
export {
  type ServiceSignatureOptions,
  type SignedWebhook,
  signServiceSignature,
  signWebhook,
  type VerifyOptions,
  verifyServiceSignature,
  verifyWebhook,
} from './webhooks/webhook-signature.js';
export {
  WebhookHeaderMissingError,
  WebhookMalformedError,
  WebhookRefusedError,
  WebhookSignatureError,
  WebhookTooOldError,
} from './errors/webhook-errors.js';
export { formatAmount, formatDecimal, type Money } from './money/money-text.js';
