import { expect, test } from '@jest/globals';
import path from 'node:path';
import { PAGES, readPage } from './page-blocks.js';

const INDEX = 'docs/README.md';

/** The pages of the repository that a page links, from the root of the repository. */
function linkedPages(page: string): string[] {
  const targets = [...readPage(page).matchAll(/\]\(([^)#\s]+\.md)\)/g)].map((match) => match[1] ?? '');
  return targets.map((target) => path.posix.normalize(path.posix.join(path.posix.dirname(page), target)));
}

test('docs/README.md links every page once', () => {
  const indexed = PAGES.filter((page) => page !== INDEX && page !== 'README.md');
  expect(linkedPages(INDEX).sort()).toEqual([...indexed].sort());
});

test.each(PAGES.filter((page) => page !== 'README.md'))('%s begins with its title, its readers and its result', (page) => {
  const [title = '', blank, opening = ''] = readPage(page).split('\n');
  expect({ title, blank }).toEqual({ title: expect.stringMatching(/^# .{3,70}$/), blank: '' });
  expect(opening).toMatch(/^For .{10,}\./);
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
