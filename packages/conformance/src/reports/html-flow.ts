import type { Check } from '../checks/check.js';
import { isAsExpected, type EvaluatedFlow, type Verdict } from '../clause-coverage/expected-failures.js';
import type { StepRecord } from '../records/flow-record.js';
import { escapeMarkup as text } from './markup.js';
import { formatSeconds, type Report, sentenceOf } from './report.js';

/** A flow with its steps. One that needs an action is open, and says how to fix it. */
export function renderFlow(report: Report, flow: EvaluatedFlow): string {
  const { verdict, tookMs, steps, transport } = flow;
  const isOpen = isAsExpected(flow) ? '' : ' open';
  const shown = steps.map((step) => renderStep(report, step)).join('');
  return `<details class="flow"${isOpen}>
<summary><span class="badge ${BADGES[verdict]}">${verdict}</span> <code>${text(flow.flow)}</code> <span class="took">${text(transport)}, ${formatSeconds(tookMs)}</span></summary>
${renderReasons(report, flow)}${shown}</details>
`;
}

/** For each broken clause: what is required, what was found where, and the only flow that has to be run again. */
function renderReasons(report: Report, { flow, steps, because, verdict }: EvaluatedFlow): string {
  if (because.length === 0) return '';
  const broken = steps.flatMap((step) => step.checks.filter(({ holds }) => !holds).map((check) => ({ step, check })));
  const isListed = verdict === 'failed' || verdict === 'failed as expected';
  const items =
    isListed && broken.length > 0
      ? broken.map(({ step, check }) => renderFix(report, step, check))
      : because.map((each) => `<li>${text(each)}</li>\n`);
  const again = isListed ? `<p class="took">Run it again: <code>--flow ${text(flow)}</code></p>\n` : '';
  return `<ul class="because">\n${items.join('')}</ul>\n${again}`;
}

function renderFix(report: Report, step: StepRecord, { clause, member, expected, found }: Check): string {
  const sentence = sentenceOf(clause, report.coverage);
  const required = sentence === '' ? '' : `<br><strong>Required:</strong> ${text(sentence)} `;
  return `<li>${text(step.name)}: <code>${text(member)}</code> is <strong>${text(found)}</strong>; expected ${text(expected)}.${required}<a href="#${text(clause)}"><code>${text(clause)}</code></a></li>
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
${foldHeld(table, checks)}${talk}</div>
`;
}

/** Checks that all hold need no reader: they are folded, so that what failed is next to its flow. */
function foldHeld(table: string, checks: readonly Check[]): string {
  const isQuiet = checks.every(({ holds, isWarning = false }) => holds && !isWarning);
  if (table === '' || !isQuiet) return table;
  const sum = checks.length === 1 ? '1 check holds' : `${checks.length} checks hold`;
  return `<details class="checks"><summary>${sum}</summary>\n${table}</details>\n`;
}

function renderCheckRow(
  { coverage }: Report,
  { clause, member, expected, found, holds, isWarning = false, times }: Check,
): string {
  const often = times > 1 ? ` <span class="took">× ${times}</span>` : '';
  return `<tr class="${holds ? 'held' : 'broken'}"><td>${isWarning ? 'Warning' : holds ? '✓' : '✗'}</td><td><a href="#${text(clause)}"><code>${text(clause)}</code></a> ${text(sentenceOf(clause, coverage))}</td><td><code>${text(member)}</code>${often}</td><td>${text(expected)}</td><td>${text(found)}</td></tr>
`;
}

const BADGES = {
  passed: 'good',
  failed: 'bad',
  'failed as expected': 'known',
  'passed unexpectedly': 'bad',
  skipped: 'quiet',
} as const satisfies Record<Verdict, string>;
