import { type Check, formatCheck } from './check.js';
import { findSentence, type TestCatalogue } from './catalogue.js';

/** The subject of a check: the member, the expected value and the found value. */
export interface StepFinding<C extends string = string> {
  readonly clause: C;
  readonly member: string;
  readonly expected: string;
  readonly found: string | number | bigint | boolean | undefined;
}

const LINES_MAX = 200;
const LINE_LENGTH_MAX = 4_000;
const FOUND_LENGTH_MAX = 200;
const CHECKS_MAX = 300;

/** A running step: its time, and its record. */
export class OpenStep<C extends string = string> {
  readonly #lines: string[] = [];
  readonly #checks = new Map<string, Check>();
  readonly #endsAtMs: number;
  #failures = 0;

  /** Aborted when the step must end. */
  readonly signal: AbortSignal;
  readonly #clauses: TestCatalogue['clauses'];

  constructor(parts: {
    readonly limitMs: number;
    readonly signal: AbortSignal;
    readonly clauses: Readonly<Record<C, string>>;
  }) {
    this.#endsAtMs = performance.now() + parts.limitMs;
    this.signal = parts.signal;
    this.#clauses = parts.clauses;
  }

  leftMs(): number {
    return Math.max(0, this.#endsAtMs - performance.now());
  }

  /** Writes a line; a line beyond the limit is cut. */
  note(line: string): void {
    if (this.#lines.length < LINES_MAX) {
      this.#lines.push(line.length > LINE_LENGTH_MAX ? `${line.slice(0, LINE_LENGTH_MAX)}...` : line);
    }
  }

  /** A failed check fails the step, and the step continues: one call may break several clauses. */
  check(holds: boolean, finding: StepFinding<C>): boolean {
    const { clause, member, expected } = finding;
    this.#keep({ holds, clause, member, expected, found: collectFindings(finding) });
    if (!holds) {
      this.#failures += 1;
      this.note(this.#describe(finding));
    }
    return holds;
  }

  /** Warns about an answer that the contract allows but does not recommend. It does not fail the step. */
  warn(finding: StepFinding<C>): void {
    const { clause, member, expected } = finding;
    this.#keep({ holds: true, isWarning: true, clause, member, expected, found: collectFindings(finding) });
    this.note(`Warning: ${this.#describe(finding)}`);
  }

  /** Records that a requirement was met; for clauses without a member to compare. */
  saw(clause: C, { member, what }: { readonly member: string; readonly what: string }): void {
    this.#keep({ holds: true, clause, member, expected: what, found: what });
  }

  /** A check without which the step cannot continue. */
  require(holds: boolean, finding: StepFinding<C>): void {
    if (!this.check(holds, finding)) throw new StepFailed();
  }

  /** Ends the step as failed. */
  fail(finding: StepFinding<C>): never {
    this.check(false, finding);
    throw new StepFailed();
  }

  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  lines(): string[] {
    return [...this.#lines];
  }

  /** All checks so far, in the order in which they were first made. */
  checks(): Check[] {
    return [...this.#checks.values()];
  }

  #describe(finding: StepFinding): string {
    const sentence = findSentence({ clauses: this.#clauses }, finding.clause);
    return formatCheck({ ...finding, found: collectFindings(finding) }, sentence);
  }

  #keep(check: Omit<Check, 'times'>): void {
    const { holds, clause, expected, found, isWarning = false } = check;
    const member = holds ? check.member.replace(/\[\d+\]/g, '[]') : check.member;
    const key = JSON.stringify(holds && !isWarning ? [clause, member] : [clause, member, expected, found]);
    const before = this.#checks.get(key);
    // When there are too many checks, failures are the last to be left out.
    if (before === undefined && this.#checks.size >= CHECKS_MAX) {
      const held = [...this.#checks].find(([, each]) => each.holds);
      if (holds || held === undefined) return;
      this.#checks.delete(held[0]);
    }
    this.#checks.set(key, { ...check, member, ...before, times: (before?.times ?? 0) + 1 });
  }
}

/** The step cannot continue; the failure is recorded. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
}

function collectFindings({ found }: StepFinding): string {
  const text = found === undefined ? 'nothing' : typeof found === 'string' ? JSON.stringify(found) : String(found);
  return text.slice(0, FOUND_LENGTH_MAX);
}
