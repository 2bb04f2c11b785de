import {
  type BriefedCommand,
  type CommandCatalog,
  type CommandLine,
  type Flags,
  listCompletions,
  runWords,
  toggle,
} from '@pos/command-line';
import type { CommandDefinition } from './command-definition.js';
import type { CommandProcess } from './command-execution.js';
import { EXIT_CODE_MEANINGS, EXIT_CODES } from './exit-codes.js';
import { text } from './flags.js';
import { GROUP_BRIEFS } from './group-briefs.js';

/** The flags that every command has. */
export const COMMON_FLAGS = {
  account: text('The restaurant of npm start; the first one when left out.', 'name'),
  json: toggle('Writes results as JSON, one value a line.'),
} as const satisfies Flags;

/** Runs the command with these words and returns its exit code. */
export async function runCommand(
  catalog: CommandCatalog<CommandDefinition>,
  words: readonly string[],
  process: CommandProcess,
): Promise<number> {
  const { writeOutput, writeError } = process;
  return runWords(describeProgram(catalog, process.release), words, {
    ...{ writeOutput, writeError },
    execute: async (command, input) => {
      // Help, versions and wrong words need none of it.
      const { executeCommand } = await import('./command-execution.js');
      return executeCommand(command, input, process);
    },
  });
}

/** What the last of these words may be completed to. */
export async function completeWords(
  catalog: CommandCatalog<CommandDefinition>,
  words: readonly string[],
): Promise<readonly string[]> {
  return listCompletions(describeProgram(catalog, ''), words);
}

function describeProgram(catalog: CommandCatalog<CommandDefinition>, release: string): CommandLine<CommandDefinition> {
  return {
    name: 'pos',
    brief: 'Works with the payments API: receives webhooks, plays payments, calls operations.',
    details: [
      'Beside a running npm start it needs no settings. For another service, set POS_API_URL and POS_API_KEY, and for',
      'card machines POS_SOFTWARE_HOUSE and POS_RESELLER. It calls that service and nothing else.',
    ],
    ...{ groupBriefs: GROUP_BRIEFS, release, catalog },
    exitCodes: { ...EXIT_CODES, meanings: EXIT_CODE_MEANINGS },
    listFlags: ({ flags }: Pick<BriefedCommand<CommandDefinition>, 'flags'>) => ({ ...flags, ...COMMON_FLAGS }),
  };
}
