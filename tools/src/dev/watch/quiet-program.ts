import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from '../../repository/repository.js';

/** A program of the repository and its options. */
export interface QuietProgram {
  /** `turbo`, or the path of a script. */
  readonly program: string;
  readonly words: readonly string[];
  /** Lowers the priority of the process, so that others get the processor first. */
  readonly isPatient?: boolean;
  readonly onLine?: (line: string) => void;
  readonly signal: AbortSignal;
}

const PRIORITY_PATIENT = 10;

/** Runs a program without a terminal. Resolves when it and its children have ended; an abort ends all of them. */
export function runQuietly(request: QuietProgram): Promise<{ readonly isFine: boolean; readonly output: string }> {
  const { program, words, isPatient = false, onLine = () => undefined, signal } = request;
  if (signal.aborted) return Promise.resolve({ isFine: false, output: '' });
  const PATH = `${path.join(REPOSITORY, 'node_modules/.bin')}${path.delimiter}${process.env['PATH'] ?? ''}`;
  const child = spawn(program, words, {
    cwd: REPOSITORY,
    env: { ...process.env, PATH, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    // Its own process group: children of turbo must not write after turbo has ended.
    detached: process.platform !== 'win32',
  });
  const { pid } = child;
  if (isPatient && pid !== undefined) setPriority(pid, PRIORITY_PATIENT);
  const end = (): void => endGroup(pid);
  signal.addEventListener('abort', end, { once: true });
  let output = '';
  let rest = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const lines = `${rest}${chunk.toString()}`.split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(onLine);
    });
  }
  return new Promise((resolve) => {
    const finish = (isFine: boolean): void => {
      signal.removeEventListener('abort', end);
      resolve({ isFine, output });
    };
    child.once('error', (error) => {
      output += error.message;
      finish(false);
    });
    child.once('close', (code) => finish(code === 0));
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
