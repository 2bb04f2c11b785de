import type { CommandInput, CommandShape, Flags, FlagValues, Operands } from '@pos/command-line';
import type { Connection } from '../connection/connection.js';
import type { Progress } from '../terminal/progress-bar.js';
import type { ExitCode } from './exit-codes.js';

/** What a command may use of the outside. */
export interface CommandRun {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isJson: boolean;
  /** Aborted by SIGINT and SIGTERM. */
  readonly stop: AbortSignal;
  readonly connect: () => Connection;
  /** Writes a result: the data as one line of JSON with `--json`, otherwise the lines. */
  readonly report: (data: unknown, ...lines: readonly string[]) => void;
  /** Writes what is no result to the error stream. */
  readonly remark: (line: string) => void;
  /** Shows the progress of long work on the error stream, where a person reads it. */
  readonly showProgress: (label: string) => Progress;
  /** Whether a person reads the output, and so would see a browser that opens. */
  readonly isTerminal: boolean;
}

/** A command: what `--help` and the reference say, and what it does. Its brief is in the catalog. */
export interface CommandDefinition extends CommandShape {
  readonly run: (run: CommandRun, input: CommandInput) => Promise<ExitCode | undefined>;
}

interface DefinitionParts<F extends Flags> {
  readonly path: string;
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
