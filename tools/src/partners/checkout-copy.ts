import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';

/** Copies what git has, or would add: a checkout of the present state, in which nothing is built or installed. */
export function copyCheckout(folder: string): void {
  const words = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'];
  const { status, stdout } = spawnSync('git', words, {
    cwd: REPOSITORY,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error('this is no checkout of git');
  for (const file of stdout.split('\0').filter((name) => name !== '')) {
    const source = path.join(REPOSITORY, file);
    // Deleted, and not yet committed.
    if (!existsSync(source)) continue;
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    copyFileSync(source, path.join(folder, file));
  }
}
