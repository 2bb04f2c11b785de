import type { TestCatalogue } from '../checks/catalogue.js';
import type { FlowRecord } from '../records/flow-record.js';

/** A flow that has checked a clause, and the results. */
export interface ClauseEvidence {
  readonly transport: string;
  readonly flow: string;
  /** How many of its checks of this clause held, and how many failed. */
  readonly held: number;
  readonly broken: number;
}

/** One clause, and the flows of this run that tested it. */
export interface ClauseCoverage {
  readonly clause: string;
  readonly sentence: string;
  readonly shownBy: readonly ClauseEvidence[];
  /** Why no flow has tested it; null when one has. */
  readonly gap: string | null;
}

/** The coverage of every clause, in the order of the clauses. */
export function listCoverage(catalogue: TestCatalogue, flows: readonly FlowRecord[]): ClauseCoverage[] {
  return Object.entries(catalogue.clauses).map(([clause, sentence]) => {
    const shownBy = flows.flatMap((record) => findEvidence(record, clause) ?? []);
    const gap = shownBy.length > 0 ? null : findGap(catalogue, { clause, flows });
    return { clause, sentence, shownBy, gap };
  });
}

function findEvidence({ transport, flow, steps }: FlowRecord, clause: string): ClauseEvidence | null {
  const checks = steps.flatMap((step) => step.checks.filter((check) => check.clause === clause));
  if (checks.length === 0) return null;
  const held = sumCoverage(checks.filter(({ holds }) => holds).map(({ times }) => times));
  return { transport, flow, held, broken: sumCoverage(checks.map(({ times }) => times)) - held };
}

function findGap(
  { subject, clauseFlows, conditions }: TestCatalogue,
  { clause, flows }: { readonly clause: string; readonly flows: readonly FlowRecord[] },
): string {
  const able = clauseFlows[clause]?.flows ?? [];
  const chosen = flows.filter(({ flow }) => able.includes(flow));
  if (chosen.length === 0) return `No flow that shows it was chosen: ${getList(able)}.`;
  const played = chosen.filter(({ status }) => status !== 'SKIPPED');
  if (played.length === 0) {
    const reasons = [...new Set(chosen.map(({ flow, transport, whyNot }) => `${flow} over ${transport}: ${whyNot}`))];
    return `Every flow that shows it was skipped. ${getList(reasons)}`;
  }
  const failed = played.filter(({ status }) => status !== 'SUCCESS');
  if (failed.length > 0) return `The flows that show it ended before they came to it: ${getList(listNames(failed))}.`;
  return conditions[clause] ?? `The ${subject} gave ${getList(listNames(played))} nothing to check it on.`;
}

const LISTED_MAX = 4;

function getList(names: readonly string[]): string {
  const more = names.length - LISTED_MAX;
  return names.slice(0, LISTED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function listNames(flows: readonly FlowRecord[]): string[] {
  return [...new Set(flows.map(({ flow }) => flow))];
}

function sumCoverage(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
