import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from './repository.js';

/** A tree in which turbo records its arguments. */
let root = '';

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'golden-'));
  const turbo = path.join(root, 'node_modules/.bin/turbo');
  mkdirSync(path.dirname(turbo), { recursive: true });
  writeFileSync(turbo, '#!/bin/sh\necho "$UPDATE_GOLDEN $*" >> calls\n');
  chmodSync(turbo, 0o755);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test.each([
  // given                            written again                                                   built before
  [[], '--filter=./packages/* --filter=./apps/* --filter=@pos/tools', ''],
  [['--filter=@pos/tools'], '--filter=@pos/tools', ''],
  [['--filter=@pos/rest-contracts'], '--filter=@pos/rest-contracts', '--filter=@pos/rest-contracts '],
])('with %j, the goldens of %s are rewritten', (words, filters, needed) => {
  expect(golden(words).status).toBe(0);
  expect(readFileSync(path.join(root, 'calls'), 'utf8').trim().split('\n')).toEqual([
    `1 run build ${needed}--ui=stream --output-logs=errors-only`,
    `1 run test --only --force --env-mode=loose ${filters} -- -u`,
  ]);
});

test('an argument that is no filter is refused, and no golden is written', () => {
  expect(golden(['@pos/rest-contracts'])).toMatchObject({
    status: 2,
    stderr: '@pos/rest-contracts is no filter; say --filter=@pos/rest-contracts, or nothing for all packages.\n',
  });
  expect(existsSync(path.join(root, 'calls'))).toBe(false);
});

function golden(words: readonly string[]) {
  const script = path.join(REPOSITORY, 'tools/golden.js');
  return spawnSync(process.execPath, [script, ...words], { cwd: root, encoding: 'utf8' });
}
