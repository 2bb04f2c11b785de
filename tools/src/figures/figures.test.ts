import { expect, test } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listOperationFiles } from './operation-files.js';
import { FIGURES_PAGE, renderFiguresPage } from './figures.js';
import { REPOSITORY } from '../repository/repository.js';
import { readTree } from '../repository/source-tree.js';

const page = path.join(REPOSITORY, FIGURES_PAGE);

test('the page of figures has the rows of today; `pnpm figures` writes their numbers', () => {
  const withoutFolders = (text: string) =>
    text.replace(/(## Largest folders\n)[^]*?(?=\n## )/, '$1').replaceAll(/\d+/g, 'N');
  const wanted = renderFiguresPage(readTree(REPOSITORY));
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(page, wanted);
  expect(withoutFolders(readFileSync(page, 'utf8'))).toBe(withoutFolders(wanted));
});

/** The most files that a reader opens to follow an operation. */
const FILES_MAX: Readonly<Record<string, number>> = {
  Capture: 12,
  Refund: 14,
  'Payment with the card of a payer': 12,
  'Delivery of a webhook': 8,
  'Replay of webhooks': 12,
  'Call to an EPOS over REST': 8,
  'Payment at a table': 20,
  'An EPOS that does not answer': 8,
  'Check of an API key': 8,
};

test('the files of each operation exist, and are no more than its limit', () => {
  const text = readFileSync(path.join(REPOSITORY, 'docs/contribute/architecture.md'), 'utf8');
  const followed = listOperationFiles(text);
  expect(followed.map(({ title }) => title)).toEqual(Object.keys(FILES_MAX));
  for (const { title, files } of followed) {
    expect(files.filter((file) => !existsSync(path.join(REPOSITORY, file)))).toEqual([]);
    expect([title, files.length <= (FILES_MAX[title] ?? 0)]).toEqual([title, true]);
    // `pnpm figures:executed` writes the table, and counts what the operation executes.
    expect(text).toMatch(new RegExp(`^\\| ${title} \\| ${files.length} \\| \\d+ \\| `, 'm'));
  }
});

test('figures are counted by the purpose of a file', () => {
  const text = 'a\nb\n';
  const figures = renderFiguresPage([
    { file: 'packages/core/src/money/money.ts', text },
    { file: 'packages/core/src/money/money.test.ts', text },
    { file: 'packages/core/src/testing/builders.ts', text },
    { file: 'packages/core/src/money/index.ts', text: "export {\n  a, type B,\n} from './money.js';\n" },
    { file: 'packages/core/package.json', text: '{ "name": "@pos/core" }' },
    { file: 'tools/src/start.ts', text },
    { file: 'README.md', text },
    {
      file: 'docs/contribute/architecture.md',
      text: '## Files\n\n| Capture | 2 | 97 | `api` |\n\n### Capture\n\n1. `a.ts`: x\n2. `b.ts`: y\n\n## Time\n\n1. `c.ts`\n',
    },
  ]);
  expect(figures).toContain('| product | 2 | 5 |\n| tests and what they share | 2 | 4 |\n| tools | 1 | 2 |');
  expect(figures).toContain('| `@pos/core` | 1 | 2 |');
  expect(figures).toContain('| `packages/core/src/money` | 3 |');
  expect(figures).toContain('| Capture | 2 | 97 |');
});
