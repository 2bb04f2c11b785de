import type { Connection } from '../connection/connection.js';
import type { ExitCode } from './exit-codes.js';
import type { Flags, FlagValues } from './flags.js';

/** What a command may use of the outside. */
export interface CommandRun {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isJson: boolean;
  /** Aborted by SIGINT and SIGTERM. */
  readonly stop: AbortSignal;
  readonly connect: () => Connection;
  /** Writes a result: the data as one line of JSON with `--json`, otherwise the lines. */
  readonly report: (data: unknown, ...lines: readonly string[]) => void;
  /** Writes what is no result, such as progress, to the error stream. */
  readonly remark: (line: string) => void;
}

/** The words after the name of a command. */
export interface Operands {
  readonly placeholder: string;
  readonly brief: string;
  readonly min: number;
  readonly max: number;
  /** What a shell may complete the first word to. */
  readonly choices?: readonly string[];
}

/** A command: what `--help` and the reference say, and what it does. */
export interface CommandDefinition {
  /** Its words after `pos`: `['deliveries', 'replay']`. */
  readonly path: readonly string[];
  readonly brief: string;
  /** More sentences for `--help`, one paragraph each. */
  readonly details: readonly string[];
  /** What follows `pos` in examples. */
  readonly examples: readonly string[];
  readonly flags: Flags;
  readonly operands: Operands | null;
  readonly run: (run: CommandRun, input: CommandInput) => Promise<ExitCode | undefined>;
}

/** What was written behind the command. */
export interface CommandInput {
  readonly values: Readonly<Record<string, unknown>>;
  readonly operands: readonly string[];
}

interface DefinitionParts<F extends Flags> {
  readonly path: string;
  readonly brief: string;
  readonly details?: readonly string[];
  readonly examples: readonly string[];
  readonly flags: F;
  readonly operands?: Operands;
  readonly run: (
    run: CommandRun,
    input: { readonly values: FlagValues<F>; readonly operands: readonly string[] },
  ) => Promise<ExitCode | undefined>;
}

/** Types the values of a command by its flags. */
export function defineCommand<F extends Flags>(parts: DefinitionParts<F>): CommandDefinition {
  const { path, details = [], operands = null, run, ...rest } = parts;
  return {
    ...rest,
    ...{ path: path.split(' '), details, operands },
    run: (context, input) => run(context, { ...input, values: input.values as FlagValues<F> }),
  };
}
