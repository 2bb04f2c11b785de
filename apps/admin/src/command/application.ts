import { type CommandCatalog, type CommandLine, type Flags, runWords, toggle } from '@pos/command-line';
import { RELEASE } from '@pos/store/migrations';
import type { CommandDefinition } from './command-definition.js';
import type { CommandProcess } from './command-execution.js';
import { GROUP_BRIEFS } from './command-groups.js';
import { EXIT_CODE_MEANINGS, EXIT_CODES } from './exit-codes.js';
import { optional, text } from './flags.js';

/** Runs the command with these words and returns its exit code. */
export async function runCommand(
  catalog: CommandCatalog<CommandDefinition>,
  words: readonly string[],
  process: CommandProcess,
): Promise<number> {
  const { writeOutput, writeError } = process;
  return runWords({ ...PROGRAM, catalog }, words, {
    ...{ writeOutput, writeError },
    execute: async (command, input) => {
      // Help, versions and wrong words need no database.
      const { executeCommand } = await import('./command-execution.js');
      return executeCommand(command, { ...input, flags: listAllFlags(command) }, process);
    },
  });
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

const PROGRAM: Omit<CommandLine<CommandDefinition>, 'catalog'> = {
  name: 'pos-admin',
  brief: 'Administers the service: accounts, terminals, keys, open money and the database.',
  details: [
    'Every change needs --reason, and is stored in the audit log with --actor (the login of the system when left out).',
    'Settings come from the environment: DATABASE_URL, KEY_PEPPER, ENCRYPTION_KEY (docs/reference/configuration.md).',
  ],
  ...{ groupBriefs: GROUP_BRIEFS, release: RELEASE, listFlags: listAllFlags },
  exitCodes: {
    done: EXIT_CODES.done,
    wrongUse: EXIT_CODES.wrongUse,
    defect: EXIT_CODES.defect,
    meanings: EXIT_CODE_MEANINGS,
  },
};
