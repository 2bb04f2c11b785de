import { expect } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';

const PAGE = new URL('../../../../docs/coverage.md', import.meta.url);

/** What a test shows of one thing in each of its states: a line of the page, and the test's own table. */
export interface ByState {
  readonly says: string;
  readonly answers: readonly number[];
}

/** Fails unless the section of docs/coverage.md says this; UPDATE_GOLDEN=1 writes it. */
export function expectCovered(section: string, content: string): void {
  const [begin, end] = [`<!-- ${section} -->\n`, `<!-- end of ${section} -->\n`];
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  expect({ section, isThere: from >= 0 && to > from }).toEqual({ section, isThere: true });
  const wanted = `${begin}\n${content}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(PAGE, `${page.slice(0, from)}${wanted}${page.slice(to)}`);
  else expect(page.slice(from, to)).toBe(wanted);
}

/** The operations on one such thing that no request of these lines of the log has called. */
export function notAsked(member: string, lines: readonly string[]): string[] {
  const asked = new Set(lines.map((line) => (JSON.parse(line) as { operation?: string }).operation));
  const operations = API_OPERATIONS.filter(({ path }) => path.includes(member)).map(({ id }) => id);
  return operations.filter((id) => !asked.has(id));
}

/** A table of what each request is answered in each state. */
export function stateTable(states: readonly string[], rows: readonly ByState[]): string {
  const head = `| | ${states.join(' | ')} |\n|---|${states.map(() => '---').join('|')}|\n`;
  return `${head}${rows.map(({ says, answers }) => `| ${says} | ${answers.join(' | ')} |\n`).join('')}`;
}
