import { CLAUSE_FLOWS } from './clause-flows.js';
import { CLAUSES, type ClauseId } from '../checks/clauses.js';
import type { FlowRecord } from './group.js';
import type { GroupTransport } from './transports.js';

/** A flow that has checked a clause, and the results. */
export interface ClauseEvidence {
  readonly transport: GroupTransport;
  readonly flow: string;
  /** How many of its checks of this clause held, and how many failed. */
  readonly held: number;
  readonly broken: number;
}

/** One clause, and the flows of this run that tested it. */
export interface ClauseCoverage {
  readonly clause: ClauseId;
  readonly sentence: string;
  readonly shownBy: readonly ClauseEvidence[];
  /** Why no flow has tested it; null when one has. */
  readonly gap: string | null;
}

/** The coverage of every clause, in the order of the clauses. */
export function listCoverage(flows: readonly FlowRecord[]): ClauseCoverage[] {
  const ids = Object.keys(CLAUSES) as ClauseId[];
  return ids.map((clause) => {
    const shownBy = flows.flatMap((record) => findEvidence(record, clause) ?? []);
    const gap = shownBy.length > 0 ? null : findGap(clause, flows);
    return { clause, sentence: CLAUSES[clause], shownBy, gap };
  });
}

function findEvidence({ transport, flow, steps }: FlowRecord, clause: ClauseId): ClauseEvidence | null {
  const checks = steps.flatMap((step) => step.checks.filter((check) => check.clause === clause));
  if (checks.length === 0) return null;
  const held = sumCoverage(checks.filter(({ holds }) => holds).map(({ times }) => times));
  return { transport, flow, held, broken: sumCoverage(checks.map(({ times }) => times)) - held };
}

function findGap(clause: ClauseId, flows: readonly FlowRecord[]): string {
  const able: readonly string[] = CLAUSE_FLOWS[clause].flows;
  const chosen = flows.filter(({ flow }) => able.includes(flow));
  if (chosen.length === 0) return `No flow that shows it was chosen: ${getList(able)}.`;
  const played = chosen.filter(({ status }) => status !== 'SKIPPED');
  if (played.length === 0) {
    const reasons = [...new Set(chosen.map(({ flow, transport, whyNot }) => `${flow} over ${transport}: ${whyNot}`))];
    return `Every flow that shows it was skipped. ${getList(reasons)}`;
  }
  const failed = played.filter(({ status }) => status !== 'SUCCESS');
  if (failed.length > 0) return `The flows that show it ended before they came to it: ${getList(listNames(failed))}.`;
  return CONDITIONS[clause] ?? `The EPOS gave ${getList(listNames(played))} nothing to check it on.`;
}

/** Clauses that a correct run may skip. */
const CONDITIONS: Partial<Record<ClauseId, string>> = {
  'connection.credentials': 'The EPOS was not called at an address, so no password was shown to it.',
};

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
