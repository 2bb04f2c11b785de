import type { ReceivedProblem } from '../client/call-operation.js';

/** The service gave these before it looked whether the action was done under its key. */
const UNDECIDED_STATUSES: ReadonlySet<number> = new Set([401, 403, 408, 429]);

/**
 * Whether the service has answered finally, so that the next attempt is another action. An unanswered acquirer (504) or
 * connection leaves the action open, and so does a refusal that says nothing about an earlier attempt: a new key would
 * move the money twice.
 */
export function isDecided({ status, reason }: Pick<ReceivedProblem, 'status' | 'reason'>): boolean {
  if (UNDECIDED_STATUSES.has(status) || reason === 'idempotency_in_progress') return false;
  return status >= 400 && status < 500;
}
