// Test support for payments: an environment with database and acquirer, a card machine, and an EPOS.
// After it, what only tests of other packages use of the other folders.
export {
  createIntent,
  createTestAccount,
  createTestEnvironment,
  elapseTime,
  findDifferences,
  FULL_PERMISSIONS,
  getOutcome,
  listPublishedStates,
  moveClock,
  readCall,
  readIntent,
  runDueWork,
  type TestAccount,
  type TestEnvironment,
  transactAs,
} from './test-environment.js';
export { changeTestSettings } from './account-settings.js';
export { createIntentRequest } from './intent-requests.js';
export { createPaidIntent, TestCardMachine } from './card-machine.js';
export { createSubmission, createUnansweredAttempt } from './online-attempts.js';
export { createOperation, listBookings, MoneyOperations } from './money-operations.js';
export { TestEpos } from './order-epos.js';
export { createOperatorService } from './operator-service.js';
export { createUntakenRefund, reportUnbookedApproval } from './untaken-refunds.js';
export { expectConsistent } from './consistency-checks.js';
export type { NewAlarm } from '../alarms/alarms.js';
export { claimDeposit } from '../bookings/deposits.js';
export { prepareRefund } from '../captures-refunds/refunds.js';
export { listPendingMachineRefunds } from '../operators/pending-refunds.js';
export { commitIntent } from '../payment-intents/intent-commit.js';
export { commitSetupIntent } from '../setup-intents/setup-intent-commit.js';
export type { SetupIntentRequest } from '../setup-intents/setup-intents.js';
export { JourneyTransfers } from '../tables/journey-transfer.js';
export { deriveAttemptId } from '../tables/unsuccessful-attempt.js';
export { computeTerminalStatus } from '../terminals/terminals.js';
export { WORKER_TIMER_KINDS } from '../timers/worker-timers.js';
export { applySubscriptionChange, enqueueDueReplay, runRetention } from '../webhooks/delivery-maintenance.js';
