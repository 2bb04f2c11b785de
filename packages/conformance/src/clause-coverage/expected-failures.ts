import { formatCheck } from '../checks/check.js';
import { findSentence, type TestCatalogue } from '../checks/catalogue.js';
import type { FlowRecord, StepRecord } from '../records/flow-record.js';

/** An expected failure of a flow or of one of its clauses, over one transport or all. */
export interface ExpectedFailure {
  readonly transport: string | null;
  readonly flow: string;
  readonly clause: string | null;
}

/** The result of a run after its comparison with the list of expected failures. */
export type Verdict = 'passed' | 'failed' | 'failed as expected' | 'passed unexpectedly' | 'skipped';

/** A flow with its verdict, and one sentence for each reason. */
export interface EvaluatedFlow extends FlowRecord {
  readonly verdict: Verdict;
  readonly because: readonly string[];
}

/** Whether a flow needs no action: its result was as expected. */
export function isAsExpected({ verdict }: EvaluatedFlow): boolean {
  return verdict !== 'failed' && verdict !== 'passed unexpectedly';
}

/**
 * Parses a list of expected failures, one a line: `flow` or `flow/clause`, optionally after a transport. Text after a
 * `#` is a comment. Returns the violations of the list instead when it contains unknown names.
 */
export function readExpectedFailures(
  catalogue: TestCatalogue,
  text: string,
): { readonly failures: readonly ExpectedFailure[] } | { readonly violations: readonly string[] } {
  const failures: ExpectedFailure[] = [];
  const violations: string[] = [];
  text.split(/\r?\n/).forEach((line, index) => {
    const words = line.replace(/#.*$/, '').trim().split(/\s+/);
    const [what = ''] = words.slice(-1);
    if (what === '') return;
    const [flow = '', clause = null] = what.split('/', 2);
    const transport = catalogue.transports.find((each) => each === words[0]) ?? null;
    const violation = findMismatch(catalogue, { words, flow, clause, transport });
    if (violation === null) failures.push({ transport, flow, clause });
    else violations.push(`line ${index + 1}: ${violation}`);
  });
  return violations.length === 0 ? { failures } : { violations };
}

function findMismatch(
  { flows, clauses }: TestCatalogue,
  { words, flow, clause, transport }: ExpectedFailure & { readonly words: readonly string[] },
): string | null {
  if (words.length > 2) return 'is not `[transport] flow[/clause]`';
  if (words.length === 2 && transport === null) return `${words[0] ?? ''} is not a transport`;
  if (!flows.includes(flow)) return `${flow} is not the name of a flow`;
  return clause === null || Object.hasOwn(clauses, clause) ? null : `${clause} is not the id of a clause`;
}

/**
 * Compares a flow with the list. An expected failure that did not occur is a deviation, too, so that lists stay
 * correct. Failures in parts that the run did not reach stay open.
 */
export function evaluateFailures(
  catalogue: TestCatalogue,
  record: FlowRecord,
  list: readonly ExpectedFailure[],
): EvaluatedFlow {
  const reasons = (): string[] => describeFailure(catalogue, record);
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
  if (own.length === 0) return isPassed ? verdict('passed', []) : verdict('failed', reasons());
  if (isPassed) return verdict('passed unexpectedly', ['It is on the list of expected failures, and nothing failed.']);
  const isWholeExpected = own.some(({ clause }) => clause === null);
  const wanted = own.flatMap(({ clause }) => clause ?? []);
  const broken = listBrokenClauses(record);
  const stray = isWholeExpected ? [] : broken.filter((clause) => !wanted.includes(clause));
  // A failed cleanup breaks no clause, but leaves something behind.
  const isExplained = isWholeExpected || (broken.length > 0 && stray.length === 0 && !record.steps.some(isUnchecked));
  if (!isExplained) return verdict('failed', reasons());
  const kept = wanted.filter((clause) => !broken.includes(clause) && wasKept(record, clause));
  if (kept.length === 0) return verdict('failed as expected', reasons());
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

/** Whether a step failed without a failed check. */
function isUnchecked({ status, checks }: StepRecord): boolean {
  return status !== 'SUCCESS' && checks.every(({ holds }) => holds);
}

/** The failed checks, each as a sentence. For a step that failed without one, its end. */
function describeFailure(catalogue: TestCatalogue, { steps }: FlowRecord): string[] {
  return steps.flatMap((step) => {
    if (isUnchecked(step)) return [`${step.name}: ${step.lines.at(-1) ?? step.status}`];
    const failed = step.checks.filter(({ holds }) => !holds);
    return failed.map((check) => `${step.name}: ${formatCheck(check, findSentence(catalogue, check.clause))}`);
  });
}
