import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { renderFiguresPage } from './figures.js';
import { REPOSITORY } from '../repository/repository.js';
import { readTree } from '../repository/source-tree.js';

test('`pnpm figures --print` prints the figures of today', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8')) as {
    scripts: { figures: string };
  };
  const figures = spawnSync(`${scripts.figures} --print`, { cwd: REPOSITORY, shell: true, encoding: 'utf8' });
  expect(figures).toMatchObject({ status: 0, stdout: renderFiguresPage(readTree(REPOSITORY)) });
});
