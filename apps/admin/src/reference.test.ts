import { expect, test } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readConfig } from '@pos/service-kit/config';
import { runCommand } from './command/application.js';
import { loadCommands } from '@pos/command-line/testing';
import { CATALOG } from './commands/all-commands.js';
import { GROUP_BRIEFS } from './command/command-groups.js';
import { renderReferencePage } from './testing/reference-page.js';

const COMMANDS = await loadCommands(CATALOG);
const PAGE = new URL('../../../docs/reference/admin-command.md', import.meta.url);

test('docs/reference/admin-command.md lists every command, its flags and examples', () => {
  const wanted = renderReferencePage(COMMANDS);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(PAGE, wanted);
  expect(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '').toBe(wanted);
});

async function run(words: readonly string[]) {
  let [output, error] = ['', ''];
  const exitCode = await runCommand(CATALOG, words, {
    env: {},
    operatingSystem: { login: null, numbers: [] },
    readSettings: (schema) => readConfig(schema, {}),
    writeOutput: (text) => (output += text),
    writeError: (text) => (error += text),
  });
  return { exitCode, output, error };
}

test.each(COMMANDS.map(({ path }) => path.join(' ')))(
  '%s --help teaches, with an example, without any setting',
  async (command) => {
    const { exitCode, output, error } = await run([...command.split(' '), '--help']);
    expect([exitCode, error]).toEqual([0, '']);
    expect(output).toContain(`pos-admin ${command}`);
    expect(output).toContain('Examples:');
    expect(output).toContain('--json');
  },
);

test('--help lists all groups and the exit codes, and --version the release', async () => {
  const { exitCode, output } = await run(['--help']);
  expect(exitCode).toBe(0);
  for (const group of Object.keys(GROUP_BRIEFS)) expect(output).toContain(`pos-admin ${group} `);
  expect(output).toMatch(/ 3 {2}the database is not available/);
  expect(await run(['--version'])).toMatchObject({ exitCode: 0, output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

/** Words after the examples that a shell would split. */
function splitShellWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
}

const EXAMPLES = COMMANDS.flatMap(({ examples }) => examples);
test.each(EXAMPLES)('the example is accepted as far as its ids: %s', async (example) => {
  const words = splitShellWords(example).map((word) => (word === 'acc_...' ? `acc_${'x'.repeat(22)}` : word));
  // Without settings a command ends with 2 after its words were accepted, and names the settings.
  const { exitCode, error } = await run(words);
  expect(exitCode).toBe(2);
  expect(error).toContain('cannot start with these settings');
});
