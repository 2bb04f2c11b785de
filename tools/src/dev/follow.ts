import { setMaxListeners } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';
import type { AppProcess } from './app-process.js';
import { compile, isTestFile, listLoadedFiles } from './watch/compile.js';
import { watchSources } from './watch/source-watch.js';
import { TypeCheck } from './watch/type-check.js';
import type { DevWorld } from './world.js';
import { WORLD_APPS, type WorldAppName } from './world-apps.js';

const LOG_LINES_SHOWN = 12;

/** Where to print, when to stop, and whether types are checked before the first change, too. */
export interface SourceFollower {
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  readonly isCheckedAtOnce: boolean;
}

/** Applies saved changes: compiles them, restarts the apps that load them, then checks their types in parallel. */
export async function followSources(world: DevWorld, { say, signal, isCheckedAtOnce }: SourceFollower): Promise<void> {
  setMaxListeners(0, signal);
  const check = new TypeCheck(say);
  signal.addEventListener('abort', () => void check.stop(), { once: true });
  const apps = new RunningApps(world);
  // Not awaited here: files that are saved from now on must be detected.
  const looked = apps.look();
  /** Saved, and not yet loaded by an app. */
  const pending = new Set<string>();
  const update = async (files: readonly string[]): Promise<void> => {
    await Promise.all([looked, check.stop()]);
    const what = listFolders(files)
      .map((folder) => path.basename(folder))
      .join(', ');
    files.filter((file) => !isTestFile(file)).forEach((file) => pending.add(file));
    if (files.every(isTestFile)) say(`${what} changed: tests only, nothing is restarted`);
    else if (!(await show(what))) return;
    check.start(listFolders(files.filter(isTestFile)));
  };
  /** False when there is nothing that could be checked. */
  const show = async (what: string): Promise<boolean> => {
    const since = performance.now();
    say(`${what} changed: compiling`);
    const compiled = await compile([...pending], signal);
    signal.throwIfAborted();
    if (!compiled.isFine) {
      say(`${compiled.output.trim()}\n  Not compiled; the apps continue as they were.`);
      return false;
    }
    const stale = await apps.stale();
    const names = stale.map(({ name }) => name).join(', ');
    if (stale.length > 0) say(`${what} changed: restarting ${names}`);
    if ([...pending].some((file) => file.endsWith('.sql'))) await world.migrate();
    const failures = await apps.restart(stale, signal);
    failures.forEach(say);
    if (failures.length > 0) return true;
    pending.clear();
    const done = stale.length === 0 ? 'no running app loads it' : `${names} restarted`;
    say(`${what} changed: ${done} (${((performance.now() - since) / 1000).toFixed(1)} s)`);
    return true;
  };
  if (isCheckedAtOnce) check.start([]);
  const failed = (error: unknown): void => {
    if (!signal.aborted) say(error instanceof Error ? error.message : String(error));
  };
  await watchSources((files) => update(files).catch(failed), { signal });
}

/** The apps of a world with the files that each has loaded. */
class RunningApps {
  readonly #loaded = new Map<string, string>();

  constructor(private readonly world: DevWorld) {}

  async look(): Promise<void> {
    for (const app of this.world.apps) this.#loaded.set(app.name, await listLoadedFiles(getFolder(app)));
  }

  /** Those that would load other files if they were started now, or that are not running. */
  async stale(): Promise<AppProcess[]> {
    const words = await Promise.all(this.world.apps.map((app) => listLoadedFiles(getFolder(app))));
    return this.world.apps.filter((app, index) => !app.isRunning || words[index] !== this.#loaded.get(app.name));
  }

  /** Resolves when all of them are ready again, with a sentence for each that is not. */
  async restart(apps: readonly AppProcess[], signal: AbortSignal): Promise<string[]> {
    const tries = apps.map(async (app) => {
      const loaded = await listLoadedFiles(getFolder(app));
      // Until it is ready, what it runs is unknown: its supervisor may start the files of a failed change again.
      this.#loaded.delete(app.name);
      await app.stop();
      signal.throwIfAborted();
      app.start();
      await app.untilReady(signal);
      this.#loaded.set(app.name, loaded);
    });
    const ends = await Promise.allSettled(tries);
    signal.throwIfAborted();
    const failures = ends.map(async (end, index) => {
      if (end.status === 'fulfilled') return null;
      const log = await readFile(apps[index]?.logFile ?? '', 'utf8').catch(() => '');
      const lines = log.trimEnd().split('\n').slice(-LOG_LINES_SHOWN);
      return [`${getMessage(end.reason)}. It ends with:`, ...lines.map((line) => `    ${line}`)].join('\n');
    });
    return (await Promise.all(failures)).filter((failure) => failure !== null);
  }
}

function getFolder({ name }: AppProcess): string {
  return WORLD_APPS[name as WorldAppName].folder;
}

/** The packages of these files: `packages/core`, `apps/api`, `proto`. */
function listFolders(files: readonly string[]): string[] {
  const words = files.map((file) => path.relative(REPOSITORY, file).split(path.sep));
  return [...new Set(words.map(([group = '', name = '']) => (group === 'proto' ? group : `${group}/${name}`)))];
}

function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
