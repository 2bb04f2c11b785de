import { spawn } from 'node:child_process';
import { type CommandBlock, formatShape, listCommandBlocks, readPage } from '../docs/page-blocks.js';

/** How the commands of a page are run. */
export interface PageRun {
  readonly page: string;
  /** Commands before those of the page. */
  readonly prelude?: string;
  /** Changes the commands of the page, such as the folder that they write to. */
  readonly edit?: (commands: string) => string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
}

const MARK = '=== end of block ===';

/**
 * Runs all commands of a page as one script. Returns the output of each block and the output that the page shows for it,
 * both with the line of the block.
 */
export async function runPage(run: PageRun): Promise<{ readonly found: string[]; readonly shown: string[] }> {
  const { page, prelude = '', edit = (commands) => commands } = run;
  const blocks = listCommandBlocks(page, readPage(page));
  const script = blocks.map(({ commands }) => `${edit(commands)}\nprintf '\\n%s\\n' '${MARK}'`).join('\n');
  const output = await runBash(`${prelude}\n${script}`, run);
  const outputs = output.split(MARK).slice(0, -1);
  const present = (block: CommandBlock | undefined, text: string): string =>
    `line ${block?.line}: ${formatShape(text)}`;
  return {
    found: outputs.map((text, index) => present(blocks[index], text)),
    shown: blocks.map((block) => present(block, block.output ?? '')),
  };
}

/** Runs the script in a process group that ends with it. */
function runBash(script: string, { cwd, env, limitMs }: PageRun): Promise<string> {
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-s'], { cwd, env, detached: true });
  const end = (): void => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // Nothing of it runs any more.
    }
  };
  const timer = setTimeout(end, limitMs);
  let [output, error] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  child.stdin.end(script);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      clearTimeout(timer);
      end();
      if (code === 0) resolve(output);
      else reject(new Error(`bash ended with ${code}: ${output}${error}`));
    });
  });
}
