import type { Operation } from './operation.js';
import { CATALOGUE_PATH, PROBLEMS } from './problems.js';

/** The acquirer's own no, stored under the idempotency key: the money did not move, and will not under this key. */
export const BOUND_REFUSALS = [
  'capture_refused',
  'refund_refused',
  'reversal_refused',
  'amount_raise_refused',
] as const;
export type BoundRefusal = (typeof BOUND_REFUSALS)[number];

/** The refusal that an operation stores under an idempotency key; null where it stores none. */
export function boundRefusalOf({ refusals }: Pick<Operation, 'refusals'>): BoundRefusal | null {
  return BOUND_REFUSALS.find((code) => refusals.includes(code)) ?? null;
}

/**
 * The stored text of a refusal as it is sent now. A refusal that a release before `reason` has stored gets `reason` and
 * `documentation`; every other text is returned as it is.
 */
export function completeStoredProblem(operation: Pick<Operation, 'refusals'>, text: string): string {
  const problem: unknown = JSON.parse(text);
  if (typeof problem !== 'object' || problem === null || 'reason' in problem) return text;
  const reason = boundRefusalOf(operation);
  if (reason === null || !('status' in problem) || problem.status !== PROBLEMS[reason].status) return text;
  return JSON.stringify({ ...problem, reason, documentation: `${CATALOGUE_PATH}#${reason}` });
}
