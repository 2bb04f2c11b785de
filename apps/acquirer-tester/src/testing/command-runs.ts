import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../command/command.js';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const PAGE = new URL('../../../../docs/operate/acquirer-tester.md', import.meta.url);
const RUN_MS_MAX = 100_000;

/** The output of the command, and its exit code. */
export interface CommandOutput {
  readonly exit: number;
  readonly out: string;
  readonly errors: string;
}

/** Runs the command in this process. */
export async function runForOutput(
  words: readonly string[],
  {
    credential,
    stop = new AbortController().signal,
  }: { readonly credential?: string; readonly stop?: AbortSignal } = {},
): Promise<CommandOutput> {
  let [out, errors] = ['', ''];
  const exit = await runCommand(words, {
    write: (text) => (out += text),
    writeError: (text) => (errors += text),
    ...{ credential, stop, now: () => new Date() },
  });
  return { exit, out, errors };
}

/** The blocks of commands of the page about the tester. */
export function listPageBlocks(): string[] {
  return [...readFileSync(PAGE, 'utf8').matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

/** Runs a block as written, except for the folder of its files. */
export async function runPageBlock(
  block: string,
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { scripts } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const script = block
    .replaceAll('./.data/', `${folder}/`)
    .replaceAll(/pnpm ([\w:-]+)/g, (words, name: string) => scripts[name] ?? words);
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: REPOSITORY,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, so that a timeout ends it with all its children.
    detached: true,
  });
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, RUN_MS_MAX);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { code, output };
}
