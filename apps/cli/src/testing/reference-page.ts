import { type BriefedCommand, type Flag, toKebab } from '@pos/command-line';
import { COMMON_FLAGS } from '../command/application.js';
import type { CommandDefinition } from '../command/command-definition.js';
import { EXIT_CODE_MEANINGS } from '../command/exit-codes.js';

const HEAD = `# pos: all commands

For integrators. At its end you know every command of \`pos\`, its flags and its exit codes. [Use the command line](../integrate/command-line.md) shows what they are used for.

This page is generated from the definitions in \`apps/cli/src/commands\`; \`pnpm golden --filter=@pos/cli\` rewrites it. \`pos\` is \`node apps/cli/dist/main.js\`. \`pos COMMAND --help\` prints the same.

Beside a running \`npm start\` it needs no settings. \`POS_API_URL\` and \`POS_API_KEY\` choose another service; \`POS_SOFTWARE_HOUSE\` and \`POS_RESELLER\` are for card machines, and \`POS_CARD_VAULT_URL\` is for scenarios that pay by card. It calls that service and nothing else.
`;

/** The page docs/reference/pos-command.md. */
export function renderReferencePage(commands: readonly BriefedCommand<CommandDefinition>[]): string {
  const codes = Object.entries(EXIT_CODE_MEANINGS).map(([code, meaning]) => `| ${code} | ${meaning} |`);
  const exits = ['## Exit codes', '', '| code | meaning |', '|---|---|', ...codes, ''].join('\n');
  const common = Object.entries(COMMON_FLAGS).map(([name, flag]) => renderFlag(name, flag));
  const flags = ['## Flags of every command', '', '| flag | | meaning |', '|---|---|---|', ...common, ''].join('\n');
  return [HEAD, exits, flags, ...commands.map(renderCommand)].join('\n');
}

function renderCommand({ path, brief, details, examples, operands, flags }: BriefedCommand<CommandDefinition>): string {
  const counted = operands?.min === 0 ? '' : 'required';
  const rows = [
    ...(operands === null ? [] : [`| \`${operands.placeholder}\` | ${counted} | ${operands.brief} |`]),
    ...Object.entries(flags).map(([name, flag]) => renderFlag(name, flag)),
  ];
  return [
    `## ${path.join(' ')}`,
    '',
    brief,
    '',
    ...details.flatMap((paragraph) => [renderParagraph(paragraph), '']),
    ...(rows.length === 0 ? [] : ['| flag | | meaning |', '|---|---|---|', ...rows, '']),
    '```text',
    ...examples.map((example) => `pos ${example}`),
    '```',
    '',
  ].join('\n');
}

/** Lines that are indented become a list. */
function renderParagraph(paragraph: string): string {
  return paragraph.replaceAll(/^ {2}(\S+) +(.*)$/gm, '- `$1`: $2').replace(':\n- ', ':\n\n- ');
}

function renderFlag(name: string, { placeholder, isRequired, isRepeated, brief }: Flag<unknown>): string {
  const value = placeholder === null ? '' : ` ${placeholder}`;
  const optionality = isRequired ? 'required' : isRepeated ? 'repeatable' : '';
  return `| \`--${toKebab(name)}${value}\` | ${optionality} | ${brief} |`;
}
