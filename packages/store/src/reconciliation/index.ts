// Stored reconciliation: differences, progress, settlement files, and verification of hash chains.
export {
  findDifference,
  findOpenDifference,
  listDifferences,
  listOpenDifferences,
  lockDifference,
  recordFindings,
  updateDifference,
} from './reconciliation-differences.js';
export {
  type AuditCursor,
  findReconciliationProgress,
  hasAcquirerCalls,
  listDaysWithOpenDifferences,
  lockReconciliation,
  RECONCILIATION_SUBJECTS,
  ReconciliationBusy,
  type ReconciliationProgress,
  scheduleServiceReconciliation,
  updateReconciliationProgress,
} from './reconciliation-progress.js';
export {
  countSettlementFiles,
  findSettlementFile,
  type ImportedLine,
  insertSettlementFile,
  insertSettlementLines,
  listBatchLines,
  listLinesByReference,
  listSettlementLines,
  type SettledKind,
  type SettlementFile,
  type SettlementLine,
} from './settlement-files.js';
export { insertCoveredDays, listCoveredDays } from './settlement-days.js';
export {
  deleteUncomparedDays,
  listUncomparedDays,
  saveUncomparedDay,
  type StoredUncomparedDay,
  type UncomparedDay,
  type UncomparedReason,
} from './uncompared-days.js';
export { verifyIntentChain } from './chain-verification.js';
export { type BrokenChain, listChainSubjects, verifyChains } from './chain-subjects.js';
