import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PartnerEpos } from './command-runs.js';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

/** Shorter than the timeout of jest, so that a failure shows the output so far. */
const RUN_MS_MAX = 280_000;

/** The blocks of commands in the page about the tester. */
export function listPageBlocks(): string[] {
  const page = readFileSync(new URL('docs/epos/epos-tester.md', new URL('../../../../', import.meta.url)), 'utf8');
  return [...page.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

/** The commands behind `pnpm tester`, `pnpm certify` and its part for EPOSes. */
export function getScript(name: 'tester' | 'certify' | 'certify:epos'): string {
  const { scripts } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  return scripts[name] ?? '';
}

/** Runs a block as written, except for the location of its files. An EPOS dials in where the command waits for one. */
export async function runBlock(
  block: string,
  { folder, eposUrl }: { readonly folder: string; readonly eposUrl: string },
): Promise<{ readonly code: number | null; readonly output: string }> {
  const script = block
    .replaceAll('./.data/', `${folder}/`)
    .replaceAll('pnpm tester', getScript('tester'))
    .replaceAll('pnpm certify:epos', getScript('certify:epos'));
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: REPOSITORY,
    env: { ...process.env, NODE_OPTIONS: '', EPOS_URL: eposUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, so that a timeout ends it with all its children.
    detached: true,
  });
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, RUN_MS_MAX);
  const opened: Promise<PartnerEpos>[] = [];
  let output = '';
  const receive = (chunk: Buffer): void => {
    output += chunk.toString();
    const [, url, key] = /\(ws\) at (ws:.*)\/epos with authorization: Basic (\S+),/.exec(output) ?? [];
    if (opened.length > 0 || url === undefined || key === undefined) return;
    opened.push(PartnerEpos.open({ gateway: { url, name: 'partner', key }, epos: { sockets: ['ws'] } }));
  };
  child.stdout.on('data', receive);
  child.stderr.on('data', receive);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  for (const each of await Promise.all(opened)) each.close();
  return { code, output };
}
