import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';

/** A checkout of a release beside this one, installed and built. */
export interface ReleaseBuild {
  readonly root: string;
  readonly migrations: string;
  remove(): Promise<void>;
}

/** Checks a commit out into a folder of its own, and installs and builds it with its own tools. */
export async function buildRelease(commit: string): Promise<ReleaseBuild> {
  const folder = await mkdtemp('/var/tmp/pos-release-');
  const root = path.join(folder, 'release');
  const remove = async (): Promise<void> => {
    await runCommand(REPOSITORY, ['git', 'worktree', 'remove', '--force', root]).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await runCommand(REPOSITORY, ['git', 'worktree', 'add', '--detach', root, commit]);
    await runCommand(root, ['pnpm', 'install', '--frozen-lockfile']);
    await runCommand(root, ['pnpm', 'turbo', 'run', 'build', '--ui=stream', '--output-logs=errors-only']);
    return { root, migrations: path.join(root, 'packages/store/migrations'), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function runCommand(cwd: string, [program = '', ...args]: readonly string[]): Promise<void> {
  const binaries = path.join(REPOSITORY, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${binaries}${path.delimiter}${process.env['PATH'] ?? ''}` };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${errors}`);
}
