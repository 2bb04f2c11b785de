// Rate limits that all processes share, as token buckets in PostgreSQL.
export { SharedRateLimiter } from './shared-rate-limiter.js';
export { deleteFullBuckets } from './token-buckets.js';
