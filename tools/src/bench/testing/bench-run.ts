import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const BENCH = path.resolve(import.meta.dirname, '../../../dist/bench/bench.js');

/** How a run of `pnpm bench` has ended, and what it has written. */
export interface BenchRun {
  readonly exitCode: number | null;
  readonly output: string;
  readonly error: string;
}

/** Runs the built `pnpm bench` to its end, with these settings beside those of this process. */
export async function runBench(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<BenchRun> {
  const bench = spawn(process.execPath, [BENCH, ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, error]: [string[], string[]] = [[], []];
  bench.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  bench.stderr.on('data', (chunk: Buffer) => error.push(chunk.toString()));
  const [exitCode] = (await once(bench, 'close')) as [number | null];
  return { exitCode, output: output.join(''), error: error.join('') };
}
