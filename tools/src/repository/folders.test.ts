import { expect, test } from '@jest/globals';
import { findFolderLoops } from './folders.js';
import { REPOSITORY } from './repository.js';
import { readTree, type SourceFile } from './source-tree.js';

const tree = readTree(REPOSITORY);

test('no two folders of a package need each other', () => {
  expect(findFolderLoops(tree)).toEqual([]);
});

const CORE = 'packages/core/src';

function write(files: Readonly<Record<string, readonly string[]>>): SourceFile[] {
  return Object.entries(files).map(([file, imports]) => ({
    file: `${CORE}/${file}`,
    text: imports.map((each) => `import { x } from '${each}.js';\n`).join(''),
  }));
}

test.each<[string, Readonly<Record<string, readonly string[]>>, readonly string[]]>([
  ['two folders', { 'bills/bill.ts': ['../tips/tip'], 'tips/tip.ts': ['../bills/total'] }, ['bills', 'tips']],
  [
    'three folders, by files that do not import each other',
    { 'bills/bill.ts': ['../tips/tip'], 'tips/rate.ts': ['../taxes/tax'], 'taxes/rate.ts': ['../bills/total'] },
    ['bills', 'taxes', 'tips'],
  ],
  ['a folder and its parent', { 'bill.ts': ['./tips/tip'], 'tips/tip.ts': ['../money'] }, ['', 'tips']],
])('a loop of %s is found', (_, files, folders) => {
  const loops = findFolderLoops(write(files));
  expect(loops.map((loop) => loop.folders)).toEqual([
    folders.map((folder) => (folder === '' ? CORE : `${CORE}/${folder}`)),
  ]);
  expect(loops[0]?.imports).toHaveLength(folders.length);
});

test.each<[string, Readonly<Record<string, readonly string[]>>]>([
  ['one way', { 'bills/bill.ts': ['../tips/tip'], 'tips/tip.ts': [] }],
  ['inside a folder', { 'bills/bill.ts': ['./total'], 'bills/total.ts': [] }],
  ['of a test', { 'bills/bill.ts': ['../tips/tip'], 'tips/tip.test.ts': ['../bills/bill'] }],
  ['of test support', { 'bills/bill.ts': ['../tips/tip'], 'testing/bills.ts': ['../bills/bill', '../tips/tip'] }],
])('an import %s is no loop', (_, files) => {
  expect(findFolderLoops(write(files))).toEqual([]);
});
