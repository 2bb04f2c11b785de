import { formatCheck } from '../checks/check.js';
import { CLAUSES } from '../checks/clauses.js';
import { FLOWS } from '../flows/flows.js';
import type { FlowRecord, StepRecord } from './group.js';
import { GROUP_TRANSPORTS, type GroupTransport } from './transports.js';

/** A failure that is known: of a flow, or of one clause in it; over one way, or over all of them. */
export interface ExpectedFailure {
  readonly transport: GroupTransport | null;
  readonly flow: string;
  readonly clause: string | null;
}

/** What a run comes to once the list of expected failures is held against it. */
export type Verdict = 'passed' | 'failed' | 'failed as expected' | 'passed unexpectedly' | 'skipped';

/** A flow with its verdict, and in a sentence each what the verdict comes from. */
export interface EvaluatedFlow extends FlowRecord {
  readonly verdict: Verdict;
  readonly because: readonly string[];
}

/** Whether nothing has to be done about a flow: it did what was expected of it. */
export function isAsExpected({ verdict }: EvaluatedFlow): boolean {
  return verdict !== 'failed' && verdict !== 'passed unexpectedly';
}

/**
 * Reads a list of expected failures: one a line, `flow` or `flow/clause`, either with a transport before it; what
 * follows a `#` is a remark. Gives the faults of the list instead when it names what there is not.
 */
export function readExpectedFailures(
  text: string,
): { readonly failures: readonly ExpectedFailure[] } | { readonly faults: readonly string[] } {
  const failures: ExpectedFailure[] = [];
  const faults: string[] = [];
  text.split(/\r?\n/).forEach((line, index) => {
    const words = line.replace(/#.*$/, '').trim().split(/\s+/);
    const [what = ''] = words.slice(-1);
    if (what === '') return;
    const [flow = '', clause = null] = what.split('/', 2);
    const transport = GROUP_TRANSPORTS.find((each) => each === words[0]) ?? null;
    const fault = findMismatch({ words, flow, clause, transport });
    if (fault === null) failures.push({ transport, flow, clause });
    else faults.push(`line ${index + 1}: ${fault}`);
  });
  return faults.length === 0 ? { failures } : { faults };
}

function findMismatch({
  words,
  flow,
  clause,
  transport,
}: ExpectedFailure & { readonly words: readonly string[] }): string | null {
  if (words.length > 2) return 'is not `[transport] flow[/clause]`';
  if (words.length === 2 && transport === null) return `${words[0] ?? ''} is not a transport`;
  if (!FLOWS.some(({ name }) => name === flow)) return `${flow} is not the name of a flow`;
  return clause === null || Object.hasOwn(CLAUSES, clause) ? null : `${clause} is not the id of a clause`;
}

/**
 * Holds the list against a flow. A failure of the list that did not come is as much a deviation as one that is not on
 * it, so that lists do not rot; only what the run did not get to is left open.
 */
export function evaluateFailures(record: FlowRecord, list: readonly ExpectedFailure[]): EvaluatedFlow {
  const own = list.filter(
    ({ flow, transport }) => flow === record.flow && (transport ?? record.transport) === record.transport,
  );
  const verdict = (named: Verdict, because: readonly string[]): EvaluatedFlow => ({
    ...record,
    verdict: named,
    because,
  });
  if (record.status === 'SKIPPED') return verdict('skipped', [record.whyNot]);
  const isPassed = record.status === 'SUCCESS';
  if (own.length === 0) return isPassed ? verdict('passed', []) : verdict('failed', describeFailure(record));
  if (isPassed) return verdict('passed unexpectedly', ['It is on the list of expected failures, and nothing failed.']);
  const isWholeExpected = own.some(({ clause }) => clause === null);
  const wanted = own.flatMap(({ clause }) => clause ?? []);
  const broken = listBrokenClauses(record);
  const stray = isWholeExpected ? [] : broken.filter((clause) => !wanted.includes(clause));
  // A cleanup that fails breaks no clause, and leaves the EPOS with a lock.
  const isExplained = isWholeExpected || (broken.length > 0 && stray.length === 0 && !record.steps.some(isUnchecked));
  if (!isExplained) return verdict('failed', describeFailure(record));
  const kept = wanted.filter((clause) => !broken.includes(clause) && wasKept(record, clause));
  if (kept.length === 0) return verdict('failed as expected', describeFailure(record));
  return verdict(
    'passed unexpectedly',
    kept.map((clause) => `${clause} is on the list of expected failures, and it was kept.`),
  );
}

function listBrokenClauses({ steps }: FlowRecord): string[] {
  return [...new Set(steps.flatMap(({ checks }) => checks.filter(({ holds }) => !holds).map(({ clause }) => clause)))];
}

function wasKept({ steps }: FlowRecord, wanted: string): boolean {
  return steps.some(({ checks }) => checks.some(({ holds, clause }) => holds && clause === wanted));
}

/** Whether a step failed without a check that did. */
function isUnchecked({ status, checks }: StepRecord): boolean {
  return status !== 'SUCCESS' && checks.every(({ holds }) => holds);
}

/** The sentence of a clause; empty for one that only an earlier tester knew. */
function sentenceOf(clause: string): string {
  return new Map(Object.entries(CLAUSES)).get(clause) ?? '';
}

/** The checks that failed, each as a sentence; of a step that failed without one, what it ended with. */
function describeFailure({ steps }: FlowRecord): string[] {
  return steps.flatMap((step) => {
    if (isUnchecked(step)) return [`${step.name}: ${step.lines.at(-1) ?? step.status}`];
    const failed = step.checks.filter(({ holds }) => !holds);
    return failed.map((check) => `${step.name}: ${formatCheck(check, sentenceOf(check.clause))}`);
  });
}
