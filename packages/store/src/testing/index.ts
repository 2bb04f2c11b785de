// Test support for the store: test databases and releases, query plans, statement counts and WAL.
// After it, what only tests of other packages use of the other folders.
export {
  createDatabaseOfRelease,
  createTestDatabase,
  createTestScope,
  readTestServer,
  TEST_SECRETS,
  type TestDatabase,
} from './test-database.js';
export { copyMigrations, readReleases, type Release } from './releases.js';
export { runWithOtherPepper, startBeforeDatabase, startWhileDatabaseIsLost } from './app-processes.js';
export { StatementRecorder } from './statement-recorder.js';
export { countBuffers, countRows, type PlanNode } from './query-plan.js';
export { DatabaseCostMeter } from './database-cost.js';
export { WriteAheadLog } from './write-ahead-log.js';
export { createModelLimiter } from './token-buckets-model.js';
export { insertActivities } from '../activities/activity-batch.js';
export { createSandboxClock } from '../clock/sandbox-clock.js';
export { buildPage } from '../database/page.js';
export { buildKeyColumns } from '../idempotency/key-columns.js';
export { MIGRATIONS_FOLDER } from '../migrations/migration-files.js';
export { verifySetupChain } from '../reconciliation/chain-verification.js';
export { timers } from '../relations/queue-relations.js';
export type { EposIntegrationKind } from '../repositories/epos-integrations.js';
export { requireAgreedSettings } from '../startup/agreed-settings.js';
export { lockLeaseOfSession } from '../tables/leases.js';
export { findLiveConnection } from '../connections/gateway-connections.js';
export { webhookSecretContext } from '../webhooks/subscriptions.js';
