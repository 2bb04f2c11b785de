// Test support for the store: test databases and releases, query plans, statement counts and WAL.
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
