import type { Check } from '../checks/check.js';
import type { ClauseCoverage } from '../clause-coverage/coverage.js';
import { isAsExpected, type EvaluatedFlow, type Verdict } from '../clause-coverage/expected-failures.js';
import type { StepRecord } from '../clause-coverage/group.js';
import { GROUP_TRANSPORTS } from '../clause-coverage/transports.js';
import { HTML_STYLE } from './html-style.js';
import { escapeMarkup as text } from './markup.js';
import { formatCounts, type Report, formatSeconds, sentenceOf } from './report.js';

/** The report as one page. It loads nothing and runs no script, and every text of an EPOS is escaped. */
export function renderHtmlReport(report: Report): string {
  const headline = report.isAsExpected ? 'Everything is as expected' : 'Something is not as expected';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${text(`EPOS tester: ${headline.toLowerCase()}`)}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<header class="${report.isAsExpected ? 'good' : 'bad'}">
<h1>${headline}</h1>
<p>${text(report.epos)} · ${text(report.startedAt)} · ${formatSeconds(report.tookMs)} · ${text(formatCounts(report))}</p>
<nav><a href="#flows">Flows</a> <a href="#clauses">Clauses</a></nav>
</header>
<main>
<section id="flows">
<h2>Flows</h2>
${GROUP_TRANSPORTS.map((transport) => renderTransportSection(report, transport)).join('')}</section>
${renderCoverageSection(report.coverage)}</main>
</body>
</html>
`;
}

function renderTransportSection(report: Report, transport: string): string {
  const own = report.flows.filter((flow) => flow.transport === transport);
  if (own.length === 0) return '';
  const [skipped, played] = [own.filter(isSkipped), own.filter((flow) => !isSkipped(flow))];
  const why = skipped.map(({ flow, whyNot }) => `<li><code>${text(flow)}</code> ${text(whyNot)}</li>\n`).join('');
  const list =
    skipped.length === 0
      ? ''
      : `<details class="skipped"><summary>${skipped.length} skipped</summary><ul>\n${why}</ul></details>\n`;
  return `<h3>${text(transport)}</h3>\n${played.map((flow) => renderFlow(report, flow)).join('')}${list}`;
}

function renderFlow(report: Report, flow: EvaluatedFlow): string {
  const { verdict, because, tookMs, steps } = flow;
  const isOpen = isAsExpected(flow) ? '' : ' open';
  const reasons = because.map((each) => `<li>${text(each)}</li>`).join('');
  return `<details class="flow"${isOpen}>
<summary><span class="badge ${BADGES[verdict]}">${verdict}</span> <code>${text(flow.flow)}</code> <span class="took">${formatSeconds(tookMs)}</span></summary>
${reasons === '' ? '' : `<ul class="because">${reasons}</ul>\n`}${steps.map((step) => renderStep(report, step)).join('')}</details>
`;
}

function renderStep(report: Report, { name, status, tookMs, lines, checks }: StepRecord): string {
  const rows = checks.map((check) => renderCheckRow(report, check)).join('');
  const table =
    rows === ''
      ? ''
      : `<table><thead><tr><th></th><th>Clause</th><th>Where</th><th>Expected</th><th>Found</th></tr></thead><tbody>\n${rows}</tbody></table>\n`;
  const talk =
    lines.length === 0
      ? ''
      : `<details class="talk"><summary>What was said</summary><pre>${text(lines.join('\n'))}</pre></details>\n`;
  const tone = status === 'SUCCESS' ? 'good' : 'bad';
  return `<div class="step"><h4><span class="dot ${tone}"></span>${text(name)} <span class="took">${text(status)}, ${formatSeconds(tookMs)}</span></h4>
${table}${talk}</div>
`;
}

function renderCheckRow(
  { coverage }: Report,
  { clause, member, expected, found, holds, isWarning = false, times }: Check,
): string {
  const often = times > 1 ? ` <span class="took">× ${times}</span>` : '';
  return `<tr class="${holds ? 'held' : 'broken'}"><td>${isWarning ? 'Warning' : holds ? '✓' : '✗'}</td><td><a href="#${text(clause)}"><code>${text(clause)}</code></a> ${text(sentenceOf(clause, coverage))}</td><td><code>${text(member)}</code>${often}</td><td>${text(expected)}</td><td>${text(found)}</td></tr>
`;
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

const BADGES = {
  passed: 'good',
  failed: 'bad',
  'failed as expected': 'known',
  'passed unexpectedly': 'bad',
  skipped: 'quiet',
} as const satisfies Record<Verdict, string>;
