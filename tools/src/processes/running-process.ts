import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

const READY_MS_MAX = 60_000;
/** An app drains for up to 30 s. */
const STOP_MS_MAX = 35_000;
const POLL_MS = 200;

/** How a process is reached: directly, or in its container. */
export interface ProcessControl {
  /** Starts a command beside it, as its user, in its folder and with its settings. */
  readonly runBeside: (command: readonly string[]) => ChildProcess;
  readonly sendSignal: (signal: NodeJS.Signals) => void;
}

/** The end of a command: its exit code, and everything that it wrote. */
export interface CommandEnd {
  readonly code: number | null;
  readonly output: string;
}

/** A process in a runtime folder or a container, started with nothing but its settings. */
export class RunningProcess {
  readonly #readOutput: () => string;
  readonly #ended: Promise<number | null>;
  #hasEnded = false;

  constructor(
    child: ChildProcess,
    private readonly control: ProcessControl,
  ) {
    this.#readOutput = collectOutput(child);
    this.#ended = once(child, 'close').then(([code]) => {
      this.#hasEnded = true;
      return code as number | null;
    });
  }

  /** What it has written so far. */
  get output(): string {
    return this.#readOutput();
  }

  /** Runs a command beside it to its end. */
  async run(command: readonly string[]): Promise<CommandEnd> {
    const child = this.control.runBeside(command);
    const readOutput = collectOutput(child);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output: readOutput() };
  }

  /** Resolves when the health check ends with 0. Throws with the output when the process ends before, or after a minute. */
  async untilHealthy(healthCheck: readonly string[]): Promise<void> {
    const until = performance.now() + READY_MS_MAX;
    for (;;) {
      if (this.#hasEnded) throw new Error(`it ended with ${(await this.#ended) ?? 'a signal'}: ${this.output}`);
      const { code, output } = await this.run(healthCheck);
      if (code === 0) return;
      if (performance.now() > until)
        throw new Error(`it was not healthy within a minute: ${output.trim()}\n${this.output}`);
      await pause(POLL_MS);
    }
  }

  /** Resolves with the exit code when it has ended by itself. */
  untilEnd(): Promise<number | null> {
    return this.#ended;
  }

  /** Sends the signal and resolves with the exit code; null when it had to be killed after `limitMs`. */
  async stop(signal: NodeJS.Signals = 'SIGTERM', limitMs = STOP_MS_MAX): Promise<number | null> {
    if (this.#hasEnded) return this.#ended;
    this.control.sendSignal(signal);
    const over = new AbortController();
    const late = pause(limitMs, 'late' as const, { signal: over.signal }).catch(() => 'late' as const);
    const first = await Promise.race([this.#ended, late]);
    over.abort();
    if (first !== 'late') return first;
    this.control.sendSignal('SIGKILL');
    await this.#ended;
    return null;
  }
}

/** How an app is started without a container. */
export interface FolderStart {
  /** The folder of the app. */
  readonly folder: string;
  /** Its program; that of a runtime folder when left out. */
  readonly program?: string;
  /** All settings: the app gets no other of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** The user without rights that starts it, where this process may change users; that of this process when left out. */
  readonly user?: number;
  /** Its Node; that of this process when left out. */
  readonly node?: string;
}

/** Starts an app from its folder. */
export function startInFolder(start: FolderStart): RunningProcess {
  const { folder, program: main = 'dist/main.js', env, user, node = process.execPath } = start;
  const as = user !== undefined && process.getuid?.() === 0 ? { uid: user, gid: user } : {};
  const run = ([program = '', ...words]: readonly string[]): ChildProcess => {
    const file = program === 'node' ? node : program;
    return spawn(file, words, { cwd: folder, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'], ...as });
  };
  const child = run(['node', main]);
  return new RunningProcess(child, { runBeside: run, sendSignal: (signal) => child.kill(signal) });
}

function collectOutput(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (output += part.toString()));
  return () => output;
}
