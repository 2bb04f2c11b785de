import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { type Flags, toKebab } from '@pos/command-line';
import { Refusal, StartFailure, WrongSetting } from '@pos/core/refusals';
import { EXIT_CODES, type ExitCode } from './exit-codes.js';
import { WrongUse } from './flags.js';
import { findKnownFailure } from './known-failures.js';

/** A failed command: its exit code, and what is written for a reader and for `--json`. */
export interface CommandFailure {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
  /** Names an unexpected error in the message and in its details. */
  readonly errorId?: string;
  readonly error: { readonly code: string; readonly message: string; readonly members?: Refusal['members'] };
}

const NOT_AVAILABLE: ReadonlySet<string> = new Set(['service_unavailable', 'commit_unknown']);

/**
 * Describes an error in sentences of ours. Members of a refusal are named like the flags of the command. The text of any
 * other error is not shown: it may contain rows, statements or addresses. `formatDetails` has it, under the same id.
 */
export function describeFailure(error: unknown, flags: Flags): CommandFailure {
  if (error instanceof WrongUse) return { exitCode: EXIT_CODES.wrongUse, ...describe('wrong_use', error.message) };
  if (error instanceof WrongSetting) {
    return { exitCode: EXIT_CODES.wrongUse, ...describe('wrong_setting', error.message) };
  }
  if (error instanceof StartFailure) {
    return { exitCode: EXIT_CODES.notAvailable, ...describe('not_available', error.message) };
  }
  if (error instanceof Refusal) return describeRefusal(error, flags);
  const known = findKnownFailure(error);
  if (known !== null) return { exitCode: known.exitCode, ...describe(known.code, known.sentence) };
  const id = createErrorId();
  const sentence = `an unexpected error, ${id}: run the command again with --debug, and report what it writes`;
  return { exitCode: EXIT_CODES.defect, ...describe('defect', sentence), errorId: id };
}

/** The error with its stack and its causes, for `--debug`. */
export function formatDetails(error: unknown): string {
  return inspect(error, { depth: DETAILS_DEPTH, breakLength: 120 });
}

const DETAILS_DEPTH = 6;
const ERROR_ID_BYTES = 4;

function createErrorId(): string {
  return `err_${randomBytes(ERROR_ID_BYTES).toString('hex')}`;
}

function describeRefusal({ code, detail, members }: Refusal, flags: Flags): CommandFailure {
  const exitCode = NOT_AVAILABLE.has(code) ? EXIT_CODES.notAvailable : EXIT_CODES.notDone;
  const lines = Object.entries(members).flatMap(([member, messages]) =>
    messages.map((message) => `${nameMember(member, flags)} ${message}`),
  );
  const message = lines.length === 0 ? detail : lines.join('; ');
  return { exitCode, lines: lines.length === 0 ? [detail] : lines, error: { code, message, members } };
}

function describe(code: string, message: string): Pick<CommandFailure, 'lines' | 'error'> {
  return { lines: message.split('\n'), error: { code, message } };
}

function nameMember(member: string, flags: Flags): string {
  const isFlag = member in flags || member === 'actor' || member === 'reason';
  return isFlag ? `--${toKebab(member)}` : member;
}
