import {
  type Application,
  buildApplication,
  buildCommand,
  buildRouteMap,
  type Command,
  type CommandContext,
  ExitCode as StricliExitCode,
  help,
  proposeCompletions,
  type RouteMap,
  run,
  text_en as texts,
  version,
} from '@stricli/core';
import { openConnection } from '../connection/connection.js';
import type { CommandDefinition, CommandInput, CommandRun } from './command-definition.js';
import { EXIT_CODE_MEANINGS, EXIT_CODES, type ExitCode } from './exit-codes.js';
import { describeFailure } from './failure-messages.js';
import { type Flag, type Flags, text, toggle } from './flags.js';
import { GROUP_BRIEFS } from './group-briefs.js';
import { escapeControls } from './printable-output.js';

/** The streams, the folder and the environment of a run. */
export interface CommandProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly release: string;
  readonly stop: AbortSignal;
  readonly writeOutput: (text: string) => void;
  readonly writeError: (text: string) => void;
}

const BRIEF = 'Works with the payments API: receives webhooks, plays payments, calls operations.';

/** The flags that every command has. */
export const COMMON_FLAGS = {
  account: text('The restaurant of npm start; the first one when left out.', 'name'),
  json: toggle('Writes results as JSON, one value a line.'),
} as const satisfies Flags;

/** Runs the command with these words and returns its exit code. */
export async function runCommand(
  commands: readonly CommandDefinition[],
  words: readonly string[],
  process: CommandProcess,
): Promise<ExitCode> {
  const finished: { exitCode: ExitCode | null } = { exitCode: null };
  const outcome: StreamsWithExitCode = {
    stdout: { write: process.writeOutput },
    stderr: { write: process.writeError },
  };
  const application = buildPosApplication(commands, process.release, async (definition, input) => {
    finished.exitCode = await execute(definition, input, process);
  });
  await run(application, [...words], { process: outcome });
  return finished.exitCode ?? toExitCode(outcome.exitCode);
}

/** What the last of these words may be completed to. */
export async function listCompletions(
  commands: readonly CommandDefinition[],
  words: readonly string[],
): Promise<readonly string[]> {
  const streams = { stdout: { write: () => undefined }, stderr: { write: () => undefined } };
  const application = buildPosApplication(commands, '', () => Promise.resolve());
  const proposed = await proposeCompletions(application, [...words], { process: streams });
  return proposed.map(({ completion }) => completion);
}

/** What the library writes to. */
interface StreamsWithExitCode {
  readonly stdout: { readonly write: (text: string) => void };
  readonly stderr: { readonly write: (text: string) => void };
  exitCode?: number | string | null;
}

type Execute = (definition: CommandDefinition, input: CommandInput) => Promise<void>;

/** The library has codes of its own below zero for words that it does not accept. */
function toExitCode(code: number | string | null | undefined): ExitCode {
  if (code === StricliExitCode.InvalidArgument || code === StricliExitCode.UnknownCommand) return EXIT_CODES.wrongUse;
  const known = Object.values(EXIT_CODES).find((each) => each === code);
  return code === undefined || code === null ? EXIT_CODES.done : (known ?? EXIT_CODES.defect);
}

function buildPosApplication(
  commands: readonly CommandDefinition[],
  release: string,
  executeCommand: Execute,
): Application<CommandContext> {
  const exitCodes = Object.entries(EXIT_CODE_MEANINGS).map(([code, meaning]) => `  ${code.padEnd(3)} ${meaning}`);
  const routes = buildRouteMap({
    routes: buildRoutes(commands, executeCommand, 0),
    docs: {
      brief: BRIEF,
      fullDescription: [
        BRIEF,
        '',
        'Beside a running npm start it needs no settings. For another service, set POS_API_URL and POS_API_KEY, and for',
        'card machines POS_SOFTWARE_HOUSE and POS_RESELLER. It calls that service and nothing else.',
        '',
        'Exit codes:',
        ...exitCodes,
      ].join('\n'),
    },
  });
  const configuration = {
    name: 'pos',
    scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
    documentation: { disableAnsiColor: true },
    localization: { text: texts },
  } as const;
  return buildApplication(routes, configuration, {
    help: help({
      brief: 'Prints help and exits.',
      formatting: { useAliasInUsageLine: false, onlyRequiredInUsageLine: true, caseStyle: 'convert-camel-to-kebab' },
    }),
    version: version({ brief: 'Prints the release and exits.', info: { currentVersion: release } }),
  });
}

