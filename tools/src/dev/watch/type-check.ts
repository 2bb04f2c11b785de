import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../../repository/repository.js';
import { runQuietly } from './quiet-program.js';

const QUIETLY = ['--continue=dependencies-successful', '--ui=stream', '--output-logs=errors-only'];
const DECLARATIONS = ['run', 'declarations', '--filter=./packages/*', '--filter=./apps/*', ...QUIETLY];
/** `--only`, because the declarations were just built; `--force`, because cached results are of other sources. */
const TESTS = ['run', 'types', '--only', '--force', ...QUIETLY];
/** The compiler's message after turbo's name of the task: `@pos/api:build: src/present.ts(3,7): error TS2322: ...`. */
const TYPE_ERROR = /(@pos\/[\w-]+):\w+: (\S+)\((\d+),(\d+)\): error (TS\d+: .*)$/;
const SAID_LINES_MAX = 20;

/** Checks all types in parallel to the running apps, and writes the type information that editors use. */
export class TypeCheck {
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly say: (line: string) => void,
    private readonly folders: ReadonlyMap<string, string> = packageFolders(),
  ) {}

  /** Stops a running check, whose results would be of older sources. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /**
   * Starts a check of all sources, and of the tests of these folders. Prints every error once, when it is found, and
   * the result at the end.
   */
  start(withTests: readonly string[]): void {
    this.#stop = new AbortController();
    this.#running = this.#check(withTests, this.#stop.signal);
  }

  async #check(withTests: readonly string[], signal: AbortSignal): Promise<void> {
    this.say('checking types in the background ...');
    const since = performance.now();
    const reported = new Set<string>();
    const onLine = (line: string): void => {
      const error = findTypeError(line, this.folders);
      if (error === null || reported.has(error)) return;
      reported.add(error);
      this.say(`type error: ${error}`);
    };
    const run = (words: readonly string[]) => runQuietly({ program: 'turbo', words, isPatient: true, onLine, signal });
    let { isFine, output } = await run(DECLARATIONS);
    if (isFine && withTests.length > 0) {
      ({ isFine, output } = await run([...TESTS, ...withTests.map((folder) => `--filter=./${folder}`)]));
    }
    if (signal.aborted) return;
    const took = `${((performance.now() - since) / 1000).toFixed(1)} s`;
    if (isFine) {
      this.say(`types are in order, ${took} in the background`);
      return;
    }
    if (reported.size === 0) this.say(output.trim().split('\n').slice(-SAID_LINES_MAX).join('\n'));
    this.say(`types are not in order, ${took} in the background; the apps run what was saved all the same`);
  }
}

/**
 * The type error in a line of turbo's output, in the format for editors and terminals: `file:line:column message`; null
 * when there is none.
 */
export function findTypeError(line: string, folders: ReadonlyMap<string, string>): string | null {
  const [, name = '', file = '', row = '', column = '', what = ''] = TYPE_ERROR.exec(line.trimEnd()) ?? [];
  const folder = folders.get(name);
  return folder === undefined ? null : `${path.posix.join(folder, file)}:${row}:${column} ${shortenText(what)}`;
}

const WORDS_LENGTH_MAX = 240;

/** The compiler prints long types; the end of its message, perhaps with a hint, is more useful than the middle. */
function shortenText(what: string): string {
  if (what.length <= WORDS_LENGTH_MAX) return what;
  const half = WORDS_LENGTH_MAX / 2;
  return `${what.slice(0, half)} ... ${what.slice(-half)}`;
}

function packageFolders(): Map<string, string> {
  const folders = ['packages', 'apps'].flatMap((group) =>
    readdirSync(path.join(REPOSITORY, group)).map((name) => `${group}/${name}`),
  );
  return new Map(folders.map((folder) => [nameOf(folder), folder]));
}

function nameOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(path.join(REPOSITORY, folder, 'package.json'), 'utf8')) as { name: string };
  return manifest.name;
}
