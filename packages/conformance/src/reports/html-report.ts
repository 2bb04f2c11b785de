import type { TestCatalogue } from '../checks/catalogue.js';
import type { ClauseCoverage } from '../clause-coverage/coverage.js';
import { isAsExpected, type EvaluatedFlow } from '../clause-coverage/expected-failures.js';
import { createCertificate, isUntested } from './certificate.js';
import { renderFlow } from './html-flow.js';
import { HTML_STYLE } from './html-style.js';
import { escapeMarkup as text } from './markup.js';
import { formatCounts, type Report, formatSeconds } from './report.js';

/**
 * The report as one page: what was tested and the verdict, what has to be fixed, all flows, and all clauses. It loads
 * nothing and runs no script, and every text of the subject is escaped.
 */
export function renderHtmlReport(catalogue: TestCatalogue, report: Report): string {
  const headline = report.isAsExpected ? 'Everything is as expected' : 'Something is not as expected';
  const failures = report.flows.filter((flow) => !isAsExpected(flow));
  const others = report.flows.filter((flow) => isAsExpected(flow) && !isSkipped(flow));
  const untested = report.flows.filter(isUntested);
  const inapplicable = report.flows.filter((flow) => isSkipped(flow) && !isUntested(flow));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${text(`${catalogue.title}: ${headline.toLowerCase()}`)}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<header class="${report.isAsExpected ? 'good' : 'bad'}">
<p class="took">${text(catalogue.title)}</p>
<h1>${headline}</h1>
${renderCertificate(catalogue, report)}${renderFacts(catalogue, report)}<nav>${failures.length === 0 ? '' : '<a href="#failures">To fix</a> '}<a href="#flows">Flows</a> <a href="#clauses">Clauses</a></nav>
</header>
<main>
${renderFlowSection(report, { id: 'failures', title: `To fix: ${failures.length}`, flows: failures })}<section id="flows">
<h2>Flows</h2>
${others.length === 0 ? '<p>No flow passed.</p>\n' : others.map((flow) => renderFlow(report, flow)).join('')}${renderUntested(untested)}${renderInapplicable(inapplicable)}</section>
${renderCoverageSection(report.coverage)}</main>
</body>
</html>
`;
}

/** Whether the run certifies its subject, or why it does not. */
function renderCertificate(catalogue: TestCatalogue, report: Report): string {
  const { isCertified, reasons, transports, passed, skipped, clausesTested, clauses } = createCertificate(
    catalogue,
    report,
  );
  const over = catalogue.transports.length === 1 ? '' : ` over ${transports.join(', ')}`;
  const more = skipped === 0 ? '' : `, ${skipped} skipped`;
  const sum = `${passed} of ${report.flows.length} flows passed${more}; ${clausesTested} of ${clauses} clauses tested.`;
  const verdict = isCertified
    ? `<strong>Certified${text(over)}.</strong> Every flow was played or does not apply, and none failed.`
    : `<strong>Not certified.</strong> ${text(reasons.join(' '))}`;
  return `<p class="certificate ${isCertified ? 'good' : 'bad'}">${verdict} ${sum}</p>\n`;
}

function renderFacts(catalogue: TestCatalogue, report: Report): string {
  const rows = Object.entries({
    ...report.facts,
    [`${catalogue.subject.slice(0, 1).toUpperCase()}${catalogue.subject.slice(1)}`]: report.subject,
    Started: report.startedAt,
    Took: formatSeconds(report.tookMs),
    Flows: formatCounts(report),
  });
  return `<dl>\n${rows.map(([name, value]) => `<dt>${text(name)}</dt><dd>${text(value)}</dd>\n`).join('')}</dl>\n`;
}

function renderFlowSection(
  report: Report,
  { id, title, flows }: { readonly id: string; readonly title: string; readonly flows: readonly EvaluatedFlow[] },
): string {
  if (flows.length === 0) return '';
  return `<section id="${id}">\n<h2>${text(title)}</h2>\n${flows.map((flow) => renderFlow(report, flow)).join('')}</section>\n`;
}

/** What the run has not tested, although it may apply. It is a reason against the certificate, so it is open. */
function renderUntested(untested: readonly EvaluatedFlow[]): string {
  if (untested.length === 0) return '';
  return `<details class="skipped" open><summary>Not tested: ${untested.length}</summary>${renderReasonList(untested)}</details>\n`;
}

/** What does not apply to the subject, folded. */
function renderInapplicable(inapplicable: readonly EvaluatedFlow[]): string {
  if (inapplicable.length === 0) return '';
  return `<details class="skipped"><summary>Not applicable: ${inapplicable.length}</summary>${renderReasonList(inapplicable)}</details>\n`;
}

/** Skipped flows by their reason. */
function renderReasonList(skipped: readonly EvaluatedFlow[]): string {
  const reasons = [...new Set(skipped.map(({ whyNot }) => whyNot))];
  const items = reasons.map((reason) => {
    const own = skipped.filter(({ whyNot }) => whyNot === reason);
    const names = own.map(
      ({ flow, transport }) => `<code>${text(flow)}</code> <span class="took">${text(transport)}</span>`,
    );
    return `<li>${text(reason)}<br>${names.join(', ')}</li>\n`;
  });
  return `<ul>\n${items.join('')}</ul>`;
}

function renderCoverageSection(coverage: readonly ClauseCoverage[]): string {
  const shown = coverage.filter(({ gap }) => gap === null).length;
  return `<section id="clauses">
<h2>Clauses</h2>
<p>${shown} of ${coverage.length} were shown.</p>
<table><thead><tr><th></th><th>Clause</th><th>Tested by</th></tr></thead><tbody>
${coverage.map(renderClauseRow).join('')}</tbody></table>
</section>
`;
}

function renderClauseRow({ clause, sentence, shownBy, gap }: ClauseCoverage): string {
  const isBroken = shownBy.some(({ broken }) => broken > 0);
  const [mark, tone] = gap !== null ? ['–', 'gap'] : isBroken ? ['✗', 'broken'] : ['✓', 'held'];
  const flows = shownBy.map(
    ({ flow, transport, broken }) =>
      `<span class="shown${broken > 0 ? ' bad' : ''}"><code>${text(flow)}</code> ${text(transport)}</span>`,
  );
  const by = gap === null ? renderFlowList(flows) : `<em>${text(gap)}</em>`;
  return `<tr class="${tone}" id="${text(clause)}"><td>${mark}</td><td><code>${text(clause)}</code> ${text(sentence)}</td><td>${by}</td></tr>
`;
}

const LISTED_MAX = 6;

function renderFlowList(flows: readonly string[]): string {
  if (flows.length <= LISTED_MAX) return flows.join(' ');
  return `<details><summary>${flows.length} flows</summary>${flows.join(' ')}</details>`;
}

function isSkipped({ verdict }: EvaluatedFlow): boolean {
  return verdict === 'skipped';
}
