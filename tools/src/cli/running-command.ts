import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { pollUntil } from '../dev/testing.js';
import { REPOSITORY } from '../repository/repository.js';

const DIST = path.join(REPOSITORY, 'apps/cli/dist');

type Environment = Readonly<Record<string, string>>;

/** How a command has ended, and what it has written. */
export interface FinishedCommand {
  readonly exitCode: number | null;
  readonly output: string;
  readonly error: string;
}

/** A `pos` in a process of its own, for what signals end. */
export class RunningCommand {
  output = '';
  error = '';
  readonly #child: ChildProcess;
  /** All output has arrived then. */
  readonly #closed: Promise<number | null>;

  constructor(line: string, env: Environment) {
    const inherited = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
    this.#child = spawn(process.execPath, [path.join(DIST, 'main.js'), ...line.split(' ')], {
      env: { ...inherited, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#closed = once(this.#child, 'close').then(([code]) => code as number | null);
    this.#child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.error += chunk.toString()));
  }

  /** Resolves once it has written this. Rejects with its output otherwise. */
  async untilSays(pattern: RegExp): Promise<void> {
    await pollUntil(
      () => pattern.test(this.output) || this.#child.exitCode !== null,
      `it said only ${this.output}${this.error}`,
    );
    if (!pattern.test(this.output)) throw new Error(`it ended with ${this.output}${this.error}`);
  }

  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal !== undefined) this.#child.kill(signal);
    return this.#closed;
  }
}

/** What the built command offers to its `main.js`. */
interface CommandModule {
  readonly runCommand: (
    catalog: unknown,
    words: readonly string[],
    process: {
      readonly env: Environment;
      readonly cwd: string;
      readonly release: string;
      readonly stop: AbortSignal;
      readonly writeOutput: (text: string) => void;
      readonly writeError: (text: string) => void;
      readonly terminalColumns: null;
    },
  ) => Promise<number>;
}

/** Runs the words in this process: to start a process for each takes most of the time of a test. */
export async function runHere(line: string, env: Environment): Promise<FinishedCommand> {
  const load = async (file: string): Promise<unknown> => import(pathToFileURL(path.join(DIST, file)).href);
  const { runCommand } = (await load('command/application.js')) as CommandModule;
  const { CATALOG } = (await load('commands/all-commands.js')) as { readonly CATALOG: unknown };
  let [output, error] = ['', ''];
  const exitCode = await runCommand(CATALOG, line.split(' '), {
    ...{ env, cwd: '/', release: 'of a test', stop: new AbortController().signal, terminalColumns: null },
    writeOutput: (text) => (output += text),
    writeError: (text) => (error += text),
  });
  return { exitCode, output, error };
}

type Connect = (this: Socket, ...args: unknown[]) => Socket;

/** Records the hosts that this process connects to while the work runs. */
export async function recordConnections<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly hosts: string[] }> {
  const hosts: string[] = [];
  const prototype = Socket.prototype as unknown as { connect: Connect };
  const { connect } = prototype;
  prototype.connect = function record(...args) {
    const [first] = args;
    const options: unknown = Array.isArray(first) ? first[0] : first;
    hosts.push((options as { readonly host?: string }).host ?? 'localhost');
    return connect.apply(this, args);
  };
  try {
    return { result: await work(), hosts };
  } finally {
    prototype.connect = connect;
  }
}
