// Reconciliation of the books with acquirers and settlement files, and the differences it finds.
export {
  type AnswerDifferenceRequest,
  type ReconciliationRequest,
  ReconciliationService,
  type ReconciliationState,
} from './reconciliation-service.js';
export type { ReconciliationReport } from './check-report.js';
export { compareWithAcquirers } from './acquirer-comparison.js';
export { findMissingLog } from './audit-log-check.js';
export {
  importSettlementFile,
  type SettlementImport,
  type SettlementServices,
  type SettlementSource,
} from './settlement-import.js';
export { SETTLEMENT_FORMATS } from './settlement-file-parser.js';
export { declareEmptyDays, type EmptyDays } from './empty-days.js';
