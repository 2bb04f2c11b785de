import { type ClauseCoverage, listCoverage } from '../clause-coverage/coverage.js';
import {
  type ExpectedFailure,
  isAsExpected,
  evaluateFailures,
  type EvaluatedFlow,
  type Verdict,
} from '../clause-coverage/expected-failures.js';
import type { TestCatalogue } from '../checks/catalogue.js';
import type { GroupRecord } from '../records/flow-record.js';

type Counts = Readonly<Record<Verdict, number>>;

/** The flows over one transport, and their total time. */
interface TransportReport {
  readonly transport: string;
  readonly counts: Counts;
  readonly tookMs: number;
}

/** The data of every report format. */
export interface Report extends Omit<GroupRecord, 'flows'> {
  readonly isAsExpected: boolean;
  readonly counts: Counts;
  readonly ways: readonly TransportReport[];
  readonly flows: readonly EvaluatedFlow[];
  readonly coverage: readonly ClauseCoverage[];
}

/** Computes the verdicts and the coverage of a group. */
export function buildReport(
  catalogue: TestCatalogue,
  group: GroupRecord,
  expected: readonly ExpectedFailure[],
): Report {
  const flows = group.flows.map((record) => evaluateFailures(catalogue, record, expected));
  return {
    ...{ subject: group.subject, startedAt: group.startedAt, tookMs: group.tookMs },
    isAsExpected: group.wasStopped !== true && flows.every(isAsExpected),
    counts: countChecks(flows),
    ways: catalogue.transports.flatMap((transport) => buildTransportReport(transport, flows)),
    flows,
    coverage: listCoverage(catalogue, group.flows),
    ...(group.transports !== undefined && { transports: group.transports }),
    ...(group.facts !== undefined && { facts: group.facts }),
    ...(group.wasStopped !== undefined && { wasStopped: group.wasStopped }),
  };
}

function buildTransportReport(transport: string, flows: readonly EvaluatedFlow[]): TransportReport[] {
  const own = flows.filter((each) => each.transport === transport);
  const tookMs = own.reduce((sum, each) => sum + each.tookMs, 0);
  return own.length === 0 ? [] : [{ transport, counts: countChecks(own), tookMs }];
}

function countChecks(flows: readonly EvaluatedFlow[]): Counts {
  const count = (verdict: Verdict): number => flows.filter((each) => each.verdict === verdict).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    'failed as expected': count('failed as expected'),
    'passed unexpectedly': count('passed unexpectedly'),
    skipped: count('skipped'),
  };
}

/** The counts in a sentence, without zeros. */
export function formatCounts({ counts }: Pick<Report, 'counts'>): string {
  const nonZero = Object.entries(counts).filter(([, count]) => count > 0);
  return nonZero.length === 0
    ? 'nothing was played'
    : nonZero.map(([verdict, count]) => `${count} ${verdict}`).join(', ');
}

/** The sentence of a clause; empty for a clause of an earlier version of the tester. */
export function sentenceOf(clause: string, coverage: readonly ClauseCoverage[]): string {
  return coverage.find((each) => each.clause === clause)?.sentence ?? '';
}

/** Formats a duration for people. */
export function formatSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
