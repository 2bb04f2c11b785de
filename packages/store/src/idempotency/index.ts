// Idempotency keys: claim a key, complete it with the answer, and return the answer to a repeated request.
export {
  claimKey,
  completeKey,
  createInProgressRefusal,
  expireKey,
  findStoredAnswer,
  type IdempotentAnswer,
  isKeyClaimed,
  runOnce,
} from './idempotency-keys.js';
export { IdempotentOperation, type OperationOutcome } from './idempotent-operation.js';
export type { IdempotencyKeyName } from './key-columns.js';
