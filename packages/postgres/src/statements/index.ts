// SQL statements: named, prepared once on a connection, sent in batches, and combined; their values and their errors.
export {
  defineChange,
  defineCombinableRead,
  defineSeparateChange,
  defineSingleRowChange,
  defineStatement,
  type QueueableStatement,
  type Statement,
} from './statement.js';
export { sql, type SqlParts } from './sql-parts.js';
export { exactTypeParsers, parseExactInteger } from './exact-type-parsers.js';
export {
  findSqlState,
  isDeadlock,
  isLockTimeout,
  isUniqueViolation,
  isUnstorableText,
  toServiceUnavailable,
} from './sql-errors.js';
