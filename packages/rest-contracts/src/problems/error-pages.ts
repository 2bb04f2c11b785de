import { ERROR_CATALOGUE, KEY_RULE, type CatalogueEntry } from './error-catalogue.js';
import type { Operation } from '../operation/operation.js';
import { listReasons } from './operation-reasons.js';
import { CATALOGUE_PATH, presentProblem, type ProblemReason } from './problems.js';
import { describeRepeat } from './repeat-advice.js';

// The error catalogue for browsers: one page with all reasons, and one page per reason.

/** What a page needs from the server that sends it. */
export interface ErrorPageContext {
  /** The address of the style sheet, on the same server. */
  readonly stylePath: string;
  /** The operations of the server; those that can answer a reason are listed on its page. */
  readonly operations: readonly Operation[];
}

/** The catalogue as one page. Each reason is the id of its row, because the member `documentation` links to it. */
export function renderCatalogue({ stylePath }: Pick<ErrorPageContext, 'stylePath'>): string {
  const rows = ERROR_CATALOGUE.map(
    ({ reason, status, meaning, action }) =>
      `<tr id="${reason}"><td><a href="${CATALOGUE_PATH}/${reason}"><code>${reason}</code></a></td>` +
      `<td>${status}</td><td>${markup(meaning)}</td><td>${markup(action)}</td></tr>`,
  );
  return renderPage({
    title: 'Error codes',
    stylePath,
    content: `<h1>Error codes</h1>
<p>Every problem body carries one of these values in <code>reason</code>.</p>
<p>${markup(KEY_RULE)}</p>
<table><thead><tr><th>Reason</th><th>Status</th><th>Meaning</th><th>What to do</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`,
  });
}

/** The page of one reason; null for a text that is no reason. */
export function renderReason(reason: string, { stylePath, operations }: ErrorPageContext): string | null {
  const entry = ERROR_CATALOGUE.find((each) => each.reason === reason);
  if (entry === undefined) return null;
  const { status, title, meaning, action } = entry;
  return renderPage({
    title: `${entry.reason}: error code`,
    stylePath,
    content: `<nav><a href="${CATALOGUE_PATH}#${entry.reason}">All error codes</a></nav>
<h1><code>${entry.reason}</code></h1>
<p class="status">${status} ${escape(title.replace(/\.$/, ''))}</p>
<h2>Meaning</h2>
<p>${markup(meaning)}</p>
<h2>What to do</h2>
<p>${markup(action)}</p>
<h2>May the request be repeated?</h2>
<p>${markup(describeRepeat(entry.reason))}</p>
<h2>Example</h2>
<pre tabindex="0"><code>${escape(JSON.stringify(createExample(entry), null, 2))}</code></pre>
${renderOperations(operations.filter((operation) => listReasons(operation).includes(entry.reason)))}`,
  });
}

function renderOperations(operations: readonly Operation[]): string {
  if (operations.length === 0) return '';
  const items = operations.map(
    ({ method, path, summary }) => `<li><code>${method} ${escape(path)}</code><br>${escape(summary)}</li>`,
  );
  return `<h2>Operations that can answer it</h2>
<details${operations.length <= LISTED_MAX ? ' open' : ''}><summary>${operations.length} of this API</summary>
<ul>
${items.join('\n')}
</ul></details>`;
}

/** A longer list is folded, because it consists of nearly all operations. */
const LISTED_MAX = 15;

/** The member or header that a reason names when it can name only one. */
const MEMBERS: Partial<Record<ProblemReason, readonly [string, string]>> = {
  validation_failed: ['reference', 'Is required.'],
  version_invalid: ['version', 'Is required: a date as yyyy-mm-dd.'],
  partner_header_invalid: ['software-house-id', 'Is required.'],
  partner_not_registered: ['software-house-id', 'Is not registered.'],
  idempotency_key_invalid: ['idempotencyKey', 'Is required.'],
  payment_intent_unknown: ['paymentIntentId', 'Is not a payment intent.'],
  currency_not_enabled: ['amount.currencyCode', 'Is not enabled for the account.'],
  capture_exceeds_authorized: ['amount', 'Is more than what is left.'],
  refund_exceeds_captured: ['amount', 'Is more than what is left.'],
  not_refundable: ['amount', 'Nothing can be refunded.'],
  charge_exceeds_intended: ['amount', 'Is more than the setup intent says may be charged.'],
  charge_without_setup_intent: ['setupIntentId', 'Is required.'],
};

function createExample({ reason, meaning }: CatalogueEntry) {
  const [member, message] = MEMBERS[reason] ?? [];
  return presentProblem(reason, {
    detail: meaning.replaceAll('`', ''),
    traceId: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    errors: member === undefined || message === undefined ? {} : { [member]: [message] },
  });
}

function renderPage({ title, stylePath, content }: { title: string; stylePath: string; content: string }): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title><link rel="stylesheet" href="${stylePath}"></head><body><main>
${content}
</main></body></html>
`;
}

/** HTML of a sentence with code in backticks. */
function markup(sentence: string): string {
  return escape(sentence).replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
