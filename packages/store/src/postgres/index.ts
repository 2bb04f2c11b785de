// PostgreSQL driver support: named statements, exact type parsers, SQL errors and telemetry.
export { defineStatement, type Statement } from './statement.js';
export { exactTypeParsers } from './exact-type-parsers.js';
export { findSqlState, isUniqueViolation, isUnstorableText, toServiceUnavailable } from './sql-errors.js';
export { setStoreTelemetry, type StoreTelemetry } from './store-telemetry.js';
