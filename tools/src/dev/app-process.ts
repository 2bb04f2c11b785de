import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { REPOSITORY } from '../repository/repository.js';

/** How to start one process of an app. */
export interface AppCommand {
  /** Unique in a world: `api`, `gateway-2`. */
  readonly name: string;
  /** The compiled entry point. */
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
  /** Addresses that answer 200 once the process serves. */
  readonly ready: string;
  readonly logFile: string;
  /** How long `untilReady` waits; five minutes when left out. */
  readonly readyMsMax?: number;
  /** Reads `ready`; by default with the trust of this process. */
  readonly fetch?: typeof fetch;
  /** Called with a line when the process ends unexpectedly, and when it is restarted after that. */
  readonly onUnexpectedEnd?: (line: string) => void;
  /** Called for every new process. */
  readonly onStart?: () => void;
}

const END_WITH_PARENT = pathToFileURL(path.join(REPOSITORY, 'packages/service-kit/dist/lifecycle/parent-exit.js')).href;

/** A machine that runs much else starts ten apps in minutes; a process that cannot start ends long before. */
export const READY_MS_MAX = 300_000;
const LOG_LINES_QUOTED = 10;
const READY_POLL_MS = 50;
const READY_ANSWER_MS_MAX = 2_000;
const DRAIN_MS_MAX = 30_000;
/** The delay before a crashed process is restarted. It doubles each time the process crashes again soon. */
const RESTART_MS_MIN = 1_000;
const RESTART_MS_MAX = 30_000;
const STEADY_MS = 60_000;

/** One process of an app, which can be killed and restarted. Its output is in its log file. */
export class AppProcess {
  #child: ChildProcess | null = null;
  #log: WriteStream | null = null;
  #isWanted = false;
  #env: Readonly<Record<string, string>>;
  #entry: string;
  #startedAt = 0;
  #isKept = false;
  #restartMs = RESTART_MS_MIN;
  #restart: NodeJS.Timeout | null = null;

  constructor(private readonly command: AppCommand) {
    this.#env = command.env;
    this.#entry = command.entry;
  }

  get name(): string {
    return this.command.name;
  }

  get logFile(): string {
    return this.command.logFile;
  }

  get readyUrl(): string {
    return this.command.ready;
  }

  /** Its settings since its last start. */
  get settings(): Readonly<Record<string, string>> {
    return this.#env;
  }

  /** Null while it is not running. */
  get pid(): number | null {
    return this.isRunning ? (this.#child?.pid ?? null) : null;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts the process, with additional settings if given; returns before it is ready. */
  start(env: Readonly<Record<string, string>> = {}): void {
    if (this.isRunning) throw new Error(`${this.name} runs already`);
    this.#env = { ...this.command.env, ...env };
    this.#spawn();
  }

  /** From its next start on the process runs another build of its app. */
  useEntry(entry: string): void {
    this.#entry = entry;
  }

  /** From now on the process is restarted whenever it ends unexpectedly. */
  keepRunning(): void {
    this.#isKept = true;
  }

  #spawn(): void {
    this.#cancelRestart();
    this.#startedAt = performance.now();
    this.#log ??= createWriteStream(this.command.logFile, { flags: 'a' });
    this.#isWanted = true;
    const words = ['--enable-source-maps', '--import', END_WITH_PARENT, this.#entry];
    const child = spawn(process.execPath, words, {
      env: { PATH: process.env['PATH'] ?? '', ...this.#env },
      // Its input is never written. An open input shows the process that this one is running.
      stdio: ['pipe', 'pipe', 'pipe'],
      // Ctrl-C in the terminal reaches only this process, so that the apps drain in order.
      detached: true,
    });
    child.stdout.pipe(this.#log, { end: false });
    child.stderr.pipe(this.#log, { end: false });
    child.once('exit', (code, signal) => {
      if (!this.#isWanted || this.#child !== child) return;
      this.#isWanted = false;
      const reason = `${this.name} ended (${signal ?? `exit ${code ?? '?'}`})`;
      if (this.#isKept) this.#startAgain(reason);
      else this.command.onUnexpectedEnd?.(`${reason}; its log is ${this.logFile}`);
    });
    child.stdin.on('error', () => undefined);
    this.#child = child;
    this.command.onStart?.();
  }

  #startAgain(reason: string): void {
    if (performance.now() - this.#startedAt > STEADY_MS) this.#restartMs = RESTART_MS_MIN;
    const say = (line: string): void => this.command.onUnexpectedEnd?.(line);
    say(`${reason} and is started again in ${this.#restartMs / 1000} s; its log is ${this.logFile}`);
    this.#restart = setTimeout(() => {
      this.#spawn();
      // The end of a process is reported elsewhere.
      this.untilReady().then(
        () => say(`${this.name} serves again`),
        () => undefined,
      );
    }, this.#restartMs);
    this.#restartMs = Math.min(this.#restartMs * 2, RESTART_MS_MAX);
  }

  #cancelRestart(): void {
    if (this.#restart !== null) clearTimeout(this.#restart);
    this.#restart = null;
  }

  /** Resolves when the process answers its health address. Throws when it ends before, or takes too long. */
  async untilReady(signal?: AbortSignal): Promise<void> {
    const { readyMsMax = READY_MS_MAX } = this.command;
    const until = performance.now() + readyMsMax;
    while (!(await answers(this.command.ready, this.command.fetch))) {
      signal?.throwIfAborted();
      if (!this.isRunning)
        throw new Error(`${this.name} ended before it was ready; ${await describeLog(this.logFile)}`);
      if (performance.now() > until)
        throw new Error(
          `${this.name} was not ready within ${readyMsMax / 1000} s; START_TIMEOUT_MS lets the start wait longer; ${await describeLog(this.logFile)}`,
        );
      await pause(READY_POLL_MS);
    }
  }

  /** Kills the process without a drain, and resolves when it has ended. */
  async kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' = 'SIGKILL'): Promise<void> {
    this.#isWanted = false;
    this.#cancelRestart();
    if (!this.isRunning) return;
    this.#child?.kill(signal);
    if (signal === 'SIGKILL') await this.untilEnd();
  }

  /** Drains the process, and kills it when that takes too long. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    this.#cancelRestart();
    if (this.isRunning) {
      this.#child?.kill('SIGTERM');
      const isOver = await Promise.race([this.untilEnd().then(() => true), pause(DRAIN_MS_MAX, false, { ref: false })]);
      if (!isOver) await this.kill();
    }
    this.#log?.end();
    this.#log = null;
  }

  /** Resolves when the process has ended for any reason. */
  async untilEnd(): Promise<void> {
    const child = this.#child;
    if (child === null || !this.isRunning) return;
    await new Promise<void>((resolve) => child.once('exit', () => resolve()));
  }

  /** The test that armed a fault point expects this end, so it is not reported as unexpected. */
  expectEnd(): void {
    this.#isWanted = false;
  }
}

async function answers(url: string, send: typeof fetch = fetch): Promise<boolean> {
  try {
    const answer = await send(url, { signal: AbortSignal.timeout(READY_ANSWER_MS_MAX) });
    return answer.ok;
  } catch {
    return false;
  }
}

/** Names the log and quotes its end, because the log of a world of tests is deleted after a failed start. */
async function describeLog(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return [`its log is ${file}`, ...text.trimEnd().split('\n').slice(-LOG_LINES_QUOTED)].join('\n');
}
