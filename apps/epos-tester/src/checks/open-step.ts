import { type Check, formatCheck } from './check.js';
import { type ClauseId, CLAUSES } from './clauses.js';

/** The subject of a check: the member, the expected value and the found value. */
export interface StepFinding {
  readonly clause: ClauseId;
  readonly member: string;
  readonly expected: string;
  readonly found: string | number | bigint | boolean | undefined;
}

const LINES_MAX = 200;
const LINE_LENGTH_MAX = 4_000;
const FOUND_LENGTH_MAX = 200;
const CHECKS_MAX = 300;

/** A running step: its time, and its record. */
export class OpenStep {
  readonly #lines: string[] = [];
  readonly #checks = new Map<string, Check>();
  readonly #endsAtMs: number;
  #failures = 0;

  constructor(
    limitMs: number,
    /** Aborted when the step must end. */
    readonly signal: AbortSignal,
  ) {
    this.#endsAtMs = performance.now() + limitMs;
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
  check(holds: boolean, finding: StepFinding): boolean {
    const { clause, member, expected } = finding;
    this.#keep({ holds, clause, member, expected, found: collectFindings(finding) });
    if (!holds) {
      this.#failures += 1;
      this.note(getSentence(finding));
    }
    return holds;
  }

  /** Warns about an answer that the contract allows but does not recommend. It does not fail the step. */
  warn(finding: StepFinding): void {
    const { clause, member, expected } = finding;
    this.#keep({ holds: true, isWarning: true, clause, member, expected, found: collectFindings(finding) });
    this.note(`Warning: ${getSentence(finding)}`);
  }

  /** Records that a requirement was met; for clauses without a member to compare. */
  saw(clause: ClauseId, { member, what }: { readonly member: string; readonly what: string }): void {
    this.#keep({ holds: true, clause, member, expected: what, found: what });
  }

  /** A check without which the step cannot continue. */
  require(holds: boolean, finding: StepFinding): void {
    if (!this.check(holds, finding)) throw new StepFailed();
  }

  /** Ends the step as failed. */
  fail(finding: StepFinding): never {
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

  #keep(made: Omit<Check, 'times'>): void {
    const { holds, clause, expected, found, isWarning = false } = made;
    const member = holds ? made.member.replace(/\[\d+\]/g, '[]') : made.member;
    const key = JSON.stringify(holds && !isWarning ? [clause, member] : [clause, member, expected, found]);
    const before = this.#checks.get(key);
    // When there are too many checks, failures are the last to be left out.
    if (before === undefined && this.#checks.size >= CHECKS_MAX) {
      const held = [...this.#checks].find(([, check]) => check.holds);
      if (holds || held === undefined) return;
      this.#checks.delete(held[0]);
    }
    this.#checks.set(key, { ...made, member, ...before, times: (before?.times ?? 0) + 1 });
  }
}

/** The step cannot continue; the failure is recorded. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
}

function getSentence(finding: StepFinding): string {
  return formatCheck({ ...finding, found: collectFindings(finding) }, CLAUSES[finding.clause]);
}

function collectFindings({ found }: StepFinding): string {
  const text = found === undefined ? 'nothing' : typeof found === 'string' ? JSON.stringify(found) : String(found);
  return text.slice(0, FOUND_LENGTH_MAX);
}
