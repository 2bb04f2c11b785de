import { readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { findFreePorts } from '@pos/dev-database';
import { REPOSITORY } from '../repository/repository.js';

export const PARTNERS_PAGE = 'docs/epos/integration-guide.md';
const RUN_MS_MAX = 150_000;

/** The blocks of commands in the page for partners, in their order. */
export function listPartnerBlocks(): string[] {
  const page = readFileSync(path.join(REPOSITORY, PARTNERS_PAGE), 'utf8');
  return [...page.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

/** Runs a block as written, except for the folder of its files and its ports. Its background processes end with it. */
export async function runPartnerBlock(
  block: string,
  folder: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const [grpc = 0, rest = 0] = await findFreePorts(2);
  const { scripts } = JSON.parse(readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const script = block
    .replaceAll('./.data/', `${folder}/`)
    .replaceAll('7101', String(grpc))
    .replaceAll('7102', String(rest))
    .replaceAll('pnpm tester', scripts['tester'] ?? '');
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: REPOSITORY,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, so that the EPOSes that it has started end with it.
    detached: true,
  });
  const end = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  const timer = setTimeout(end, RUN_MS_MAX);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  end();
  return { code, output };
}
