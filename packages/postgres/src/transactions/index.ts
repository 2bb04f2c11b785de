// Reads and transactions on a lent connection: with row locks, without them, or of one state; and the database's clock.
export { runReads, type StatementReader } from './statement-reader.js';
export type { OpenTransaction } from './open-transaction.js';
export { runTransaction } from './locking-transaction.js';
export { LocksRequiredError, runOptimisticTransaction } from './optimistic-transaction.js';
export { runSnapshot } from './snapshot-transaction.js';
export { DatabaseClock } from './database-clock.js';
