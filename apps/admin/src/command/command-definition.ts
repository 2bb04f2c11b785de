import type { AuditedChange } from '@pos/core/administration';
import type { CommandInput, CommandShape, Flags, FlagValues } from '@pos/command-line';
import type { AdminSession } from './admin-session.js';

/** What a command returns: the data for `--json`, and the lines for a reader. */
export interface CommandResult {
  readonly data: unknown;
  readonly lines: readonly string[];
  /** A check has found something that needs a person. */
  readonly hasFindings?: boolean;
}

/** One word behind the command, or one or more. */
interface Operand {
  readonly placeholder: string;
  readonly brief: string;
  /** One word when false; otherwise one or more. */
  readonly isRepeated: boolean;
}

/** A command: what `--help` and the reference say, and what it does. Its brief is in the catalog. */
export interface CommandDefinition extends CommandShape {
  /** Whether it changes something: then it needs `--reason`, and is stored in the audit log. */
  readonly isChange: boolean;
  readonly run: (session: AdminSession, input: ChangeInput) => Promise<CommandResult>;
}

/** What was written behind the command. */
export interface ChangeInput extends CommandInput {
  /** Of a change: who and why. */
  readonly change: AuditedChange;
}

interface TypedInput<F extends Flags> extends Omit<ChangeInput, 'values'> {
  readonly values: FlagValues<F>;
}

/** The parts of a definition; `flags` and `operand` may be left out. */
interface DefinitionParts<F extends Flags> extends Pick<CommandDefinition, 'examples'> {
  readonly path: string;
  readonly details?: readonly string[];
  readonly flags: F;
  readonly operand?: Operand;
  readonly run: (session: AdminSession, input: TypedInput<F>) => Promise<CommandResult>;
}

/** Defines a command that reads. */
export function defineQuery<F extends Flags>(parts: DefinitionParts<F>): CommandDefinition {
  return define(parts, false);
}

/** Defines a command that changes something. */
export function defineChange<F extends Flags>(parts: DefinitionParts<F>): CommandDefinition {
  return define(parts, true);
}

const OPERANDS_MAX = 100;

function define<F extends Flags>(parts: DefinitionParts<F>, isChange: boolean): CommandDefinition {
  const { path, details = [], operand, run, ...rest } = parts;
  const operands = operand === undefined ? null : { ...operand, min: 1, max: operand.isRepeated ? OPERANDS_MAX : 1 };
  return {
    ...rest,
    ...{ path: path.split(' '), details, operands, isChange },
    run: (session, input) => run(session, { ...input, values: input.values as FlagValues<F> }),
  };
}
