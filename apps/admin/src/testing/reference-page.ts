import { type BriefedCommand, type Flag, toKebab } from '@pos/command-line';
import { listAllFlags } from '../command/application.js';
import type { CommandDefinition } from '../command/command-definition.js';
import { EXIT_CODE_MEANINGS } from '../command/exit-codes.js';

const HEAD = `# pos-admin: all commands

For operators. At its end you know every command of \`pos-admin\`, its flags and its exit codes. [First account](../operate/first-account.md) and [operator tasks](../operate/operator-tasks.md) show what they are used for.

This page is generated from the definitions in \`apps/admin/src/commands\`; \`pnpm golden --filter=@pos/admin\` rewrites it. \`pos-admin\` is \`node apps/admin/dist/main.js\`; its settings are in the environment ([configuration](configuration.md#admin)). \`pos-admin COMMAND --help\` prints the same.

Commands that change something need \`--reason\`, and are stored in the audit log with \`--actor\`, or with the login of the system. With \`--json\` the result is JSON on standard output, and a refusal is JSON on standard error. No command asks for input.
`;

/** The page docs/reference/admin-command.md. */
export function renderReferencePage(commands: readonly BriefedCommand<CommandDefinition>[]): string {
  const codes = Object.entries(EXIT_CODE_MEANINGS).map(([code, meaning]) => `| ${code} | ${meaning} |`);
  const exits = ['## Exit codes', '', '| code | meaning |', '|---|---|', ...codes, ''].join('\n');
  return [HEAD, exits, ...commands.map(renderCommand)].join('\n');
}

function renderCommand(command: BriefedCommand<CommandDefinition>): string {
  const { path, brief, details, examples, operands, isChange } = command;
  const rows =
    operands === null
      ? []
      : [`| \`${operands.placeholder}\` | ${operands.max > 1 ? 'one or more' : 'required'} | ${operands.brief} |`];
  const flags = Object.entries(listAllFlags(command)).map(([name, flag]) => renderFlag(name, flag));
  return [
    `## ${path.join(' ')}`,
    '',
    brief,
    '',
    ...details.flatMap((paragraph) => [renderParagraph(paragraph), '']),
    ...(isChange ? ['Changes something: stored in the audit log.', ''] : []),
    '| flag | | meaning |',
    '|---|---|---|',
    ...rows,
    ...flags,
    '',
    '```text',
    ...examples.map((example) => `pos-admin ${example}`),
    '```',
    '',
  ].join('\n');
}

/** Lines that are indented become a list. */
function renderParagraph(paragraph: string): string {
  return paragraph.replaceAll(/^ {2}(\S+): /gm, '- `$1`: ').replace(':\n- ', ':\n\n- ');
}

function renderFlag(name: string, { placeholder, isRequired, standard, brief }: Flag<unknown>): string {
  const value = placeholder === null ? '' : ` ${placeholder.replaceAll('|', '\\|')}`;
  const optionality = isRequired ? 'required' : standard === undefined ? '' : `default \`${standard}\``;
  return `| \`--${toKebab(name)}${value}\` | ${optionality} | ${brief} |`;
}
