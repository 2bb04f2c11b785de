import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findDuplicateExports } from './duplicate-exports.js';
import { REPOSITORY } from './repository.js';
import { readTree, type SourceFile } from './source-tree.js';
import { findTidinessFindings } from './tidy.js';
import { findUnusedExports } from './unused-exports.js';

const tree = readTree(REPOSITORY);

test('the repository is tidy', () => {
  const findings = findTidinessFindings(tree);
  expect(findings.map(({ rule, at, says }) => `${rule} ${at} ${says}`)).toEqual([]);
});

test('what is exported is imported somewhere', () => {
  expect(findUnusedExports(tree, listPackages(tree))).toEqual([]);
});

test('a name is exported once in a package', () => {
  expect(findDuplicateExports(tree)).toEqual([]);
});

test('two modules of a package that export one name are found, and re-exports are not', () => {
  const texts = {
    'packages/core/src/bill.ts': 'export interface Bill {}\nexport const Bill = 1;',
    'packages/core/src/tip.ts': 'export class Bill {}',
    'packages/core/src/tips.ts': "export { Bill } from './bill.js';",
    'packages/store/src/bill.ts': 'export type Bill = 1;',
  };
  expect(findDuplicateExports(listFiles(texts))).toEqual([
    'packages/core Bill: packages/core/src/bill.ts packages/core/src/tip.ts',
  ]);
});

