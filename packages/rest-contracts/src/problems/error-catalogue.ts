import { BOUND_REFUSALS } from '../operation/bound-refusals.js';
import type { ErrorExplanation } from './error-explanation.js';
import { PAYMENT_ERRORS } from './payment-errors.js';
import { PROBLEM_REASONS, PROBLEMS_BY_REASON, type ProblemReason } from './problems.js';
import { REQUEST_ERRORS } from './request-errors.js';
import { TABLE_ERRORS } from './table-errors.js';

/** The explanation of every reason. A new reason does not compile until it has a row. */
const EXPLANATIONS: Readonly<Record<ProblemReason, ErrorExplanation>> = {
  ...REQUEST_ERRORS,
  ...PAYMENT_ERRORS,
  ...TABLE_ERRORS,
};

/** A line of the error catalogue. */
export interface CatalogueEntry extends ErrorExplanation {
  readonly reason: ProblemReason;
  readonly status: number;
  readonly title: string;
}

const BOUND: ReadonlySet<ProblemReason> = new Set(BOUND_REFUSALS);
const BOUND_NOTE = 'The idempotency key is bound to this answer.';

/** How a repeat with the same idempotency key is answered after a refusal. */
export const KEY_RULE =
  'An idempotency key is bound to its first success and to these refusals only: ' +
  `${BOUND_REFUSALS.map((code) => `\`${code}\``).join(', ')}. ` +
  'Every other refusal binds no key: send the same key again once the state has changed or the fault is corrected.';

/** Every reason of a problem, in the order of the list. */
export const ERROR_CATALOGUE: readonly CatalogueEntry[] = PROBLEM_REASONS.map((reason) => {
  const { status, title } = PROBLEMS_BY_REASON[reason];
  const { meaning, action } = EXPLANATIONS[reason];
  return { reason, status, title, action, meaning: BOUND.has(reason) ? `${meaning} ${BOUND_NOTE}` : meaning };
});

/** The catalogue as the page `docs/reference/error-codes.md`. */
export function catalogueMarkdown(): string {
  const rows = ERROR_CATALOGUE.map(
    ({ reason, status, meaning, action }) =>
      `| <a id="${reason}"></a>\`${reason}\` | ${status} | ${meaning} | ${action} |\n`,
  );
  return `${KEY_RULE}\n\n| Reason | Status | Meaning | What to do |\n|---|---|---|---|\n${rows.join('')}`;
}
