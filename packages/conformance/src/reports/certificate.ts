import type { TestCatalogue } from '../checks/catalogue.js';
import type { EvaluatedFlow } from '../clause-coverage/expected-failures.js';
import type { Report } from './report.js';

/** What a run proves about its subject. `reasons`: why it certifies nothing; empty when it certifies. */
export interface Certificate {
  readonly isCertified: boolean;
  readonly reasons: readonly string[];
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
  const reasons = [
    ...(report.wasStopped === true ? ['The run was stopped before its end.'] : []),
    ...(failed === 0 ? [] : [`${formatFlows(failed)} failed.`]),
    ...listUntested(report),
    ...listMissing(catalogue, report),
    ...(passed > 0 ? [] : ['No flow passed.']),
  ];
  return {
    ...{ isCertified: reasons.length === 0, reasons, transports: listTransports(catalogue, report) },
    ...{ passed, skipped: counts.skipped },
    ...{ clausesTested: coverage.filter(({ gap }) => gap === null).length, clauses: coverage.length },
  };
}

/** Whether a flow was skipped although it may apply to the subject. */
export function isUntested({ verdict, skipKind }: EvaluatedFlow): boolean {
  return verdict === 'skipped' && skipKind !== 'not applicable';
}

/** The flows that were skipped for want of data, by their reason. */
function listUntested({ flows }: Report): string[] {
  const untested = flows.filter(isUntested);
  const reasons = [...new Set(untested.map(({ whyNot }) => whyNot))];
  return reasons.map((reason) => {
    const count = untested.filter(({ whyNot }) => whyNot === reason).length;
    return `${formatFlows(count)} ${count === 1 ? 'was' : 'were'} not tested: ${reason}`;
  });
}

/** The flows that were not chosen, for each transport of the subject. */
function listMissing(catalogue: TestCatalogue, report: Report): string[] {
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
    ...partly.map(({ transport, count }) => {
      const over = hasOne ? '' : ` over ${transport}`;
      return `${formatFlows(count)} of ${all}${over} did not belong to the run.`;
    }),
    ...(unused.length === 0 ? [] : [`No flow over ${unused.join(', ')} belonged to the run.`]),
  ];
}

function listTransports(catalogue: TestCatalogue, { transports }: Report): readonly string[] {
  return transports ?? catalogue.transports;
}

function formatFlows(count: number): string {
  return count === 1 ? '1 flow' : `${count} flows`;
}
