import type { AuditedChange } from '@pos/core/administration/audit-entry';
import type { AdminSession } from './admin-session.js';
import type { Flags, FlagValues } from './flags.js';

/** What a command returns: the data for `--json`, and the lines for a reader. */
export interface CommandResult {
  readonly data: unknown;
  readonly lines: readonly string[];
  /** A check has found something that needs a person. */
  readonly hasFindings?: boolean;
}

/** The words after the name of a command and its flags. */
export interface Operand {
  readonly placeholder: string;
  readonly brief: string;
  /** One word when false; otherwise one or more. */
  readonly isRepeated: boolean;
}

/** A command: what `--help` and the reference say, and what it does. */
export interface CommandDefinition {
  /** Its words after `pos-admin`: `['account', 'create']`. */
  readonly path: readonly string[];
  readonly brief: string;
  /** More sentences for `--help`, one paragraph each. */
  readonly details: readonly string[];
  /** What follows `pos-admin` in examples. */
  readonly examples: readonly string[];
  /** Whether it changes something: then it needs `--reason`, and is stored in the audit log. */
  readonly isChange: boolean;
  readonly flags: Flags;
  readonly operand: Operand | null;
  readonly run: (session: AdminSession, input: CommandInput) => Promise<CommandResult>;
}

/** What was written behind the command. */
export interface CommandInput {
  readonly values: Readonly<Record<string, unknown>>;
  readonly operands: readonly string[];
  /** Of a change: who and why. */
  readonly change: AuditedChange;
}

interface TypedInput<F extends Flags> extends Omit<CommandInput, 'values'> {
  readonly values: FlagValues<F>;
}

/** The parts of a definition; `flags` and `operand` may be left out. */
interface DefinitionParts<F extends Flags> extends Pick<CommandDefinition, 'brief' | 'examples'> {
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

function define<F extends Flags>(parts: DefinitionParts<F>, isChange: boolean): CommandDefinition {
  const { path, details = [], operand = null, run, ...rest } = parts;
  return {
    ...rest,
    ...{ path: path.split(' '), details, operand, isChange },
    run: (session, input) => run(session, { ...input, values: input.values as FlagValues<F> }),
  };
}
