// Test support for statements: the types of what a recorder of statements and of round trips sees.
export type { StatementBatch } from '../statements/statement-batch.js';
export type { RoundTrip } from '../telemetry/database-telemetry.js';
