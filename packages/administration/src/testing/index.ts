// Test support for portal sign-in: cheap password hashing, and refusals without a pause.
export { makeAttemptsCheap } from './cheap-attempts.js';