test('the walk finds the sources, the contracts and the settings, and nothing that is generated', () => {
  const files = tree.map(({ file }) => file);
  expect(files).toEqual(
    expect.arrayContaining([
      'package.json',
      'turbo.json',
      '.ci/run',
      'oxlint.config.js',
      'tools/src/repository/tidy.test.ts',
      'packages/dev-database/src/embedded-postgres.ts',
    ]),
  );
  expect(files.filter((file) => /node_modules|\/(dist|bundle)\/|src\/gen\//.test(file))).toEqual([]);
});

const lines = (count: number): string => Array.from({ length: count }, (_, n) => `use(${n});`).join('\n');

test.each([
  // rule                file                                  text
  ['long-file', 'packages/core/src/bill.ts', lines(401)],
  ['long-file', 'packages/store/migrations/0001.sql', lines(401)],
  ['long-file', 'proto/service/tables/v1/bill.proto', lines(401)],
  ['long-function', 'packages/core/src/bill.ts', `function pay() {\n${lines(69)}\n}`],
  ['long-function', 'packages/core/src/bill.ts', `const pay = () => {\n${lines(69)}\n};`],
  ['long-function', 'packages/core/src/bill.ts', `class Bill {\n  pay() {\n${lines(69)}\n}\n}`],
  ['long-function', 'packages/core/src/bill.test.ts', `test('pays', () => {\n${lines(69)}\n});`],
  ['empty-name', 'packages/core/src/utils.ts', ''],
  ['empty-name', 'apps/api/src/refunds/index.ts', ''],
  ['empty-name', 'packages/core/src/tables/bills/index.ts', ''],
  ['empty-name', 'packages/core/src/tables/index.test.ts', ''],
  ['empty-name', 'packages/core/src/helpers/bill.ts', ''],
  ['empty-name', 'packages/common/src/bill.ts', ''],
  ['empty-name', 'apps/api/src/shared.ts', ''],
  ['empty-name', 'apps/api/src/types.d.ts', ''],
  ['empty-name', 'apps/api/src/bill.ts', 'export class BillManager {}'],
  ['empty-name', 'apps/api/src/bill.ts', 'interface BillImpl {}'],
  ['leftover', 'apps/api/src/bill.ts', '// TODO: pay'],
  ['leftover', 'packages/store/migrations/0001.sql', '-- FIXME'],
  ['leftover', 'apps/api/src/bill.ts', '// XXX'],
  ['leftover', 'apps/api/src/bill.ts', '// Good enough for now.'],
  ['leftover', 'apps/api/src/bill.ts', "throw new Error('Not implemented');"],
  ['leftover', 'README.md', 'In a real system this would be stored.'],
  ['switched-off-test', 'apps/api/src/bill.test.ts', "test.only('pays', () => {});"],
  ['switched-off-test', 'apps/api/src/bill.test.ts', "describe.skip('pays', () => {});"],
  ['switched-off-test', 'apps/api/src/bill.test.ts', 'test.skip.each([])();'],
  ['switched-off-test', 'apps/api/src/bill.test.ts', "  xit('pays', () => {});"],
  ['machine-path', 'apps/api/src/bill.ts', "read('/home/anna/bill.json');"],
  ['machine-path', 'README.md', 'See /Users/anna/bills.'],
  ['machine-path', 'package.json', '{ "x": "/tmp/bills" }'],
  ['machine-path', 'apps/api/src/bill.ts', "read('C:\\\\Users\\\\anna');"],
  ['outside-path', 'apps/api/src/bill.ts', "import { bill } from '../../../../bills/bill.js';"],
  ['outside-path', 'apps/api/src/bill.ts', "new URL('../../../../bills', import.meta.url);"],
  ['outside-path', 'docs/bills.md', 'See [bills](../../bills.md).'],
  ['outside-path', 'apps/api/tsconfig.json', '{\n  "extends": "../../../tsconfig.json"\n}'],
])('%s is found in %s (row %#)', (rule, file, text) => {
  expect(findTidinessFindings([{ file, text }]).map((finding) => finding.rule)).toContain(rule);
});

test.each([
  ['packages/core/src/bill.ts', lines(400)],
  ['packages/core/src/bill.ts', `function pay() {\n${lines(68)}\n}`],
  ['packages/core/src/bill.test.ts', `describe('bills', () => {\n${lines(90)}\n});`],
  ['packages/core/src/typesetting.ts', ''],
  ['docs/index.md', ''],
  ['packages/core/src/tables/index.ts', ''],
  ['packages/testing/src/index.ts', ''],
  ['proto/service/tables/v1/table.proto', '// What a table can be used for now.'],
  ['packages/core/src/money/money.ts', "export const NO_CURRENCY = 'XXX';"],
  ['packages/store/src/bills.ts', 'query.skip(10).only(rows);'],
  ['apps/api/src/bill.ts', "open('/var/tmp'); get('https://example.com/home/bills');"],
  ['apps/api/src/bill.ts', "import { money } from '@pos/core/money';"],
  ['apps/api/src/bill.test.ts', "expect(path('../../../../etc/passwd')).toBe(refused);"],
])('%s may hold row %#', (file, text) => {
  expect(findTidinessFindings([{ file, text }])).toEqual([]);
});

const CORE = new Map([['@pos/core', 'packages/core/src']]);

test.each([
  [
    'a function that is never imported',
    { 'packages/core/src/bill.ts': 'export function pay() {}' },
    ['packages/core/src/bill.ts:1 pay'],
  ],
  [
    'a constant that is never imported',
    { 'packages/core/src/bill.ts': 'const a = 1;\nexport const b = a;' },
    ['packages/core/src/bill.ts:2 b'],
  ],
  [
    'a class that only its own file uses',
    { 'packages/core/src/bill.ts': 'export class Bill {}\nnew Bill();' },
    ['packages/core/src/bill.ts:1 Bill'],
  ],
  [
    'a type that is never named',
    { 'packages/core/src/bill.ts': 'export interface Bill {}' },
    ['packages/core/src/bill.ts:1 Bill'],
  ],
  [
    'another name of the same file',
    {
      'packages/core/src/bill.ts': 'export const a = 1; export const b = 2;',
      'packages/core/src/tip.ts': "import { a } from './bill.js'; a;",
    },
    ['packages/core/src/bill.ts:1 b'],
  ],
  [
    'the same name of another file',
    {
      'packages/core/src/bill.ts': 'export const a = 1;',
      'packages/core/src/tip.ts': 'export const a = 1;',
      'packages/core/src/x.ts': "import { a } from './tip.js'; a;",
    },
    ['packages/core/src/bill.ts:1 a'],
  ],
  [
    'a re-export that is never imported',
    {
      'packages/core/src/bill.ts': 'export const a = 1;',
      'packages/core/src/tip.ts': "export { a } from './bill.js';",
    },
    ['packages/core/src/tip.ts:1 a'],
  ],
  [
    'a public name that no other package imports',
    {
      'packages/core/src/tables/bill.ts': 'export const a = 1;',
      'packages/core/src/tables/index.ts': "export { a } from './bill.js';",
      'packages/core/src/tables/tip.ts': "import { a } from './bill.js'; a;",
    },
    ['packages/core/src/tables/index.ts:1 a'],
  ],
  [
    'a public name that only tests of other packages import',
    {
      'packages/core/src/tables/bill.ts': 'export const a = 1;',
      'packages/core/src/tables/index.ts': "export { a } from './bill.js';",
      'apps/api/src/x.test.ts': "import { a } from '@pos/core/tables'; a;",
      'apps/api/src/testing/x.ts': "import { a } from '@pos/core/tables'; a;",
    },
    ['packages/core/src/tables/index.ts:1 a'],
  ],
])('%s is unused', (_name, texts, unused) => {
  expect(findUnusedExports(listFiles(texts), CORE)).toEqual(unused);
});

test.each([
  [
    'across packages',
    {
      'packages/core/src/tables/bill.ts': 'export const a = 1;',
      'packages/core/src/tables/index.ts': "export { a } from './bill.js';",
      'apps/api/src/x.ts': "import { a } from '@pos/core/tables'; a;",
    },
  ],
  [
    'under another name',
    {
      'packages/core/src/bill.ts': 'export const a = 1;',
      'packages/core/src/x.ts': "import { a as b } from './bill.js'; b;",
    },
  ],
  [
    'as a type',
    {
      'packages/core/src/bill.ts': 'export interface A {}',
      'packages/core/src/x.ts': "import type { A } from './bill.js'; f<A>();",
    },
  ],
  [
    'as a whole module',
    {
      'packages/core/src/bill.ts': 'export const a = 1;',
      'packages/core/src/x.ts': "import * as bill from './bill.js'; bill;",
    },
  ],
  [
    'when it is needed',
    {
      'packages/core/src/bill.ts': 'export const a = 1;',
      'packages/core/src/x.ts': "await import('./bill.js');",
    },
  ],
  [
    'in a signature beside it',
    {
      'packages/core/src/bill.ts': 'export interface A {}\nexport function a(x: A) {}',
      'packages/core/src/x.ts': "import { a } from './bill.js'; a;",
    },
  ],
  [
    'by a test',
    {
      'packages/core/src/bill.ts': 'export const a = 1;',
      'packages/core/src/bill.test.ts': "import { a } from './bill.js'; a;",
    },
  ],
  [
    'by tests of another package, from the test support of its own',
    {
      'packages/core/src/tables/bill.ts': 'export const a = 1;',
      'packages/core/src/testing/index.ts': "export { a } from '../tables/bill.js';",
      'apps/api/src/x.test.ts': "import { a } from '@pos/core/testing'; a;",
    },
  ],
  ['by partners', { 'packages/grpc-contracts/src/bill.ts': 'export const a = 1;' }],
])('an export used %s is in order', (_name, texts) => {
  expect(findUnusedExports(listFiles(texts), CORE)).toEqual([]);
});

function listFiles(texts: Readonly<Record<string, string>>): SourceFile[] {
  return Object.entries(texts).map(([file, text]) => ({ file, text }));
}

function listPackages(files: readonly SourceFile[]): Map<string, string> {
  const manifests = files.filter(({ file }) => /^(packages\/|apps\/|tools\/).*package\.json$/.test(file));
  return new Map(
    manifests.map(({ file }) => {
      const { name } = JSON.parse(readFileSync(path.join(REPOSITORY, file), 'utf8')) as { name: string };
      return [name, `${path.posix.dirname(file)}/src`];
    }),
  );
}
