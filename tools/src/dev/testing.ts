import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '@pos/dev-database';
import { REPOSITORY } from '../repository/repository.js';
import { DevJson, getDevJsonPath } from './dev-json.js';
import { findFreePorts, isPortTaken } from '@pos/dev-database';
import { DEFAULT_PORTS } from './ports.js';

const POLL_MS = 50;
const READY_MS_MAX = 120_000;
const WORLD_MS_MAX = 180_000;
const STOP_MS_MAX = 60_000;

/** A built program of the tools, run as in a developer's terminal with these arguments. */
export class TestTerminal {
  #output = '';
  readonly #child: ChildProcess;
  readonly #end: Promise<number | null>;

  constructor(line: string, env: Readonly<Record<string, string>>, tree = REPOSITORY) {
    const [entry = '', ...words] = line.split(' ');
    this.#child = spawn(process.execPath, [path.join(tree, 'tools/dist', entry), ...words], {
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    }
    this.#end = new Promise((resolve) => this.#child.once('close', (code) => resolve(code)));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Its whole output so far. */
  get output(): string {
    return this.#output;
  }

  /** Resolves once it has printed this. Rejects with its output otherwise. */
  async waitForOutput(pattern: RegExp): Promise<void> {
    await pollUntil(() => pattern.test(this.#output) || this.#child.exitCode !== null, `it said only: ${this.#output}`);
    if (!pattern.test(this.#output)) throw new Error(`it ended with: ${this.#output}`);
  }

  /** Sends a signal, waits for the end and returns the exit code; null when it was killed. */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal !== undefined) this.#child.kill(signal);
    return this.#end;
  }

  /** Ends it if it still runs: with Ctrl-C, and by force when it does not react in time. */
  async stop(withinMs = STOP_MS_MAX): Promise<void> {
    this.#child.kill('SIGINT');
    const hasEnded = await Promise.race([this.#end.then(() => true), pause(withinMs, false, { ref: false })]);
    if (!hasEnded) await this.end('SIGKILL');
  }
}

/**
 * Opens terminals for the tests of a file. Programs that a failed test leaves running are ended before the next test.
 */
export function useTerminals(): (...of: ConstructorParameters<typeof TestTerminal>) => TestTerminal {
  const opened: TestTerminal[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((terminal) => terminal.stop()));
  }, WORLD_MS_MAX);
  return (...of) => {
    const terminal = new TestTerminal(...of);
    opened.push(terminal);
    return terminal;
  };
}

/** A folder and settings for a world in parallel to others: every server has a free port. */
export async function buildOwnSettings(): Promise<Record<string, string> & { readonly DATA_DIR: string }> {
  const settings = Object.values(DEFAULT_PORTS).map(({ setting }) => setting);
  const ports = await findFreePorts(settings.length);
  return {
    ...Object.fromEntries(settings.map((setting, index): [string, string] => [setting, String(ports[index])])),
    DATA_DIR: mkdtempSync(path.join(tmpdir(), 'world-')),
    INQUIRY_INTERVAL_MS: '500',
    // Edits during the tests must not change the running apps.
    WATCH: 'false',
    // As deployed, and three times faster to load.
    PROGRAMS: 'bundle',
  };
}

/**
 * Runs a world for the tests of a file, with card machines this many times faster. Returns its settings once it is
 * ready.
 */
export function startSecondWorld(
  timeScale: number,
): () => Readonly<Record<string, string>> & { readonly DATA_DIR: string } {
  let settings: Awaited<ReturnType<typeof buildOwnSettings>>;
  let world: TestTerminal;
  beforeAll(async () => {
    settings = { ...(await buildOwnSettings()), SIMULATOR_TIME_SCALE: String(timeScale) };
    world = new TestTerminal('dev/start.js', settings);
    await waitForReadyWorld(world, settings.DATA_DIR);
  }, WORLD_MS_MAX);
  afterAll(async () => {
    await world.end('SIGINT');
    await forgetWorld(settings.DATA_DIR);
  }, WORLD_MS_MAX);
  return () => settings;
}

export async function waitForReadyWorld(terminal: TestTerminal, dataDir: string): Promise<DevJson> {
  await terminal.waitForOutput(/Ready\./);
  return DevJson.parse(JSON.parse(readFileSync(getDevJsonPath(dataDir), 'utf8')));
}

/** The processes that a world has stored. */
export function listProcesses(dataDir: string): number[] {
  const file = path.join(dataDir, 'processes.json');
  if (!existsSync(file)) return [];
  const { apps } = JSON.parse(readFileSync(file, 'utf8')) as { apps: { pid: number }[] };
  return apps.map(({ pid }) => pid);
}

/** Which of these still run. */
export function listLivingProcesses(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  });
}

/** The ports of these settings that are still in use. */
export async function listTakenPorts(settings: Readonly<Record<string, string>>): Promise<string[]> {
  const names = Object.keys(settings).filter((name) => name.endsWith('_PORT'));
  const taken = await Promise.all(names.map((name) => isPortTaken(Number(settings[name]))));
  return names.filter((_, index) => taken[index]);
}

export async function pollUntil(isSo: () => boolean | Promise<boolean>, otherwise: string): Promise<void> {
  const end = performance.now() + READY_MS_MAX;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(otherwise);
    await pause(POLL_MS);
  }
}

/** Deletes a stopped world with its rows, on any server. */
export async function forgetWorld(dataDir: string): Promise<void> {
  const folder = path.join(dataDir, 'postgres');
  if (existsSync(folder)) await (await startPostgres({ dataDir: folder })).remove();
  rmSync(dataDir, { recursive: true, force: true });
}
