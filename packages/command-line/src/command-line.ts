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
import {
  type BriefedCommand,
  type CommandCatalog,
  type CommandShape,
  listCommands,
  type ListedCommand,
} from './command-catalog.js';
import type { Flag, Flags } from './command-flags.js';

/** A program of commands (ADR 0106). */
export interface CommandLine<D extends CommandShape> {
  /** What its users type. */
  readonly name: string;
  readonly brief: string;
  /** More lines for `--help`, after the brief. */
  readonly details: readonly string[];
  readonly groupBriefs: Readonly<Record<string, string>>;
  readonly release: string;
  readonly catalog: CommandCatalog<D>;
  readonly exitCodes: ExitCodes;
  /** The flags of a command, those that all commands have included. */
  readonly listFlags: (command: D) => Flags;
}

/** The exit codes that this package chooses, and what each code of the program means. */
export interface ExitCodes {
  readonly done: number;
  readonly wrongUse: number;
  readonly defect: number;
  readonly meanings: Readonly<Record<number, string>>;
}

/** What was written behind the command, parsed. */
export interface CommandInput {
  readonly values: Readonly<Record<string, unknown>>;
  readonly operands: readonly string[];
}

export interface OutputStreams {
  readonly writeOutput: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** Runs a command whose words were accepted, and returns its exit code. */
export type Execute<D extends CommandShape> = (command: BriefedCommand<D>, input: CommandInput) => Promise<number>;

/** Loads the command that the words name, runs it, and returns the exit code. Without a command it prints help. */
export async function runWords<D extends CommandShape>(
  commandLine: CommandLine<D>,
  words: readonly string[],
  { execute, ...streams }: OutputStreams & { readonly execute: Execute<D> },
): Promise<number> {
  const inherited = findInheritedFlag(words);
  if (inherited !== null) {
    streams.writeError(`No flag registered for ${inherited}\n`);
    return commandLine.exitCodes.wrongUse;
  }
  const finished: { exitCode: number | null } = { exitCode: null };
  const outcome: StreamsWithExitCode = {
    stdout: { write: streams.writeOutput },
    stderr: { write: streams.writeError },
  };
  const application = await buildProgram(commandLine, words, async (command, input) => {
    finished.exitCode = await execute(command, input);
  });
  await run(application, [...words], { process: outcome });
  return finished.exitCode ?? toExitCode(outcome.exitCode, commandLine.exitCodes);
}

/** The library looks flags up in an object: it takes `--constructor` for one, and ends with a text of the runtime. */
function findInheritedFlag(words: readonly string[]): string | null {
  const end = words.indexOf('--');
  const flags = (end < 0 ? words : words.slice(0, end)).map((word) => /^--[^=]+/.exec(word)?.[0]);
  return flags.find((flag) => flag !== undefined && toCamelCase(flag.slice(2)) in Object.prototype) ?? null;
}

function toCamelCase(flag: string): string {
  return flag.replaceAll(/(?<=\w)-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** What the last of these words may be completed to. */
export async function listCompletions<D extends CommandShape>(
  commandLine: CommandLine<D>,
  words: readonly string[],
): Promise<readonly string[]> {
  const streams = { stdout: { write: () => undefined }, stderr: { write: () => undefined } };
  // The last word is not written to its end, so it names no command yet.
  const application = await buildProgram(commandLine, words.slice(0, -1), () => Promise.resolve());
  const proposed = await proposeCompletions(application, [...words], { process: streams });
  return proposed.map(({ completion }) => completion);
}

/** What the library writes to. */
interface StreamsWithExitCode {
  readonly stdout: { readonly write: (text: string) => void };
  readonly stderr: { readonly write: (text: string) => void };
  exitCode?: number | string | null;
}

type Start<D extends CommandShape> = (command: BriefedCommand<D>, input: CommandInput) => Promise<void>;

/** The library has codes of its own below zero for words that it does not accept. */
function toExitCode(code: number | string | null | undefined, { done, wrongUse, defect, meanings }: ExitCodes): number {
  if (code === StricliExitCode.InvalidArgument || code === StricliExitCode.UnknownCommand) return wrongUse;
  if (code === undefined || code === null) return done;
  return Object.hasOwn(meanings, code) ? Number(code) : defect;
}

async function buildProgram<D extends CommandShape>(
  commandLine: CommandLine<D>,
  words: readonly string[],
  start: Start<D>,
): Promise<Application<CommandContext>> {
  const { name, brief, details, release, catalog, exitCodes } = commandLine;
  const listed = listCommands(catalog);
  const named = await listed.find(({ path }) => path.every((word, index) => word === words[index]))?.load();
  const width = Math.max(...Object.keys(exitCodes.meanings).map((code) => code.length));
  const codes = Object.entries(exitCodes.meanings).map(([code, meaning]) => `  ${code.padEnd(width)}  ${meaning}`);
  const build = ({ path, brief: listedBrief }: ListedCommand<D>): Command<CommandContext> =>
    named !== undefined && named.path.join(' ') === path.join(' ')
      ? buildNamedCommand(commandLine, named, start)
      : buildListedCommand(listedBrief);
  const routes = buildRouteMap({
    routes: buildRoutes(listed, { build, groupBriefs: commandLine.groupBriefs, depth: 0 }),
    docs: { brief, fullDescription: [brief, '', ...details, '', 'Exit codes:', ...codes].join('\n') },
  });
  const configuration = {
    name,
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

interface RouteSettings<D extends CommandShape> {
  readonly build: (command: ListedCommand<D>) => Command<CommandContext>;
  readonly groupBriefs: Readonly<Record<string, string>>;
  readonly depth: number;
}

type Routes = Record<string, Command<CommandContext> | RouteMap<CommandContext>>;

function buildRoutes<D extends CommandShape>(
  commands: readonly ListedCommand<D>[],
  settings: RouteSettings<D>,
): Routes {
  const { build, groupBriefs, depth } = settings;
  const routes: Routes = {};
  for (const name of new Set(commands.map(({ path }) => path[depth] ?? ''))) {
    const group = commands.filter(({ path }) => path[depth] === name);
    const [single] = group;
    const isCommand = single !== undefined && single.path.length === depth + 1;
    routes[name] = isCommand
      ? build(single)
      : buildRouteMap({
          routes: buildRoutes(group, { ...settings, depth: depth + 1 }),
          docs: { brief: groupBriefs[name] ?? name },
        });
  }
  return routes;
}

/** A command that the words do not name: help and completion show its name and its brief. */
function buildListedCommand(brief: string): Command<CommandContext> {
  return buildCommand({ func: () => new Error('this command is not loaded'), parameters: {}, docs: { brief } });
}

function buildNamedCommand<D extends CommandShape>(
  { name, listFlags }: CommandLine<D>,
  command: BriefedCommand<D>,
  start: Start<D>,
): Command<CommandContext> {
  const { brief, details, examples, operands } = command;
  const flags = listFlags(command);
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
  const parameters = {
    flags: Object.fromEntries(Object.entries(flags).map(([flagName, flag]) => [flagName, toParameter(flag)])),
    ...(operands !== null && { positional }),
  };
  const paragraphs = [brief, ...details, ['Examples:', ...examples.map((each) => `  ${name} ${each}`)].join('\n')];
  return buildCommand<Record<string, unknown>, string[]>({
    func: (values, ...words) => start(command, { values: flattenRepeated(values, flags), operands: words }),
    // The library derives the type of the parameters from that of the function, which is generic here.
    parameters: parameters as never,
    docs: { brief, fullDescription: paragraphs.join('\n\n') },
  });
}

/** A repeated flag arrives as a list of lists of one. */
function flattenRepeated(values: Readonly<Record<string, unknown>>, flags: Flags): Readonly<Record<string, unknown>> {
  const read = Object.entries(values).map(([name, value]): [string, unknown] => [
    name,
    flags[name]?.isRepeated === true && Array.isArray(value) ? value.flat() : value,
  ]);
  return Object.fromEntries(read);
}

function toParameter({ brief, placeholder, isRequired, isRepeated, standard, choices, parse }: Flag<unknown>) {
  if (placeholder === null) return { kind: 'boolean', brief, default: false, withNegated: false };
  const optionality = standard === undefined ? { optional: !isRequired } : { default: standard };
  if (choices !== null) return { kind: 'enum', brief, values: choices, ...optionality };
  const repeated = isRepeated ? { variadic: true } : {};
  return { kind: 'parsed', brief, placeholder, parse: (value: string) => parse(value), ...optionality, ...repeated };
}
