import type { TestCatalogue } from '../checks/catalogue.js';
import type { ClauseCoverage } from '../clause-coverage/coverage.js';
import { isAsExpected, type EvaluatedFlow, type Verdict } from '../clause-coverage/expected-failures.js';
import { createCertificate, isUntested } from './certificate.js';
import { type HtmlContext, renderFlow } from './html-flow.js';
import { HTML_MESSAGES, type HtmlLanguage, type HtmlMessages } from './html-messages.js';
import { HTML_STYLE } from './html-style.js';
import { escapeMarkup as text } from './markup.js';
import { type Report, formatSeconds } from './report.js';

/**
 * The report as one page: the name and versions of the subject, the verdict and the certificate, what has to be fixed,
 * all flows, and all clauses. It loads nothing and runs no script, and every text of the subject is escaped.
 */
export function renderHtmlReport(catalogue: TestCatalogue, report: Report, language: HtmlLanguage = 'en'): string {
  const messages = HTML_MESSAGES[language];
  const context: HtmlContext = { catalogue, report, messages };
  const headline = messages.headline(report.isAsExpected);
  const failures = report.flows.filter((flow) => !isAsExpected(flow));
  const others = report.flows.filter((flow) => isAsExpected(flow) && !isSkipped(flow));
  const untested = report.flows.filter(isUntested);
  const inapplicable = report.flows.filter((flow) => isSkipped(flow) && !isUntested(flow));
  const toFix = `${messages.toFix}: ${failures.length}`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${text(`${report.facts?.['EPOS name'] ?? catalogue.title}: ${headline.toLowerCase()}`)}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<header class="${report.isAsExpected ? 'good' : 'bad'}">
<p class="took">${text(catalogue.title)}</p>
<h1>${headline}</h1>
${renderCertificate(context)}${renderFacts(context)}<nav aria-label="${messages.result}">${failures.length === 0 ? '' : `<a href="#failures">${messages.toFix}</a> `}<a href="#flows">${messages.flows}</a> <a href="#clauses">${messages.clauses}</a></nav>
</header>
<main>
${renderFlowSection(context, { id: 'failures', title: toFix, flows: failures })}<section id="flows">
<h2>${messages.flows}</h2>
${others.length === 0 ? `<p>${messages.noFlowPassed}</p>\n` : others.map((flow) => renderFlow(context, flow)).join('')}${renderUntested(context, untested)}${renderInapplicable(context, inapplicable)}</section>
${renderCoverageSection(context)}</main>
</body>
</html>
`;
}

/** Whether the run certifies its subject, or why it does not. */
function renderCertificate({ catalogue, report, messages }: HtmlContext): string {
  const { isCertified, obstacles, transports, passed, skipped, clausesTested, clauses } = createCertificate(
    catalogue,
    report,
  );
  const over = catalogue.transports.length === 1 ? '' : transports.join(', ');
  const sum = messages.sum({ passed, all: report.flows.length, skipped, tested: clausesTested, clauses });
  const verdict = isCertified
    ? `<strong>${text(messages.certified(over))}</strong> ${messages.certifiedText}`
    : `<strong>${messages.notCertified}</strong> ${text(obstacles.map(messages.obstacle).join(' '))}`;
  return `<p class="certificate ${isCertified ? 'good' : 'bad'}">${verdict} ${sum}</p>\n`;
}

function renderFacts({ catalogue, report, messages }: HtmlContext): string {
  const rows = Object.entries({
    ...report.facts,
    [`${catalogue.subject.slice(0, 1).toUpperCase()}${catalogue.subject.slice(1)}`]: report.subject,
    Started: report.startedAt,
    Took: formatSeconds(report.tookMs),
    Flows: formatCounts(report, messages),
  });
  const items = rows.map(([name, value]) => `<dt>${text(messages.facts[name] ?? name)}</dt><dd>${text(value)}</dd>\n`);
  return `<dl>\n${items.join('')}</dl>\n`;
}

/** The counts of verdicts in a sentence, without zeros. */
function formatCounts({ counts }: Report, { verdicts, nothingPlayed }: HtmlMessages): string {
  const nonZero = Object.entries(counts).filter(([, count]) => count > 0);
  if (nonZero.length === 0) return nothingPlayed;
  return nonZero.map(([verdict, count]) => `${count} ${verdicts[verdict as Verdict]}`).join(', ');
}

function renderFlowSection(
  context: HtmlContext,
  { id, title, flows }: { readonly id: string; readonly title: string; readonly flows: readonly EvaluatedFlow[] },
): string {
  if (flows.length === 0) return '';
  return `<section id="${id}">\n<h2>${text(title)}</h2>\n${flows.map((flow) => renderFlow(context, flow)).join('')}</section>\n`;
}

/** What the run has not tested, although it may apply. It is a reason against the certificate, so it is open. */
function renderUntested({ messages }: HtmlContext, untested: readonly EvaluatedFlow[]): string {
  if (untested.length === 0) return '';
  return `<details class="skipped" open><summary>${messages.notTested}: ${untested.length}</summary>${renderReasonList(untested)}</details>\n`;
}

/** What does not apply to the subject, folded. */
function renderInapplicable({ messages }: HtmlContext, inapplicable: readonly EvaluatedFlow[]): string {
  if (inapplicable.length === 0) return '';
  return `<details class="skipped"><summary>${messages.notApplicable}: ${inapplicable.length}</summary>${renderReasonList(inapplicable)}</details>\n`;
}

/** Skipped flows by their reason. */
function renderReasonList(skipped: readonly EvaluatedFlow[]): string {
  const reasons = [...new Set(skipped.map(({ whyNot }) => whyNot))];
  const items = reasons.map((reason) => {
    const own = skipped.filter(({ whyNot }) => whyNot === reason);
    const names = own.map(
      ({ flow, transport }) => `<code>${text(flow)}</code> <span class="took">${text(transport)}</span>`,
    );
    return `<li lang="en">${text(reason)}<br>${names.join(', ')}</li>\n`;
  });
  return `<ul>\n${items.join('')}</ul>`;
}

function renderCoverageSection(context: HtmlContext): string {
  const { report, messages } = context;
  const shown = report.coverage.filter(({ gap }) => gap === null).length;
  return `<section id="clauses">
<h2>${messages.clauses}</h2>
<p>${messages.shown(shown, report.coverage.length)}</p>
<table><thead><tr><th>${messages.result}</th><th>${messages.clause}</th><th>${messages.testedBy}</th></tr></thead><tbody>
${report.coverage.map((clause) => renderClauseRow(context, clause)).join('')}</tbody></table>
</section>
`;
}

function renderClauseRow({ messages }: HtmlContext, { clause, sentence, shownBy, gap }: ClauseCoverage): string {
  const isBroken = shownBy.some(({ broken }) => broken > 0);
  const tone = gap !== null ? 'gap' : isBroken ? 'broken' : 'held';
  const flows = shownBy.map(
    ({ flow, transport, broken }) =>
      `<span class="shown${broken > 0 ? ' bad' : ''}"><code>${text(flow)}</code> ${text(transport)}</span>`,
  );
  const by = gap === null ? renderFlowList(messages, flows) : `<em lang="en">${text(gap)}</em>`;
  return `<tr class="${tone}" id="${text(clause)}"><td>${messages[tone]}</td><td lang="en"><code>${text(clause)}</code> ${text(sentence)}</td><td>${by}</td></tr>
`;
}

const LISTED_MAX = 6;

function renderFlowList(messages: HtmlMessages, flows: readonly string[]): string {
  if (flows.length <= LISTED_MAX) return flows.join(' ');
  return `<details><summary>${messages.flowCount(flows.length)}</summary>${flows.join(' ')}</details>`;
}

function isSkipped({ verdict }: EvaluatedFlow): boolean {
  return verdict === 'skipped';
}
