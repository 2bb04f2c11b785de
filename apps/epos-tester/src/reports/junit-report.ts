import type { JudgedFlow } from '../expected-failures.js';
import { GROUP_TRANSPORTS } from '../transports.js';
import { escapeMarkup } from './markup.js';
import { type Report, sentenceOf } from './report.js';

/**
 * The report as JUnit XML: a suite for each transport, a case for each flow. A failure that was expected is a skipped
 * case, and an expected failure that did not come is a failure, so that every reader of the format judges as we do.
 */
export function junitReport(report: Report): string {
  const { flows, tookMs } = report;
  const suites = GROUP_TRANSPORTS.flatMap((transport) => {
    const own = flows.filter((flow) => flow.transport === transport);
    return own.length === 0 ? [] : suiteOf(report, transport, own);
  });
  const attributes = `name="EPOS tester" ${countsOf(flows)} errors="0" time="${secondsOf(tookMs)}"`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${attributes}>`, ...suites, '</testsuites>', ''].join(
    '\n',
  );
}

function suiteOf(report: Report, transport: string, flows: readonly JudgedFlow[]): string[] {
  const took = flows.reduce((total, { tookMs }) => total + tookMs, 0);
  const startedAt = flows.find((flow) => flow.startedAt !== null)?.startedAt ?? report.startedAt;
  const attributes = [
    `name="${escapeMarkup(transport)}"`,
    `${countsOf(flows)} errors="0" skipped="${flows.filter(isSkipped).length}"`,
    `time="${secondsOf(took)}" timestamp="${escapeMarkup(startedAt)}"`,
  ];
  const epos = `    <properties><property name="epos" value="${escapeMarkup(report.epos)}"/></properties>`;
  return [
    `  <testsuite ${attributes.join(' ')}>`,
    epos,
    ...flows.flatMap((flow) => caseOf(report, flow)),
    '  </testsuite>',
  ];
}

function caseOf(report: Report, flow: JudgedFlow): string[] {
  const { transport, tookMs, steps, verdict } = flow;
  const attributes = `classname="epos.${escapeMarkup(transport)}" name="${escapeMarkup(flow.flow)}" time="${secondsOf(tookMs)}"`;
  const told = steps.flatMap((step) => [
    `${step.name}: ${step.status} (${secondsOf(step.tookMs)} s)`,
    ...step.checks.map(
      ({ clause, holds, isWarning = false, member, expected, found }) =>
        `  ${isWarning ? 'WARNING' : holds ? 'held' : 'BROKEN'} [${clause}] ${sentenceOf(clause, report.coverage)} ${member}: expected ${expected}, found ${found}`,
    ),
    // What was said in a flow that passed is in the other formats; readers of this one show a case as a whole.
    ...(verdict === 'passed' ? [] : step.lines.map((line) => `  ${line}`)),
  ]);
  return [
    `    <testcase ${attributes}>`,
    ...outcomeOf(flow),
    ...(told.length === 0 ? [] : [`      <system-out>${escapeMarkup(told.join('\n'))}</system-out>`]),
    '    </testcase>',
  ];
}

function outcomeOf({ verdict, because }: JudgedFlow): string[] {
  const [first = verdict] = because;
  switch (verdict) {
    case 'passed':
      return [];
    case 'skipped':
      return [`      <skipped message="${escapeMarkup(first)}"/>`];
    case 'failed as expected':
      return [`      <skipped message="${escapeMarkup(`failed as expected: ${first}`)}"/>`];
    case 'failed':
    case 'passed unexpectedly': {
      const type = verdict === 'failed' ? clauseIn(first) : verdict;
      const all = escapeMarkup(because.join('\n'));
      return [`      <failure type="${escapeMarkup(type)}" message="${escapeMarkup(first)}">${all}</failure>`];
    }
  }
}

/** The clause that a sentence about a broken one ends with. */
function clauseIn(sentence: string): string {
  return /\[([a-z.-]+)\]$/.exec(sentence)?.[1] ?? 'failed';
}

function countsOf(flows: readonly JudgedFlow[]): string {
  const failures = flows.filter(({ verdict }) => verdict === 'failed' || verdict === 'passed unexpectedly').length;
  return `tests="${flows.length}" failures="${failures}"`;
}

function isSkipped({ verdict }: JudgedFlow): boolean {
  return verdict === 'skipped' || verdict === 'failed as expected';
}

function secondsOf(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
