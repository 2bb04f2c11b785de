/** How a clause is tested: the flows that detect a subject which breaks it. */
export interface ClauseCoverageNote {
  readonly flows: readonly string[];
  /** What these flows have in common, if they are too many to list; otherwise null. */
  readonly by: string | null;
}

/** What a tester consists of: the reports, the coverage and the lists of expected failures are derived from it. */
export interface TestCatalogue {
  /** The name of the tester in its reports. */
  readonly title: string;
  /** The subject under test: its name in sentences, and in lower case in JSON and JUnit. */
  readonly subject: string;
  /** How flows reach the subject, in the order of the reports. */
  readonly transports: readonly string[];
  /** The names of the flows, in their order. */
  readonly flows: readonly string[];
  /** Each clause with its sentence. */
  readonly clauses: Readonly<Record<string, string>>;
  readonly clauseFlows: Readonly<Record<string, ClauseCoverageNote>>;
  /** Clauses that a correct run may leave out, with the reason. */
  readonly conditions: Readonly<Record<string, string>>;
}

/** The sentence of a clause; empty for a clause of an earlier version of the tester. */
export function findSentence({ clauses }: Pick<TestCatalogue, 'clauses'>, clause: string): string {
  return Object.hasOwn(clauses, clause) ? (clauses[clause] ?? '') : '';
}
