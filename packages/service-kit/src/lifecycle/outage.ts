/** Whether an error means that a dependency is unavailable, so that a later retry may succeed. */
export type OutageCheck = (error: unknown) => boolean;

/**
 * The known signs of an outage: a commit without an answer, an unreachable, restarting or read-only database, no free
 * connection, a serialisation failure or deadlock. Matched by name and code: this package does not import the store.
 */
export function isOutageError(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < CAUSES_MAX; cause = cause.cause, depth += 1) {
    if (OUTAGE_NAMES.has(cause.name)) return true;
    if ('code' in cause && typeof cause.code === 'string' && OUTAGE_CODES.test(cause.code)) return true;
  }
  return false;
}

const CAUSES_MAX = 5;
const OUTAGE_NAMES: ReadonlySet<string> = new Set(['CommitUnknown', 'DatabaseUnavailable']);
const NETWORK_CODES = 'ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN';
/**
 * SQLSTATE: 08 connection, 53 no resources, 57P shutting down, 57014 cancelled statement, 58 system error, 40 serialisation
 * and deadlock, 55P03 lock time-out, 25P03 idle transaction, 25006 read-only server.
 */
const SQL_STATES = '08\\w{3}|53\\w{3}|57P0\\d|57014|58\\w{3}|40\\w{3}|55P03|25P03|25006';
const OUTAGE_CODES = new RegExp(`^(${NETWORK_CODES}|${SQL_STATES})$`);
