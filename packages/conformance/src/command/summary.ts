import { escapeControls } from '@pos/core/refusals';
import type { TestCatalogue } from '../checks/catalogue.js';
import { type ExpectedFailure, evaluateFailures } from '../clause-coverage/expected-failures.js';
import type { FlowRecord } from '../records/flow-record.js';
import { formatCounts, formatSeconds, type Report } from '../reports/report.js';

const TRANSPORT_WIDTH = 12;

/** For a terminal: one line for a played flow, and one for each deviation from what was expected. */
export function formatFlow(catalogue: TestCatalogue, record: FlowRecord, expected: readonly ExpectedFailure[]): string {
  const { transport, flow, verdict, because, tookMs } = evaluateFailures(catalogue, record, expected);
  const head = `${transport.padEnd(TRANSPORT_WIDTH)} ${flow}: ${verdict} (${formatSeconds(tookMs)})\n`;
  return escapeControls(head + because.map((each) => `    ${each}\n`).join(''));
}

/** One line for each transport with the total time of its flows, and one for all with the time of the command. */
export function formatSummary(
  report: Report,
  { hasReports, tookMs }: { readonly hasReports: boolean; readonly tookMs: number },
): string {
  const transports = report.ways.map(
    (each) => `${each.transport.padEnd(TRANSPORT_WIDTH)} ${formatCounts(each)}; ${formatSeconds(each.tookMs)}\n`,
  );
  const { length } = report.coverage;
  const shown = report.coverage.filter(({ gap }) => gap === null).length;
  const counts = `${formatCounts(report)}${report.counts.skipped > 0 && hasReports ? ' (the reports say why)' : ''}`;
  return `${transports.join('')}${counts}; ${shown} of ${length} clauses shown; ${formatSeconds(tookMs)}\n`;
}
