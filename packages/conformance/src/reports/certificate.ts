import type { TestCatalogue } from '../checks/catalogue.js';
import type { EvaluatedFlow } from '../clause-coverage/expected-failures.js';
import type { Report } from './report.js';

/** Why a run certifies nothing. */
export type Obstacle =
  | { readonly kind: 'stopped' | 'nonePassed' }
  | { readonly kind: 'failed'; readonly count: number }
  /** Skipped for want of data. */
  | { readonly kind: 'untested'; readonly count: number; readonly reason: string }
  /** Not chosen; a tester with one transport does not name it. */
  | { readonly kind: 'missing'; readonly count: number; readonly all: number; readonly transport: string | null }
  | { readonly kind: 'unused'; readonly transports: readonly string[] };

/** What a run proves about its subject. `obstacles`: why it certifies nothing; empty when it certifies. */
export interface Certificate {
  readonly isCertified: boolean;
  readonly obstacles: readonly Obstacle[];
  /** The transports of the subject that the certificate is about. */
  readonly transports: readonly string[];
  readonly passed: number;
  readonly skipped: number;
  readonly clausesTested: number;
  readonly clauses: number;
}

/**
 * A run certifies its subject when every flow of the tester was chosen over every transport of the subject, each passed or
 * does not apply, and some passed. An expected failure is a failure here: the list explains it, and does not make it right.
 */
export function createCertificate(catalogue: TestCatalogue, report: Report): Certificate {
  const { counts, coverage } = report;
  const failed = counts.failed + counts['failed as expected'];
  const passed = counts.passed + counts['passed unexpectedly'];
  const obstacles: readonly Obstacle[] = [
    ...(report.wasStopped === true ? [{ kind: 'stopped' } as const] : []),
    ...(failed === 0 ? [] : [{ kind: 'failed', count: failed } as const]),
    ...listUntested(report),
    ...listMissing(catalogue, report),
    ...(passed > 0 ? [] : [{ kind: 'nonePassed' } as const]),
  ];
  return {
    ...{ isCertified: obstacles.length === 0, obstacles, transports: listTransports(catalogue, report) },
    ...{ passed, skipped: counts.skipped },
    ...{ clausesTested: coverage.filter(({ gap }) => gap === null).length, clauses: coverage.length },
  };
}

/** Whether a flow was skipped although it may apply to the subject. */
export function isUntested({ verdict, skipKind }: EvaluatedFlow): boolean {
  return verdict === 'skipped' && skipKind !== 'not applicable';
}

/** The flows that were skipped for want of data, by their reason. */
function listUntested({ flows }: Report): Obstacle[] {
  const untested = flows.filter(isUntested);
  const reasons = [...new Set(untested.map(({ whyNot }) => whyNot))];
  return reasons.map((reason): Obstacle => {
    const count = untested.filter(({ whyNot }) => whyNot === reason).length;
    return { kind: 'untested', count, reason };
  });
}

/** The flows that were not chosen, for each transport of the subject. */
function listMissing(catalogue: TestCatalogue, report: Report): Obstacle[] {
  const all = catalogue.flows.length;
  const hasOne = catalogue.transports.length === 1;
  const missing = listTransports(catalogue, report).map((transport) => {
    const own = report.flows.filter((each) => each.transport === transport);
    const chosen = new Set(own.map(({ flow }) => flow));
    return { transport, count: catalogue.flows.filter((name) => !chosen.has(name)).length };
  });
  const unused = hasOne ? [] : missing.filter(({ count }) => count === all).map(({ transport }) => transport);
  const partly = missing.filter(({ transport, count }) => count > 0 && !unused.includes(transport));
  return [
    ...partly.map(({ transport, count }): Obstacle => {
      return { kind: 'missing', count, all, transport: hasOne ? null : transport };
    }),
    ...(unused.length === 0 ? [] : [{ kind: 'unused', transports: unused } as const]),
  ];
}

function listTransports(catalogue: TestCatalogue, { transports }: Report): readonly string[] {
  return transports ?? catalogue.transports;
}
