import { PAYMENT_ERRORS } from './payment-errors.js';
import { PROBLEM_REASONS, PROBLEMS_BY_REASON, type ProblemReason } from './problems.js';
import { REQUEST_ERRORS } from './request-errors.js';
import { TABLE_ERRORS } from './table-errors.js';

/** What a reason means to an integrator. */
export interface ErrorExplanation {
  /** What the service found. */
  readonly meaning: string;
  /** What the sender of the request does next. */
  readonly action: string;
}

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

/** Every reason that a problem can have, in the order of the list. */
export const ERROR_CATALOGUE: readonly CatalogueEntry[] = PROBLEM_REASONS.map((reason) => {
  const { status, title } = PROBLEMS_BY_REASON[reason];
  return { reason, status, title, ...EXPLANATIONS[reason] };
});

/** The catalogue as the page `docs/error-codes.md`. */
export function catalogueMarkdown(): string {
  const rows = ERROR_CATALOGUE.map(
    ({ reason, status, meaning, action }) =>
      `| <a id="${reason}"></a>\`${reason}\` | ${status} | ${meaning} | ${action} |\n`,
  );
  return `| Reason | Status | Meaning | What to do |\n|---|---|---|---|\n${rows.join('')}`;
}

/** The catalogue as a page for browsers; each reason is the id of its row, so an address can lead to it. */
export function cataloguePage(): string {
  const rows = ERROR_CATALOGUE.map(
    ({ reason, status, meaning, action }) =>
      `<tr id="${reason}"><td><code>${reason}</code></td><td>${status}</td><td>${markup(meaning)}</td><td>${markup(action)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Error codes</title></head><body>
<h1>Error codes</h1>
<p>Every problem body carries one of these values in <code>reason</code>.</p>
<table><thead><tr><th>Reason</th><th>Status</th><th>Meaning</th><th>What to do</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></body></html>
`;
}

/** HTML of a sentence in which code stands between backticks. */
function markup(sentence: string): string {
  const escaped = sentence.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}
