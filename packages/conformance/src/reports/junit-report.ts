import type { TestCatalogue } from '../checks/catalogue.js';
import type { EvaluatedFlow } from '../clause-coverage/expected-failures.js';
import { escapeMarkup } from './markup.js';
import { type Report, sentenceOf } from './report.js';

/**
 * The report as JUnit XML: a suite for each transport, a case for each flow. An expected failure is a skipped case, and
 * an expected failure that did not occur is a failure, so that every reader of the format gets our verdict.
 */
export function renderJunitReport(catalogue: TestCatalogue, report: Report): string {
  const subject = catalogue.subject.toLowerCase();
  const { flows, tookMs } = report;
  const suites = catalogue.transports.flatMap((transport) => {
    const own = flows.filter((flow) => flow.transport === transport);
    return own.length === 0 ? [] : renderSuite({ report, subject }, transport, own);
  });
  const attributes = `name="${escapeMarkup(catalogue.title)}" ${getCounts(flows)} errors="0" time="${getSeconds(tookMs)}"`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${attributes}>`, ...suites, '</testsuites>', ''].join(
    '\n',
  );
}

interface JunitSubject {
  readonly report: Report;
  readonly subject: string;
}

function renderSuite({ report, subject }: JunitSubject, transport: string, flows: readonly EvaluatedFlow[]): string[] {
  const took = flows.reduce((total, { tookMs }) => total + tookMs, 0);
  const startedAt = flows.find((flow) => flow.startedAt !== null)?.startedAt ?? report.startedAt;
  const attributes = [
    `name="${escapeMarkup(transport)}"`,
    `${getCounts(flows)} errors="0" skipped="${flows.filter(isSkipped).length}"`,
    `time="${getSeconds(took)}" timestamp="${escapeMarkup(startedAt)}"`,
  ];
  const named = `    <properties><property name="${subject}" value="${escapeMarkup(report.subject)}"/></properties>`;
  return [
    `  <testsuite ${attributes.join(' ')}>`,
    named,
    ...flows.flatMap((flow) => renderCase({ report, subject }, flow)),
    '  </testsuite>',
  ];
}

function renderCase({ report, subject }: JunitSubject, flow: EvaluatedFlow): string[] {
  const { transport, tookMs, steps, verdict } = flow;
  const attributes = `classname="${subject}.${escapeMarkup(transport)}" name="${escapeMarkup(flow.flow)}" time="${getSeconds(tookMs)}"`;
  const lines = steps.flatMap((step) => [
    `${step.name}: ${step.status} (${getSeconds(step.tookMs)} s)`,
    ...step.checks.map(
      ({ clause, holds, isWarning = false, member, expected, found }) =>
        `  ${isWarning ? 'WARNING' : holds ? 'held' : 'BROKEN'} [${clause}] ${sentenceOf(clause, report.coverage)} ${member}: expected ${expected}, found ${found}`,
    ),
    // The lines of a passed flow are in the other formats; readers of this one show a case as a whole.
    ...(verdict === 'passed' ? [] : step.lines.map((line) => `  ${line}`)),
  ]);
  return [
    `    <testcase ${attributes}>`,
    ...listOutcome(flow),
    ...(lines.length === 0 ? [] : [`      <system-out>${escapeMarkup(lines.join('\n'))}</system-out>`]),
    '    </testcase>',
  ];
}

function listOutcome({ verdict, because, skipKind }: EvaluatedFlow): string[] {
  const [first = verdict] = because;
  switch (verdict) {
    case 'passed':
      return [];
    case 'skipped':
      return [`      <skipped message="${escapeMarkup(`${skipKind ?? 'not tested'}: ${first}`)}"/>`];
    case 'failed as expected':
      return [`      <skipped message="${escapeMarkup(`failed as expected: ${first}`)}"/>`];
    case 'failed':
    case 'passed unexpectedly': {
      const type = verdict === 'failed' ? findClause(first) : verdict;
      const all = escapeMarkup(because.join('\n'));
      return [`      <failure type="${escapeMarkup(type)}" message="${escapeMarkup(first)}">${all}</failure>`];
    }
  }
}

/** The clause at the end of the sentence of a failed check. */
function findClause(sentence: string): string {
  return /\[([a-z.-]+)\]$/.exec(sentence)?.[1] ?? 'failed';
}

function getCounts(flows: readonly EvaluatedFlow[]): string {
  const failures = flows.filter(({ verdict }) => verdict === 'failed' || verdict === 'passed unexpectedly').length;
  return `tests="${flows.length}" failures="${failures}"`;
}

function isSkipped({ verdict }: EvaluatedFlow): boolean {
  return verdict === 'skipped' || verdict === 'failed as expected';
}

function getSeconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
