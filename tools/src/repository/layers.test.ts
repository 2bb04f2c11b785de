import { afterAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from './repository.js';

const root = mkdtempSync(path.join(tmpdir(), 'layers-'));

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

/** The real layers and tags, with the dependencies of the test. */
const PACKAGES = [
  'packages/core',
  'packages/postgres',
  'packages/store',
  'packages/payments',
  'packages/rest-contracts',
  'packages/sandbox',
  'apps/api',
  'apps/card-vault',
  'apps/webhook-worker',
  'tools',
];

test.each([
  ['packages/store', 'packages/postgres'],
  ['packages/payments', 'packages/store'],
  ['apps/api', 'packages/payments'],
  ['tools', 'packages/store'],
])('%s may depend on %s', (dependent, dependency) => {
  expect(boundariesWith(dependent, dependency)).toContain('no issues found');
});

test.each([
  ['packages/core', 'packages/store'],
  ['packages/postgres', 'packages/store'],
  ['packages/store', 'packages/payments'],
  ['packages/rest-contracts', 'packages/store'],
  ['packages/sandbox', 'packages/payments'],
  ['packages/payments', 'apps/api'],
  ['apps/api', 'apps/webhook-worker'],
  ['apps/api', 'tools'],
  ['packages/store', 'tools'],
])('%s may not depend on %s', (dependent, dependency) => {
  expect(boundariesWith(dependent, dependency)).toMatch(/ [1-9]\d* issues? found/);
});

function boundariesWith(dependent: string, dependency: string): string {
  write('package.json', { name: 'layers', private: true, packageManager: 'pnpm@12.4.2' });
  writeFileSync(path.join(root, 'pnpm-workspace.yaml'), 'packages: [packages/*, apps/*, tools]\n');
  cpSync(path.join(REPOSITORY, 'turbo.json'), path.join(root, 'turbo.json'));
  for (const folder of PACKAGES) {
    const dependencies = folder === dependent ? { [getName(dependency)]: 'workspace:*' } : {};
    write(`${folder}/package.json`, { name: getName(folder), dependencies });
    cpSync(path.join(REPOSITORY, folder, 'turbo.json'), path.join(root, folder, 'turbo.json'));
  }
  const turbo = spawnSync('turbo', ['boundaries', '--no-color'], { cwd: root, encoding: 'utf8', timeout: 30_000 });
  return `${turbo.stdout}${turbo.stderr}`;
}

function getName(folder: string): string {
  const { name } = JSON.parse(readFileSync(path.join(REPOSITORY, folder, 'package.json'), 'utf8')) as { name: string };
  return name;
}

function write(file: string, content: object): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), JSON.stringify(content));
}