type Routes = Record<string, Command<CommandContext> | RouteMap<CommandContext>>;

function buildRoutes(commands: readonly CommandDefinition[], executeCommand: Execute, depth: number): Routes {
  const routes: Routes = {};
  for (const name of new Set(commands.map(({ path }) => path[depth] ?? ''))) {
    const group = commands.filter(({ path }) => path[depth] === name);
    const [single] = group;
    const isCommand = single !== undefined && single.path.length === depth + 1;
    routes[name] = isCommand
      ? buildPosCommand(single, executeCommand)
      : buildRouteMap({
          routes: buildRoutes(group, executeCommand, depth + 1),
          docs: { brief: GROUP_BRIEFS[name] ?? name },
        });
  }
  return routes;
}

function buildPosCommand(definition: CommandDefinition, executeCommand: Execute): Command<CommandContext> {
  const { brief, details, examples, operands, flags } = definition;
  const choices = operands?.choices ?? [];
  const positional = {
    kind: 'array',
    parameter: {
      brief: operands?.brief ?? '',
      placeholder: operands?.placeholder ?? '',
      parse: String,
      proposeCompletions: (partial: string) => choices.filter((each) => each.startsWith(partial)),
    },
    minimum: operands?.min ?? 0,
    maximum: operands?.max ?? 0,
  } as const;
  const all = { ...flags, ...COMMON_FLAGS };
  const parameters = {
    flags: Object.fromEntries(Object.entries(all).map(([name, flag]) => [name, toParameter(flag)])),
    ...(operands !== null && { positional }),
  };
  const paragraphs = [brief, ...details, ['Examples:', ...examples.map((each) => `  pos ${each}`)].join('\n')];
  return buildCommand<Record<string, unknown>, string[]>({
    func: (values, ...words) => executeCommand(definition, { values: flatten(values), operands: words }),
    // The library derives the type of the parameters from that of the function, which is generic here.
    parameters: parameters as never,
    docs: { brief, fullDescription: paragraphs.join('\n\n') },
  });
}

/** A repeated flag arrives as a list of lists of one. */
function flatten(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const read = Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.flat() : value]);
  return Object.fromEntries(read) as Readonly<Record<string, unknown>>;
}

function toParameter({ brief, placeholder, isRequired, isRepeated, parse }: Flag<unknown>) {
  if (placeholder === null) return { kind: 'boolean', brief, default: false, withNegated: false };
  const repeated = isRepeated ? { variadic: true } : {};
  return {
    kind: 'parsed',
    brief,
    placeholder,
    optional: !isRequired,
    parse: (value: string) => parse(value),
    ...repeated,
  };
}

/** Runs a command whose words were accepted, and writes its results or its failure. */
async function execute(
  definition: CommandDefinition,
  { values, operands }: CommandInput,
  { env, cwd, stop, ...streams }: CommandProcess,
): Promise<ExitCode> {
  const { json, account, ...own } = values;
  const writeOutput = (text: string): void => streams.writeOutput(escapeControls(text));
  const writeError = (text: string): void => streams.writeError(escapeControls(text));
  const isJson = json === true;
  const context: CommandRun = {
    ...{ env, isJson, stop },
    connect: () => openConnection(env, cwd, typeof account === 'string' ? account : undefined),
    report: (data, ...lines) => {
      writeOutput(isJson ? `${JSON.stringify(data)}\n` : lines.map((line) => `${line}\n`).join(''));
    },
    remark: (line) => {
      if (!isJson) writeError(`${line}\n`);
    },
  };
  try {
    return (await definition.run(context, { values: own, operands })) ?? EXIT_CODES.done;
  } catch (error) {
    const { exitCode, lines, error: described } = describeFailure(error);
    const command = definition.path.join(' ');
    const [first = '', ...more] = lines;
    const written = [`pos ${command}: ${first}`, ...more].map((line) => `${line}\n`).join('');
    writeError(isJson ? `${JSON.stringify({ error: described })}\n` : written);
    return exitCode;
  }
}
