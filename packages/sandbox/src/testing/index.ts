// Test support for the sandbox: a test acquirer, and a checker for the history of table sessions.
export { createAuthorisation, createTestAcquirer } from './builders.js';
export { findHistoryViolations, type HistoryEvent } from './session-history.js';
