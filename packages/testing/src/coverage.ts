import { expect } from '@jest/globals';
import type { RefusalCode } from '@pos/core/refusals/refusal';
import { commonRefusals, type Operation } from '@pos/rest-contracts/operation/operation';
import { PROBLEMS } from '@pos/rest-contracts/problems/problems';
import { readFileSync, writeFileSync } from 'node:fs';

const COVERAGE_PAGE = new URL('../../../docs/reference/response-coverage.md', import.meta.url);

/** What a test shows of one thing in each of its states: a line of the page, and the test's own table. */
export interface StateRow {
  readonly says: string;
  readonly answers: readonly (number | string)[];
}

/** Fails unless the section of docs/reference/response-coverage.md says this; UPDATE_GOLDEN=1 writes it. */
export function expectCovered(section: string, content: string): void {
  const [begin, end] = [`<!-- ${section} -->\n`, `<!-- end of ${section} -->\n`];
  const page = readFileSync(COVERAGE_PAGE, 'utf8');
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  expect({ section, isThere: from >= 0 && to > from }).toEqual({ section, isThere: true });
  const expected = `${begin}\n${content}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1')
    writeFileSync(COVERAGE_PAGE, `${page.slice(0, from)}${expected}${page.slice(to)}`);
  else expect(page.slice(from, to)).toBe(expected);
}

/** Of these operations, those that no request of these lines of the log has called. */
export function findUncalledOperations(operations: readonly Operation[], lines: readonly string[]): string[] {
  const called = new Set(lines.map((line) => (JSON.parse(line) as { operation?: string }).operation));
  return operations.map(({ id }) => id).filter((id) => !called.has(id));
}

/** A table of what each request is answered in each state. A state without an answer fails: no cell is empty. */
export function formatStateTable(states: readonly string[], rows: readonly StateRow[]): string {
  expect(rows.filter(({ answers }) => answers.length !== states.length)).toEqual([]);
  const head = `| | ${states.join(' | ')} |\n|---|${states.map(() => '---').join('|')}|\n`;
  return `${head}${rows.map(({ says, answers }) => `| ${says} | ${answers.join(' | ')} |\n`).join('')}`;
}

/** Of what these operations declare to refuse for themselves, what is not among those that are shown: `id code`. */
export function findUntestedRefusals(
  operations: readonly Operation[],
  tested: readonly (readonly [string, RefusalCode, ...unknown[]])[],
): string[] {
  const known = new Set(tested.map(([id, code]) => `${id} ${code}`));
  const declared = operations.flatMap(({ id, refusals }) => refusals.map((code) => `${id} ${code}`));
  return declared.filter((each) => !known.has(each));
}

/** A table of every status of each operation, and of the refusals behind it. */
export function formatStatusTable(operations: readonly Operation[]): string {
  const rows = operations.map((operation) => {
    const codes = [...new Set([...operation.refusals, ...commonRefusals(operation)])];
    const refused = [...new Set(codes.map((code) => PROBLEMS[code].status))].sort((one, other) => one - other);
    const cells = refused.map((status) => {
      const guarded = codes.filter((code) => PROBLEMS[code].status === status);
      return `${status} ${guarded.map((code) => `\`${code}\``).join(' ')}`;
    });
    const undeclared = refused.includes(500) ? [] : ['500'];
    return `| \`${operation.id}\` | ${[getSuccessStatus(operation), ...cells, ...undeclared].join(' · ')} |\n`;
  });
  return `| operation | statuses, and the refusals behind them |\n|---|---|\n${rows.join('')}`;
}

/** What an operation answers that was done. */
export function getSuccessStatus({ returns }: Operation): number {
  return returns === null ? 204 : 200;
}
