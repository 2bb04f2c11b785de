import { types } from 'node:util';
import { Defect, Refusal } from '@pos/core/refusals';

/** Every SQLSTATE has a digit, so an error code of the operating system such as EPIPE is never taken for one. */
const SQL_STATE = /^(?=.*\d)[0-9A-Z]{5}$/;
/** Class 23 of SQLSTATE: the row broke a rule of the schema, and the transaction is certainly undone. */
const INTEGRITY = /^23/;
const UNIQUE_VIOLATION = '23505';
/** A NUL in a text (22021), a NUL (22P05) or half of a surrogate pair (22P02) in jsonb. */
const UNSTORABLE_TEXT = new Set(['22021', '22P05', '22P02']);
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';
/** Raised by `exactly_one` (0010). */
const VERSION_CONFLICT = 'PS001';
/** The connection or the server ends, which may come behind the commit. */
const OUTCOME_UNKNOWN = /^(08|57P|58|XX)/;
/**
 * Classes that are not about the request: connection, resources, operator, deadlock, our own time limits, and a
 * server that became read-only (25006), as the old primary does in a fail-over.
 */
const TRANSIENT = /^(08|53|57|58|40|55P03|25P03|25006)/;
/**
 * The connection must not serve another caller: its transaction is aborted or timed out (25P02, 25P03), its server became
 * read-only (25006), or its server ends it (08, 57P).
 */
const CLOSES_CONNECTION = /^(25P02|25P03|25006|08|57P)/;
const CAUSES_MAX = 5;

/** The SQLSTATE of a database error, however it is wrapped, or null when the database did not answer at all. */
export function findSqlState(error: unknown): string | null {
  // Checked by its kind, not by instanceof: an error may come from another realm, as node's own do under jest.
  if (!types.isNativeError(error)) return null;
  if ('code' in error && typeof error.code === 'string' && SQL_STATE.test(error.code)) return error.code;
  return 'driverError' in error ? findSqlState(error.driverError) : null;
}

/** Whether a unique index refused the row: another transaction was first. */
export function isUniqueViolation(error: unknown): boolean {
  return findSqlState(error) === UNIQUE_VIOLATION;
}

/** Whether a text in the row cannot be stored. */
export function isUnstorableText(error: unknown): boolean {
  return UNSTORABLE_TEXT.has(findSqlState(error) ?? '');
}

/** Whether a lock did not come within the transaction's limit. */
export function isLockTimeout(error: unknown): boolean {
  return findSqlState(error) === LOCK_NOT_AVAILABLE;
}

/** Whether a row was changed after it was read, so that the database has undone what depended on it. */
export function isVersionConflict(error: unknown): boolean {
  return findSqlState(error) === VERSION_CONFLICT;
}

/** Whether the database has undone everything to end a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return findSqlState(error) === DEADLOCK;
}

/**
 * Whether a statement that commits itself was answered with its own failure: the end of a connection proves nothing.
 */
export function isStatementRejected(error: unknown): boolean {
  const state = findSqlState(error);
  return state !== null && !OUTCOME_UNKNOWN.test(state);
}

/** Whether a failed COMMIT has certainly changed nothing: the database answered, and named a reason of ours. */
export function isCertainlyRolledBack(error: unknown): boolean {
  const state = findSqlState(error);
  return state !== null && (INTEGRITY.test(state) || state.startsWith('40'));
}

/** Whether the connection on which the error came must be closed, because its next user would get the same error. */
export function isConnectionUnusable(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && types.isNativeError(cause); depth += 1) {
    const state = findSqlState(cause);
    if (state !== null) return CLOSES_CONNECTION.test(state);
    cause = cause.cause;
  }
  return false;
}

/**
 * The SQLSTATE with which the server said that it cannot serve now, such as 53100 for a full disk; null for an error that
 * is about the request, and where no server answered.
 */
export function findServerFailure(error: unknown): string | null {
  let cause = error;
  // A commit without a known outcome is a refusal, whose cause is the answer of the server.
  for (let depth = 0; depth < CAUSES_MAX && types.isNativeError(cause); depth += 1) {
    const state = findSqlState(cause);
    if (state !== null) return TRANSIENT.test(state) ? state : null;
    cause = cause.cause;
  }
  return null;
}

/**
 * Turns a temporary failure into a refusal that invites a retry, and a row that was changed under our lock into a
 * defect. Everything else is returned unchanged.
 */
export function toServiceUnavailable(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const state = findSqlState(error);
  if (state === VERSION_CONFLICT) return new Defect('a row was changed after it was read', { cause: error });
  const isTransient = state === null ? isConnectionLoss(error) : TRANSIENT.test(state);
  if (!isTransient) return error;
  const unavailable = new Refusal(
    'service_unavailable',
    `the database did not serve the request (${state ?? 'no answer'})`,
  );
  unavailable.cause = error;
  return unavailable;
}

const CONNECTION_LOST_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

function isConnectionLoss(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  if ('code' in error && typeof error.code === 'string' && SOCKET_CODES.has(error.code)) return true;
  return CONNECTION_LOST_MESSAGE.test(error.message);
}
