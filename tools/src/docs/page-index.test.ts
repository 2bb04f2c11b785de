import { expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';
import { PAGES, readPage } from './page-blocks.js';

const INDEX = 'docs/README.md';
/** The pages of packages that their readers receive with the package. */
const PACKAGE_PAGES = [
  'packages/grpc-contracts/README.md',
  ...['csharp', 'go', 'java', 'php', 'python'].map((language) => `sdks/${language}/README.md`),
];
const DECISIONS = 'docs/decisions';

/** The pages of the repository that a page links, from the root of the repository. */
function linkedPages(page: string): string[] {
  const targets = [...readPage(page).matchAll(/\]\(([^)#\s]+\.md)\)/g)].map((match) => match[1] ?? '');
  return targets.map((target) => path.posix.normalize(path.posix.join(path.posix.dirname(page), target)));
}

test('docs/README.md links every page once', () => {
  const indexed = PAGES.filter((page) => page !== INDEX && page !== 'README.md');
  expect(linkedPages(INDEX).sort()).toEqual([...indexed, ...PACKAGE_PAGES].sort());
});

test.each(PAGES.filter((page) => page !== 'README.md'))('%s begins with its title, its readers and its result', (page) => {
  const [title = '', blank, opening = ''] = readPage(page).split('\n');
  expect({ title, blank }).toEqual({ title: expect.stringMatching(/^# .{3,70}$/), blank: '' });
  expect(opening).toMatch(/^For .{10,}\./);
});

/** About a page. */
const DECISION_WORDS_MAX = 550;

test('a decision has at most a page; a specification is a page that it links', () => {
  const lengths = readdirSync(path.join(REPOSITORY, DECISIONS))
    .filter((file) => /^\d{4}-/.test(file))
    .map((file) => ({ file, words: readPage(`${DECISIONS}/${file}`).split(/\s+/).length }));
  expect(lengths.length).toBeGreaterThan(50);
  expect(lengths.filter(({ words }) => words > DECISION_WORDS_MAX)).toEqual([]);
});

test('every link to a heading leads to one', () => {
  const broken = PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)]
      .filter(([, target = '', anchor = '']) => {
        const file = target === '' ? page : path.posix.join(path.posix.dirname(page), target);
        return !anchorsIn(readPage(file)).includes(anchor);
      })
      .map(([link]) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

/** The anchors of a page: headings in small letters with hyphens, and named rows. */
function anchorsIn(markdown: string): string[] {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(/[^\w\s-]/g, '').replaceAll(' ', '-'),
  );
  const named = [...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return [...headings, ...named];
}
