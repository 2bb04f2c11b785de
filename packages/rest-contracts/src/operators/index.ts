// REST operations for operators: alarms, pay at table, reconciliation, tester runs and health.
export { type Alarm, answerAlarm, listAlarms } from './alarms.js';
export {
  listPendingPayments,
  listTableLeases,
  listTableOperatorCalls,
  type PendingPayment,
  releaseTableLease,
  replayEposEvents,
  resolvePendingPayment,
  type TableLease,
  type TableOperatorCall,
} from './pay-at-table.js';
export {
  answerReconciliationDifference,
  listReconciliationDifferences,
  readReconciliation,
  type Reconciliation,
  type ReconciliationDifference,
  startReconciliation,
} from './reconciliation.js';
export { type Flow, listFlows, readRun, Run, startFlow, TESTER_OPERATIONS } from './tester.js';
export { listTesterRuns, readTesterRun, type RunSummary } from './tester-runs.js';
export { HEALTH_OPERATIONS, readLive, readReady } from './health.js';
