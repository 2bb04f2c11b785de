import { expect, test } from '@jest/globals';
import { rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chooseScratchFolder, createServerFolder } from './scratch-folder.js';

const TOO_LARGE = Number.MAX_SAFE_INTEGER;

test.each([
  ['as large as the memory of the machine', TOO_LARGE],
  ['larger than anything', Infinity],
  ['of an unknown size', NaN],
])('files that are %s are stored on the disk', (_size, bytesMax) => {
  expect(chooseScratchFolder(bytesMax)).toBe(tmpdir());
});

test('every server gets a folder of its own, which the account of PostgreSQL may enter', () => {
  const folders = [
    createServerFolder('scratch-'),
    createServerFolder('scratch-'),
    createServerFolder('disk-', TOO_LARGE),
  ];
  try {
    expect(new Set(folders).size).toBe(folders.length);
    expect(folders.map((folder) => statSync(folder).mode & 0o777)).toEqual([0o755, 0o755, 0o755]);
    expect(path.dirname(folders[2] ?? '')).toBe(tmpdir());
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true });
  }
});
