import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
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
  /** Gets a line when the process ends without being asked to, and when it is started again after that. */
  readonly onUnexpectedEnd?: (line: string) => void;
  /** Gets told of every new process. */
  readonly onStart?: () => void;
}

const END_WITH_PARENT = pathToFileURL(path.join(REPOSITORY, 'packages/service-kit/dist/lifecycle/parent-exit.js')).href;

const READY_MS_MAX = 60_000;
const READY_POLL_MS = 50;
const READY_ANSWER_MS_MAX = 2_000;
const DRAIN_MS_MAX = 30_000;
/** A process that crashes is started again after a second, then after twice as long each time it crashes soon again. */
const RESTART_MS_MIN = 1_000;
const RESTART_MS_MAX = 30_000;
const STEADY_MS = 60_000;

/** One process of an app, which can be killed and started again; its output is in its log file. */
export class AppProcess {
  #child: ChildProcess | null = null;
  #log: WriteStream | null = null;
  #isWanted = false;
  #env: Readonly<Record<string, string>>;
  #startedAt = 0;
  #isKept = false;
  #restartMs = RESTART_MS_MIN;
  #restart: NodeJS.Timeout | null = null;

  constructor(private readonly command: AppCommand) {
    this.#env = command.env;
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

  /** Null while it does not run. */
  get pid(): number | null {
    return this.isRunning ? (this.#child?.pid ?? null) : null;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts the process, with settings laid over its own if given; returns before it is ready. */
  start(env: Readonly<Record<string, string>> = {}): void {
    if (this.isRunning) throw new Error(`${this.name} runs already`);
    this.#env = { ...this.command.env, ...env };
    this.#spawn();
  }

  /** From now on the process is started again whenever it ends without being asked to. */
  keepRunning(): void {
    this.#isKept = true;
  }

  #spawn(): void {
    this.#cancelRestart();
    this.#startedAt = performance.now();
    this.#log ??= createWriteStream(this.command.logFile, { flags: 'a' });
    this.#isWanted = true;
    const words = ['--enable-source-maps', '--import', END_WITH_PARENT, this.command.entry];
    const child = spawn(process.execPath, words, {
      env: { PATH: process.env['PATH'] ?? '', ...this.#env },
      // Nothing is ever written to its input; that it stays open says that we live.
      stdio: ['pipe', 'pipe', 'pipe'],
      // Ctrl-C in the terminal goes to us alone, so that the apps drain in order.
      detached: true,
    });
    child.stdout.pipe(this.#log, { end: false });
    child.stderr.pipe(this.#log, { end: false });
    child.once('exit', (code, signal) => {
      if (!this.#isWanted || this.#child !== child) return;
      this.#isWanted = false;
      const said = `${this.name} ended (${signal ?? `exit ${code ?? '?'}`})`;
      if (this.#isKept) this.#startAgain(said);
      else this.command.onUnexpectedEnd?.(`${said}; its log is ${this.logFile}`);
    });
    child.stdin.on('error', () => undefined);
    this.#child = child;
    this.command.onStart?.();
  }

  #startAgain(said: string): void {
    if (performance.now() - this.#startedAt > STEADY_MS) this.#restartMs = RESTART_MS_MIN;
    const say = (line: string): void => this.command.onUnexpectedEnd?.(line);
    say(`${said} and is started again in ${this.#restartMs / 1000} s; its log is ${this.logFile}`);
    this.#restart = setTimeout(() => {
      this.#spawn();
      // A process that ends again is reported by its end.
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

  /** Resolves when the process answers its health address; throws when it ends before or takes a minute. */
  async untilReady(signal?: AbortSignal): Promise<void> {
    const until = performance.now() + READY_MS_MAX;
    while (!(await answers(this.command.ready))) {
      signal?.throwIfAborted();
      if (!this.isRunning) throw new Error(`${this.name} ended before it was ready; its log is ${this.logFile}`);
      if (performance.now() > until) throw new Error(`${this.name} was not ready within a minute; see ${this.logFile}`);
      await pause(READY_POLL_MS);
    }
  }

  /** Kills the process without a word to it, and resolves when it is gone. */
  async kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' = 'SIGKILL'): Promise<void> {
    this.#isWanted = false;
    this.#cancelRestart();
    if (!this.isRunning) return;
    this.#child?.kill(signal);
    if (signal === 'SIGKILL') await this.untilEnd();
  }

  /** Asks the process to drain, and kills it when it takes too long. */
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

  /** Resolves when the process has ended, by whatever hand. */
  async untilEnd(): Promise<void> {
    const child = this.#child;
    if (child === null || !this.isRunning) return;
    await new Promise<void>((resolve) => child.once('exit', () => resolve()));
  }

  /** The end is awaited by whoever armed a fault point; it is not told as a surprise. */
  expectEnd(): void {
    this.#isWanted = false;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(READY_ANSWER_MS_MAX) });
    return answer.ok;
  } catch {
    return false;
  }
}
