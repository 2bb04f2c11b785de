import type { CommandInput } from '@pos/command-line';
import { escapeControls } from '@pos/core/refusals';
import { AnswerLog } from '../connection/answer-log.js';
import { openConnection } from '../connection/connection.js';
import { openProgress } from '../terminal/progress-bar.js';
import type { CommandDefinition, CommandRun } from './command-definition.js';
import { EXIT_CODES, type ExitCode } from './exit-codes.js';
import { describeFailure } from './failure-messages.js';

/** The streams, the folder and the environment of a run. */
export interface CommandProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly release: string;
  readonly stop: AbortSignal;
  readonly writeOutput: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Whether a person reads the error stream; the width of its lines then. */
  readonly terminalColumns: number | null;
}

/** Runs a command whose words were accepted, and writes its results or its failure. */
export async function executeCommand(
  definition: CommandDefinition,
  { values, operands }: CommandInput,
  { env, cwd, stop, terminalColumns, ...streams }: CommandProcess,
): Promise<ExitCode> {
  const { json, account, ...own } = values;
  const writeOutput = (text: string): void => streams.writeOutput(escapeControls(text));
  const writeError = (text: string): void => streams.writeError(escapeControls(text));
  const isJson = json === true;
  const answers = new AnswerLog();
  const context: CommandRun = {
    ...{ env, isJson, stop, isTerminal: terminalColumns !== null },
    connect: () => openConnection(env, { cwd, account: typeof account === 'string' ? account : undefined, answers }),
    report: (data, ...lines) => {
      requireMembers(data, lines);
      writeOutput(isJson ? `${JSON.stringify(data)}\n` : lines.map((line) => `${line}\n`).join(''));
    },
    showProgress: (label) =>
      openProgress(label, {
        writeError: streams.writeError,
        columns: isJson || env['CI'] === 'true' ? null : terminalColumns,
      }),
    remark: (line) => {
      if (!isJson) writeError(`${line}\n`);
    },
  };
  try {
    return (await definition.run(context, { values: own, operands })) ?? EXIT_CODES.done;
  } catch (error) {
    const { exitCode, lines, error: described } = describeFailure(error, answers.last);
    const command = definition.path.join(' ');
    const [first = '', ...more] = lines;
    const written = [`pos ${command}: ${first}`, ...more].map((line) => `${line}\n`).join('');
    writeError(isJson ? `${JSON.stringify({ error: described })}\n` : written);
    return exitCode;
  }
}

/** Answers are not checked member by member. A member that is missing would be printed as `undefined`. */
function requireMembers(data: unknown, lines: readonly string[]): void {
  const isMissing = lines.some((line) => MISSING.test(line)) && !MISSING.test(JSON.stringify(data ?? null));
  if (isMissing) throw new TypeError('the answer lacks a member');
}

const MISSING = /\bundefined\b/;
