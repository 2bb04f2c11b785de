// Work that waits for an operator: pending payments, dead letters and settlement files.
export {
  type BooksDecision,
  PendingAdministration,
  type PendingLine,
  type ScopedDifference,
} from './pending-administration.js';
export { createPendingAdministration, createPendingAdministrationWithBooks } from './pending-composition.js';
export { declareAuditedEmptyDays, importAuditedFile } from './settlement-administration.js';
export { listAccountDeadLetters, replayAllDeadLetters, replayDeadLetter } from './dead-letters.js';
