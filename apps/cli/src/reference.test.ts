import { expect, test } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadCommands } from '@pos/command-line/testing';
import { completeWords } from './command/application.js';
import { GROUP_BRIEFS } from './command/group-briefs.js';
import { CATALOG } from './commands/all-commands.js';
import { SCENARIOS } from './commands/trigger-command.js';
import { runWords } from './testing/command-environment.js';
import { renderReferencePage } from './testing/reference-page.js';

const COMMANDS = await loadCommands(CATALOG);
const PAGE = new URL('../../../docs/reference/pos-command.md', import.meta.url);

test('docs/reference/pos-command.md lists every command, its flags and examples', () => {
  const wanted = renderReferencePage(COMMANDS);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(PAGE, wanted);
  expect(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '').toBe(wanted);
});

test('--help lists the commands and the exit codes', async () => {
  const { exitCode, output } = await runWords(['--help']);
  expect(exitCode).toBe(0);
  expect(output).toMatchSnapshot();
  for (const group of Object.keys(GROUP_BRIEFS)) expect(output).toContain(`pos ${group} `);
});

test('--version is the release, and needs no network', async () => {
  expect(await runWords(['--version'])).toEqual({ exitCode: 0, output: '1.2.3\n', error: '' });
});

test.each(COMMANDS.map(({ path }) => path.join(' ')))('%s --help teaches with an example', async (command) => {
  const { exitCode, output, error } = await runWords([...command.split(' '), '--help']);
  expect([exitCode, error]).toEqual([0, '']);
  expect(output).toContain('Examples:');
  expect(output).toContain('--json');
});

/** Words after the examples that a shell would split. */
function splitShellWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
}

/** They need a file or nothing. */
const WITHOUT_SERVICE = ['webhooks verify', 'completion', '--body @'];
const examples = COMMANDS.flatMap((command) => command.examples);

test.each(examples.filter((example) => !WITHOUT_SERVICE.some((each) => example.includes(each))))(
  'the words of the example are accepted: pos %s',
  async (example) => {
    const { exitCode, error } = await runWords(splitShellWords(example));
    expect([exitCode, error]).toEqual([3, expect.stringContaining('no sandbox is running here: run npm start')]);
  },
);

test.each([
  [['tri'], ['trigger']],
  [
    ['trigger', 'sale-'],
    ['sale-signature', 'sale-declined', 'sale-canceled'],
  ],
  [
    ['deliveries', ''],
    ['list', 'replay'],
  ],
  [['api', 'readRef'], ['readRefund']],
  [['listen', '--forw'], ['--forward-to']],
  [['nothing-like-it'], []],
])('a shell completes %j to %j', async (words, wanted) => {
  expect(await completeWords(CATALOG, words)).toEqual(wanted);
});

test.each(['bash', 'zsh'])('the script for %s asks the command itself', async (shell) => {
  const { exitCode, output } = await runWords(['completion', shell]);
  expect([exitCode, output]).toEqual([0, expect.stringContaining('pos --complete')]);
});

test('every scenario says what it is and how it ends', () => {
  expect(Object.values(SCENARIOS).filter(({ brief, ends }) => brief === '' || ends === '')).toEqual([]);
});
