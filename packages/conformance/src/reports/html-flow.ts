import type { TestCatalogue } from '../checks/catalogue.js';
import type { Check } from '../checks/check.js';
import { isAsExpected, type EvaluatedFlow, type Verdict } from '../clause-coverage/expected-failures.js';
import type { StepRecord } from '../records/flow-record.js';
import type { HtmlMessages } from './html-messages.js';
import { escapeMarkup as text } from './markup.js';
import { formatSeconds, type Report, sentenceOf } from './report.js';

/** What the parts of the page are rendered from. */
export interface HtmlContext {
  readonly catalogue: TestCatalogue;
  readonly report: Report;
  readonly messages: HtmlMessages;
}

/** A flow with its steps. One that needs an action is open, and says how to fix it. */
export function renderFlow(context: HtmlContext, flow: EvaluatedFlow): string {
  const { verdict, tookMs, steps, transport } = flow;
  const openAttribute = isAsExpected(flow) ? '' : ' open';
  const shown = steps.map((step) => renderStep(context, step)).join('');
  return `<details class="flow"${openAttribute}>
<summary><span class="badge ${BADGES[verdict]}">${context.messages.verdicts[verdict]}</span> <code>${text(flow.flow)}</code> <span class="took">${text(transport)}, ${formatSeconds(tookMs)}</span></summary>
${renderReasons(context, flow)}${shown}</details>
`;
}

/** For each broken clause: what was found where, how to fix it, and the only flow that has to be run again. */
function renderReasons(context: HtmlContext, { flow, steps, because, verdict }: EvaluatedFlow): string {
  if (because.length === 0) return '';
  const broken = steps.flatMap((step) => step.checks.filter(({ holds }) => !holds).map((check) => ({ step, check })));
  const isListed = verdict === 'failed' || verdict === 'failed as expected';
  const items =
    isListed && broken.length > 0
      ? broken.map(({ step, check }) => renderFix(context, step, check))
      : because.map((each) => `<li lang="en">${text(each)}</li>\n`);
  const again = isListed ? `<p class="took">${context.messages.runAgain} <code>--flow ${text(flow)}</code></p>\n` : '';
  return `<ul class="because">\n${items.join('')}</ul>\n${again}`;
}

function renderFix(
  { report, messages }: HtmlContext,
  step: StepRecord,
  { clause, member, expected, found }: Check,
): string {
  const sentence = sentenceOf(clause, report.coverage);
  const required =
    sentence === '' ? '' : `<br><strong>${messages.required}</strong> <span lang="en">${text(sentence)}</span> `;
  return `<li>${text(step.name)}: <code>${text(member)}</code> ${messages.is} <strong>${text(found)}</strong>.<br><strong>${messages.fix}</strong> ${text(expected)}.${required}<a href="#${text(clause)}"><code>${text(clause)}</code></a></li>
`;
}

function renderStep(context: HtmlContext, { name, status, tookMs, lines, checks }: StepRecord): string {
  const { messages } = context;
  const rows = checks.map((check) => renderCheckRow(context, check)).join('');
  const heads = [messages.result, messages.clause, messages.where, messages.expected, messages.found];
  const table =
    rows === ''
      ? ''
      : `<table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>\n${rows}</tbody></table>\n`;
  const talk =
    lines.length === 0
      ? ''
      : `<details class="talk"><summary>${messages.talk}</summary><pre tabindex="0">${text(lines.join('\n'))}</pre></details>\n`;
  const tone = status === 'SUCCESS' ? 'good' : 'bad';
  return `<div class="step"><h3><span class="dot ${tone}"></span>${text(name)} <span class="took">${text(status)}, ${formatSeconds(tookMs)}</span></h3>
${foldHeld(messages, { table, checks })}${talk}</div>
`;
}

/** Checks that all hold need no reader: they are folded, so that what failed is next to its flow. */
function foldHeld(
  messages: HtmlMessages,
  { table, checks }: { readonly table: string; readonly checks: readonly Check[] },
): string {
  const isQuiet = checks.every(({ holds, isWarning = false }) => holds && !isWarning);
  if (table === '' || !isQuiet) return table;
  return `<details class="checks"><summary>${messages.checksHold(checks.length)}</summary>\n${table}</details>\n`;
}

function renderCheckRow(
  { report, messages }: HtmlContext,
  { clause, member, expected, found, holds, isWarning = false, times }: Check,
): string {
  const often = times > 1 ? ` <span class="took">× ${times}</span>` : '';
  const result = isWarning ? messages.warning : holds ? messages.held : messages.broken;
  return `<tr class="${holds ? 'held' : 'broken'}"><td>${result}</td><td lang="en"><a href="#${text(clause)}"><code>${text(clause)}</code></a> ${text(sentenceOf(clause, report.coverage))}</td><td><code>${text(member)}</code>${often}</td><td>${text(expected)}</td><td>${text(found)}</td></tr>
`;
}

const BADGES = {
  passed: 'good',
  failed: 'bad',
  'failed as expected': 'known',
  'passed unexpectedly': 'bad',
  skipped: 'quiet',
} as const satisfies Record<Verdict, string>;
