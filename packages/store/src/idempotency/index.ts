// Idempotency keys: claim a key, complete it with the answer, and return the answer to a repeated request.
export { claimKey, createInProgressRefusal, expireKey } from './key-claim.js';
export { completeKey, findStoredAnswer, type IdempotentAnswer, isKeyClaimed } from './stored-answers.js';
export { runOnce } from './run-once.js';
export { IdempotentOperation, type OperationOutcome } from './idempotent-operation.js';
export type { IdempotencyKeyName } from './key-columns.js';
