// Basic authentication of requests, and the rate limit of payers without an API key.
export { parseBasicCredential } from './basic-credential.js';
export { PayerRateLimiter } from './payer-rate-limiter.js';
