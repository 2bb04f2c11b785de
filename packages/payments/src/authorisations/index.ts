// Authorisations that are not used: the end of a 3-D Secure challenge, and the request of a reversal.
export { CHALLENGE_ABANDONED_MS } from './challenge-end.js';
