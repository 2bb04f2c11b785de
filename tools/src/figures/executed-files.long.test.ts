import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { listOperationFiles } from './operation-files.js';
import { readPage } from '../docs/page-blocks.js';
import { REPOSITORY } from '../repository/repository.js';

/** Files to read that run in the process that causes an event, or only in another outcome. */
const NOT_EXECUTED = /^packages\/rest-contracts\/|\/(outbox|outbox-batch|give-back|order-placement-reaction)\.ts$/;

test('`pnpm figures:executed --print` lists what each operation executes, and so most of the files to read', async () => {
  const program = path.join(REPOSITORY, 'tools/dist/figures/executed-files.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--print'], { maxBuffer: 2 ** 24 });
  for (const { title, files } of listOperationFiles(readPage('docs/contribute/architecture.md'))) {
    expect(stdout).toMatch(new RegExp(`^${title}: [1-9]`, 'm'));
    // By any operation: what a cache answers is read in the next one.
    const missing = files.filter((file) => hasCode(file) && !new RegExp(`^[* ] ${file}$`, 'm').test(stdout));
    expect([title, missing.filter((file) => !NOT_EXECUTED.test(file))]).toEqual([title, []]);
  }
}, 300_000);

/** Whether the built file has more than types. */
function hasCode(file: string): boolean {
  if (!file.endsWith('.ts')) return false;
  const built = readFileSync(path.join(REPOSITORY, file.replace('/src/', '/dist/').replace(/\.ts$/, '.js')), 'utf8');
  return !/^export \{\};\s*(\/\/# source[^\n]*\s*)?$/.test(built);
}
