// Rate limits: token buckets, and the address group that counts as one client.
export {
  computeTrustedTokens,
  type RateLimit,
  type RateLimiter,
  type TokenGrant,
  type TokenRequest,
} from './rate-limit.js';
export { findAddressGroup } from './address-group.js';
