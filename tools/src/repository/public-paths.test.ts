import { expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { collectExports } from './public-paths.js';
import { REPOSITORY } from './repository.js';
import { readTree } from './source-tree.js';

const tree = readTree(REPOSITORY);

interface Package {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** Partners install these, and their exports are a contract with them. */
const FOR_PARTNERS = ['packages/grpc-contracts', 'packages/sdk'];

/** Every package of the workspace except those that partners install. */
const packages = tree.flatMap(({ file, text }) => {
  const folder = /^((?:packages|apps)\/[a-z-]+|tools)\/package\.json$/.exec(file)?.[1];
  if (folder === undefined || FOR_PARTNERS.includes(folder)) return [];
  return [{ folder, ...(JSON.parse(text) as Package) }];
});
const exported = collectExports(tree, new Map(packages.map(({ name, folder }) => [name, folder])));

test.each(packages)('$name exports exactly the subpaths that other packages import', ({ name, folder, exports }) => {
  const wanted = exported.get(name) ?? {};
  if (process.env['UPDATE_GOLDEN'] === '1') {
    const file = path.join(REPOSITORY, folder, 'package.json');
    const content = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    writeFileSync(file, `${JSON.stringify({ ...content, exports: wanted }, null, 2)}\n`);
    return;
  }
  expect(exports).toEqual(wanted);
});

const FOLDERS = new Map([
  ['@pos/bills', 'packages/bills'],
  ['@pos/tips', 'packages/tips'],
]);

test.each<[string, string, string]>([
  ['an import', 'packages/tips/src/tip.ts', "import { bill } from '@pos/bills/bill';"],
  ['an import of a type', 'packages/tips/src/tip.ts', "import type { Bill } from '@pos/bills/bill';"],
  ['the setup of jest', 'packages/tips/jest.config.js', "export default { globalSetup: '@pos/bills/bill' };"],
  ['a module that starts a process', 'packages/tips/src/tip.ts', "import.meta.resolve('@pos/bills/bill');"],
  [
    'a configuration inside the package',
    'packages/bills/jest.config.js',
    "export default { setup: '@pos/bills/bill' };",
  ],
])('%s makes a subpath public', (_, file, text) => {
  expect(collectExports([{ file, text }], FOLDERS)).toEqual(
    new Map([
      ['@pos/bills', { './bill': './dist/bill.js' }],
      ['@pos/tips', {}],
    ]),
  );
});

test('a style is public under its own path', () => {
  const text = "import '@pos/bills/styles/bill.css';";
  expect(collectExports([{ file: 'packages/tips/src/tip.ts', text }], FOLDERS).get('@pos/bills')).toEqual({
    './styles/bill.css': './styles/bill.css',
  });
});

test.each<[string, string, string]>([
  ['an import inside the package', 'packages/bills/src/sum.ts', "import { bill } from './bill.js';"],
  ['its own name inside the package', 'packages/bills/src/sum.ts', "import { bill } from '@pos/bills/bill';"],
  ['a page', 'docs/bills.md', "import { bill } from '@pos/bills/bill';"],
  ['a package outside the workspace', 'packages/tips/src/tip.ts', "import '@pos/portal/main';"],
])('%s makes nothing public', (_, file, text) => {
  expect([...collectExports([{ file, text }], FOLDERS).values()]).toEqual([{}, {}]);
});
