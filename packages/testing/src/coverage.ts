import { expect } from '@jest/globals';
import type { RefusalCode } from '@pos/core/refusals';
import { commonRefusals, type Operation } from '@pos/rest-contracts/operation';
import { PROBLEMS } from '@pos/rest-contracts/testing';
import { readFileSync, writeFileSync } from 'node:fs';

const COVERAGE_PAGE = new URL('../../../docs/reference/response-coverage.md', import.meta.url);

/** The answers of one request in each state: a line of the page, and of the test's own table. */
export interface StateRow {
  readonly says: string;
  readonly answers: readonly (number | string)[];
}

/** Fails unless the section of docs/reference/response-coverage.md equals this content; UPDATE_GOLDEN=1 writes it. */
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

/** The operations that no request in these log lines has called. */
export function findUncalledOperations(operations: readonly Operation[], lines: readonly string[]): string[] {
  const called = new Set(lines.map((line) => (JSON.parse(line) as { operation?: string }).operation));
  return operations.map(({ id }) => id).filter((id) => !called.has(id));
}

/** A table of the answer to each request in each state. A state without an answer fails: no cell is empty. */
export function formatStateTable(states: readonly string[], rows: readonly StateRow[]): string {
  expect(rows.filter(({ answers }) => answers.length !== states.length)).toEqual([]);
  const head = `| | ${states.join(' | ')} |\n|---|${states.map(() => '---').join('|')}|\n`;
  return `${head}${rows.map(({ says, answers }) => `| ${says} | ${answers.join(' | ')} |\n`).join('')}`;
}

/** The declared refusals of these operations that are not tested: `id code`. */
export function findUntestedRefusals(
  operations: readonly Operation[],
  tested: readonly (readonly [string, RefusalCode, ...unknown[]])[],
): string[] {
  const covered = new Set(tested.map(([id, code]) => `${id} ${code}`));
  const declared = operations.flatMap(({ id, refusals }) => refusals.map((code) => `${id} ${code}`));
  return declared.filter((each) => !covered.has(each));
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

/** The status of a successful answer. */
export function getSuccessStatus({ returns }: Operation): number {
  return returns === null ? 204 : 200;
}
