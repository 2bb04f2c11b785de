import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';

/** A record of one decision. Their index represents all of them in docs/README.md. */
const DECISION = /^docs\/decisions\/\d{4}-/;

/** Every page of the documentation, from the root of the repository. */
export const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...readdirSync(path.join(REPOSITORY, 'docs'), { encoding: 'utf8', recursive: true })
    .map((name) => `docs/${name.replaceAll(path.sep, '/')}`)
    .filter((name) => name.endsWith('.md') && !DECISION.test(name))
    .sort(),
];

export function readPage(page: string): string {
  return readFileSync(path.join(REPOSITORY, page), 'utf8');
}

/** A block of commands in a page, and the output that the page shows for it. */
export interface CommandBlock {
  readonly page: string;
  readonly line: number;
  readonly commands: string;
  readonly output: string | null;
}

/** Tested elsewhere: in the test of the pages they would wait forever, start this test, or measure for minutes. */
const PROVEN_ELSEWHERE = ['npm start', 'npm run demo', 'npm test', 'pnpm bench --write'];
/**
 * Each runs on a server of its own or in a folder of its own: the tests of tools/src/operations, `key-ceremony.test.ts`,
 * and `pnpm compose-test`.
 */
export const PAGES_PROVEN_ELSEWHERE = [
  'docs/operate/first-account.md',
  'docs/operate/first-production-payment.md',
  'docs/operate/partners.md',
  'docs/operate/replace-keys.md',
  'docs/operate/run-with-compose.md',
];

/** The blocks of a page that the test of the pages plays. */
export function listPlayedBlocks(page: string): CommandBlock[] {
  return listCommandBlocks(page, readPage(page)).filter(({ commands }) => !PROVEN_ELSEWHERE.includes(commands.trim()));
}

const BLOCK = /^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms;

/** The `sh` blocks of a page in their order; a `text` block right below one is its output. */
export function listCommandBlocks(page: string, markdown: string): CommandBlock[] {
  return [...markdown.matchAll(BLOCK)].map((match) => ({
    page,
    line: markdown.slice(0, match.index).split('\n').length,
    commands: match[1] ?? '',
    output: match[2] ?? null,
  }));
}

/** The output with ids reduced to their prefixes, so that two runs of the same commands give the same text. */
export function formatShape(output: string): string {
  return output
    .trim()
    .replaceAll(/\b(pi|ts|tm|evt|acc)(_sandbox)?_[\w-]+/g, '$1$2_...')
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'uuid')
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
}

/** The targets of links to files of the repository, as written. */
export function listFileLinks(markdown: string): string[] {
  const targets = [...markdown.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map((match) => match[1] ?? '');
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** Replaces the text between the two marks with this name. Throws when the page has no such marks. */
export function replaceSection(markdown: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->\n`];
  const from = markdown.indexOf(begin);
  const to = markdown.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the page has no section ${name}`);
  return `${markdown.slice(0, from + begin.length)}\n${content}\n${markdown.slice(to)}`;
}
