// Database access: transactions and snapshot reads within a scope, optimistic work and list pages.
export { Database, type SystemReader } from './database.js';
export type { Reader, SnapshotReader, Tx } from './transaction.js';
export type { OptimisticWork } from './scoped-transaction.js';
export type { Cursor, Direction, Page } from './page.js';
