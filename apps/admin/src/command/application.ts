import {
  type Application,
  buildApplication,
  buildCommand,
  buildRouteMap,
  type Command,
  type CommandContext,
  ExitCode as StricliExitCode,
  help,
  type RouteMap,
  run,
  text_en as texts,
  version,
} from '@stricli/core';
import { RELEASE } from '@pos/store/migrations/release';
import { GROUP_BRIEFS } from './command-groups.js';
import { resolveActor } from './actor.js';
import { AdminSession, type SettingsReader } from './admin-session.js';
import type { CommandDefinition } from './command-definition.js';
import { EXIT_CODE_MEANINGS, EXIT_CODES, type ExitCode } from './exit-codes.js';
import { describeFailure, formatDetails } from './failure-messages.js';
import { type Flag, type Flags, optional, text, toggle } from './flags.js';

/** The streams and the environment of a run. */
export interface CommandProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readSettings: SettingsReader;
  readonly writeOutput: (text: string) => void;
  readonly writeError: (text: string) => void;
}

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
  const application = buildAdminApplication(commands, async (definition, written) => {
    finished.exitCode = await execute(definition, written, process);
  });
  await run(application, [...words], { process: outcome });
  return finished.exitCode ?? toExitCode(outcome.exitCode);
}

/** What the library writes to. */
interface StreamsWithExitCode {
  readonly stdout: { readonly write: (text: string) => void };
  readonly stderr: { readonly write: (text: string) => void };
  exitCode?: number | string | null;
}

interface WrittenInput {
  readonly values: Readonly<Record<string, unknown>>;
  readonly operands: readonly string[];
}

type Execute = (definition: CommandDefinition, written: WrittenInput) => Promise<void>;

/** The library has codes of its own below zero for words that it does not accept. */
function toExitCode(code: number | string | null | undefined): ExitCode {
  if (code === StricliExitCode.InvalidArgument || code === StricliExitCode.UnknownCommand) return EXIT_CODES.wrongUse;
  const known = Object.values(EXIT_CODES).find((each) => each === code);
  return code === undefined || code === null ? EXIT_CODES.done : (known ?? EXIT_CODES.defect);
}

function buildAdminApplication(
  commands: readonly CommandDefinition[],
  executeCommand: Execute,
): Application<CommandContext> {
  const root = buildRoutes(commands, executeCommand, 0);
  const exitCodes = Object.entries(EXIT_CODE_MEANINGS).map(([code, meaning]) => `  ${code}  ${meaning}`);
  const routes = buildRouteMap({
    routes: root,
    docs: {
      brief: 'Administers the service: accounts, terminals, keys, open money and the database.',
      fullDescription: [
        'Administers the service: accounts, terminals, keys, open money and the database.',
        '',
        'Every change needs --reason, and is stored in the audit log with --actor (the login of the system when left out).',
        'Settings come from the environment: DATABASE_URL, KEY_PEPPER, ENCRYPTION_KEY (docs/reference/configuration.md).',
        '',
        'Exit codes:',
        ...exitCodes,
      ].join('\n'),
    },
  });
  const configuration = {
    name: 'pos-admin',
    scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
    documentation: { disableAnsiColor: true },
    localization: { text: texts },
  } as const;
  return buildApplication(routes, configuration, {
    help: help({
      brief: 'Prints help and exits.',
      formatting: { useAliasInUsageLine: false, onlyRequiredInUsageLine: false, caseStyle: 'convert-camel-to-kebab' },
    }),
    version: version({ brief: 'Prints the release and exits.', info: { currentVersion: RELEASE } }),
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
      ? buildAdminCommand(single, executeCommand)
      : buildRouteMap({
          routes: buildRoutes(group, executeCommand, depth + 1),
          docs: { brief: GROUP_BRIEFS[name] ?? name },
        });
  }
  return routes;
}

/** The flags that every command has, and those of every change. */
export function listAllFlags({ flags, isChange }: Pick<CommandDefinition, 'flags' | 'isChange'>): Flags {
  return { ...flags, ...(isChange && CHANGE_FLAGS), json: JSON_FLAG, debug: DEBUG_FLAG };
}

const JSON_FLAG = toggle('Writes the result as JSON.');
const DEBUG_FLAG = toggle('Writes the details of an error: they may contain stored data.');
const CHANGE_FLAGS = {
  reason: text('Why, for the audit log.', 'text'),
  actor: optional(text('Who, for the audit log; the login of the system when left out.', 'name')),
} as const satisfies Flags;

function buildAdminCommand(definition: CommandDefinition, executeCommand: Execute): Command<CommandContext> {
  const { brief, details, examples, operand } = definition;
  const flags = listAllFlags(definition);
  const placeholder = operand?.placeholder ?? '';
  const positional = {
    kind: 'array',
    parameter: { brief: operand?.brief ?? '', placeholder, parse: String },
    minimum: operand === null ? 0 : 1,
    maximum: operand === null ? 0 : operand.isRepeated ? OPERANDS_MAX : 1,
  } as const;
  const parameters = {
    flags: Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, toParameter(flag)])),
    ...(operand !== null && { positional }),
  };
  const paragraphs = [brief, ...details, ['Examples:', ...examples.map((each) => `  pos-admin ${each}`)].join('\n')];
  return buildCommand<Record<string, unknown>, string[]>({
    func: (values, ...operands) => executeCommand(definition, { values, operands }),
    // The library derives the type of the parameters from that of the function, which is generic here.
    parameters: parameters as never,
    docs: { brief, fullDescription: paragraphs.join('\n\n') },
  });
}

const OPERANDS_MAX = 100;

function toParameter(flag: Flag<unknown>) {
  const { brief, placeholder, isRequired, standard, choices } = flag;
  if (placeholder === null) return { kind: 'boolean', brief, default: false, withNegated: false };
  const optionality = standard !== undefined ? { default: standard } : { optional: !isRequired };
  if (choices !== null) return { kind: 'enum', brief, values: choices, ...optionality };
  return { kind: 'parsed', brief, placeholder, parse: (value: string) => flag.parse(value), ...optionality };
}

/** Runs a command whose words were accepted, and writes its result or failure. */
async function execute(
  definition: CommandDefinition,
  { values, operands }: WrittenInput,
  { env, readSettings, writeOutput, writeError }: CommandProcess,
): Promise<ExitCode> {
  const { json, debug, ...own } = values;
  const { actor, reason } = values;
  const session = new AdminSession(env, readSettings, (line) => writeError(`${line}\n`));
  const change = {
    actor: resolveActor(definition.isChange && typeof actor === 'string' ? actor : undefined),
    reason: definition.isChange && typeof reason === 'string' ? reason : '',
  };
  try {
    const result = await definition.run(session, { values: own, operands, change });
    writeOutput(json === true ? `${JSON.stringify(result.data, null, 2)}\n` : toText(result.lines));
    return result.hasFindings === true ? EXIT_CODES.notDone : EXIT_CODES.done;
  } catch (error) {
    const { exitCode, lines, error: described, errorId = 'details' } = describeFailure(error, listAllFlags(definition));
    const command = definition.path.join(' ');
    const text = lines.map((line) => `${command}: ${line}\n`).join('');
    const details = debug === true ? formatDetails(error) : null;
    if (json === true)
      writeError(`${JSON.stringify({ error: described, ...(details !== null && { details }) }, null, 2)}\n`);
    else writeError(details === null ? text : `${text}${errorId}: ${details}\n`);
    return exitCode;
  } finally {
    await session.close();
  }
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
