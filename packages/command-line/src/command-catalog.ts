import type { Flags } from './command-flags.js';

/** The words after the name of a command and its flags. */
export interface Operands {
  readonly placeholder: string;
  readonly brief: string;
  readonly min: number;
  readonly max: number;
  /** What a shell may complete the first word to. */
  readonly choices?: readonly string[];
}

/** What `--help` and the reference say about a command, except its brief. */
export interface CommandShape {
  /** Its words after the name of the program: `['deliveries', 'replay']`. */
  readonly path: readonly string[];
  /** More sentences for `--help`, one paragraph each. */
  readonly details: readonly string[];
  /** What follows the name of the program in examples. */
  readonly examples: readonly string[];
  readonly flags: Flags;
  readonly operands: Operands | null;
}

/** The commands of one file. The file, and so all that it imports, is loaded when one of them is named. */
export interface CommandFile<D extends CommandShape> {
  /** The brief of each command, by its words: `deliveries replay`. */
  readonly briefs: Readonly<Record<string, string>>;
  readonly load: () => Promise<readonly D[]>;
}

/** Every command of a program, in the order of `--help`. */
export type CommandCatalog<D extends CommandShape> = readonly CommandFile<D>[];

/** A command with its brief. */
export type BriefedCommand<D extends CommandShape> = D & { readonly brief: string };

/** A command before its file is loaded. */
export interface ListedCommand<D extends CommandShape> {
  readonly path: readonly string[];
  readonly brief: string;
  readonly load: () => Promise<BriefedCommand<D>>;
}

/** All commands; no file is loaded. */
export function listCommands<D extends CommandShape>(catalog: CommandCatalog<D>): readonly ListedCommand<D>[] {
  return catalog.flatMap(({ briefs, load }) =>
    Object.entries(briefs).map(([words, brief]) => ({
      ...{ path: words.split(' '), brief },
      load: async () => ({ ...requireCommand(await load(), words), brief }),
    })),
  );
}

/** Loads all commands, for the reference. */
export async function loadCommands<D extends CommandShape>(
  catalog: CommandCatalog<D>,
): Promise<readonly BriefedCommand<D>[]> {
  const loaded: BriefedCommand<D>[] = [];
  // One after the other: the module loader of jest does not link a file twice at the same time.
  for (const { load } of listCommands(catalog)) loaded.push(await load());
  return loaded;
}

function requireCommand<D extends CommandShape>(commands: readonly D[], words: string): D {
  const found = commands.find(({ path }) => path.join(' ') === words);
  if (found === undefined) throw new Error(`the file of ${words} does not define it`);
  return found;
}
