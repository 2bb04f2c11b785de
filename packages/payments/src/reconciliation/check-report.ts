import type { Scope } from '@pos/core/identity';
import type { DifferenceReview, Finding } from '@pos/core/ledger';

/** How long a step of a check may last. */
export const CHECK_STEP_LEASE_MS = 10 * 60 * 1000;
/** The longest reason that is stored for books that could not be read. */
export const PROBLEM_LENGTH_MAX = 500;

/** Receives the results of the checks. */
export interface ReconciliationReport {
  /** A new difference: an alarm. */
  readonly onFound: (scope: Scope, finding: Finding) => void;
  /** A check of an account has ended; `error`: the acquirer did not return its list. */
  readonly onEnded: (scope: Scope, result: Readonly<Record<string, unknown>> & { readonly error?: string }) => void;
}

/** Adds what a step found and closed. */
export function addReviewCounts(
  counts: { found: number; closed: number },
  { inserted, reopened, closed }: DifferenceReview,
): void {
  counts.found += inserted.length + reopened.length;
  counts.closed += closed.length;
}

/** Reports the new differences. */
export function reportFindings(
  report: ReconciliationReport | undefined,
  scope: Scope,
  { inserted, reopened }: DifferenceReview,
): void {
  for (const finding of [...inserted, ...reopened]) report?.onFound(scope, finding);
}
