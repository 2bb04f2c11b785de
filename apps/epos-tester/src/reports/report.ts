import { type ClauseCoverage, coverageOf } from '../coverage.js';
import { type ExpectedFailure, isAsExpected, judge, type JudgedFlow, type Verdict } from '../expected-failures.js';
import type { GroupRecord } from '../group.js';
import { GROUP_TRANSPORTS, type GroupTransport } from '../transports.js';

type Counts = Readonly<Record<Verdict, number>>;

/** What was played over one way, and how long its flows took together. */
interface WayReport {
  readonly transport: GroupTransport;
  readonly counts: Counts;
  readonly tookMs: number;
}

/** What every format of a report is made of. */
export interface Report extends Omit<GroupRecord, 'flows'> {
  readonly isAsExpected: boolean;
  readonly counts: Counts;
  readonly ways: readonly WayReport[];
  readonly flows: readonly JudgedFlow[];
  readonly coverage: readonly ClauseCoverage[];
}

/** Judges a group, and says what it has shown. */
export function reportOf(group: GroupRecord, expected: readonly ExpectedFailure[]): Report {
  const flows = group.flows.map((record) => judge(record, expected));
  return {
    ...{ epos: group.epos, startedAt: group.startedAt, tookMs: group.tookMs },
    isAsExpected: group.wasStopped !== true && flows.every(isAsExpected),
    counts: countsOf(flows),
    ways: GROUP_TRANSPORTS.flatMap((transport) => wayOf(transport, flows)),
    flows,
    coverage: coverageOf(group.flows),
  };
}

function wayOf(transport: GroupTransport, flows: readonly JudgedFlow[]): WayReport[] {
  const own = flows.filter((each) => each.transport === transport);
  const tookMs = own.reduce((sum, each) => sum + each.tookMs, 0);
  return own.length === 0 ? [] : [{ transport, counts: countsOf(own), tookMs }];
}

function countsOf(flows: readonly JudgedFlow[]): Counts {
  const count = (verdict: Verdict): number => flows.filter((each) => each.verdict === verdict).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    'failed as expected': count('failed as expected'),
    'passed unexpectedly': count('passed unexpectedly'),
    skipped: count('skipped'),
  };
}

/** The counts in a sentence, without those that are nothing. */
export function countsSaid({ counts }: Pick<Report, 'counts'>): string {
  const said = Object.entries(counts).filter(([, count]) => count > 0);
  return said.length === 0 ? 'nothing was played' : said.map(([verdict, count]) => `${count} ${verdict}`).join(', ');
}

/** The sentence of a clause; empty for one that only an earlier tester knew. */
export function sentenceOf(clause: string, coverage: readonly ClauseCoverage[]): string {
  return coverage.find((each) => each.clause === clause)?.sentence ?? '';
}

/** A stretch of time as people read it. */
export function secondsSaid(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
