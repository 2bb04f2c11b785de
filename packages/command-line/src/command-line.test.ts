import { beforeEach, describe, expect, test } from '@jest/globals';
import { type CommandShape, loadCommands } from './command-catalog.js';
import { PLAIN_FLAG, toggle } from './command-flags.js';
import { type CommandInput, type CommandLine, listCompletions, runWords } from './command-line.js';

const loaded: string[] = [];
beforeEach(() => {
  loaded.length = 0;
});

function defineShape(words: string, parts: Partial<CommandShape> = {}): CommandShape {
  return { path: words.split(' '), details: [], examples: [words], flags: {}, operands: null, ...parts };
}

const size = {
  ...{ ...PLAIN_FLAG, brief: 'How large.', placeholder: 'size' },
  parse: (text: string): string => {
    if (text === 'huge') throw new Error('must not be huge');
    return text.toUpperCase();
  },
};

const PROGRAM: CommandLine<CommandShape> = {
  ...{ name: 'kitchen', brief: 'Cooks.', details: ['It needs a stove.'], release: '4.5.6' },
  groupBriefs: { bread: 'Bread of all kinds.' },
  exitCodes: { done: 0, wrongUse: 2, defect: 70, meanings: { 0: 'Done.', 2: 'Wrong words.', 4: 'Burnt.', 70: 'Bug.' } },
  listFlags: ({ flags }) => ({ ...flags, json: toggle('As JSON.') }),
  catalog: [
    {
      briefs: { 'bread bake': 'Bakes bread.', 'bread slice': 'Slices bread.' },
      load: async () => {
        loaded.push('bread');
        const operands = { placeholder: 'kind', brief: 'Which.', min: 1, max: 2, choices: ['rye', 'wheat'] };
        const flags = {
          ...{ size, slowFire: toggle('With a slow fire.') },
          seed: { ...size, isRepeated: true, parse: (text: string) => [text] },
          heat: { ...size, standard: 'warm', choices: ['warm', 'hot'] },
        };
        return Promise.resolve([defineShape('bread bake', { operands, flags }), defineShape('bread slice')]);
      },
    },
    {
      briefs: { soup: 'Cooks soup.', stew: 'Is in no file.' },
      load: async () => {
        loaded.push('soup');
        return Promise.resolve([defineShape('soup')]);
      },
    },
  ],
};

async function run(line: string, exitCode = 0) {
  let [output, error] = ['', ''];
  const executed: { readonly command: string; readonly input: CommandInput }[] = [];
  const code = await runWords(PROGRAM, line.split(' ').filter(Boolean), {
    writeOutput: (text) => (output += text),
    writeError: (text) => (error += text),
    execute: async (command, input) => {
      executed.push({ command: `${command.path.join(' ')}: ${command.brief}`, input });
      return Promise.resolve(exitCode);
    },
  });
  return { code, output, error, executed };
}

describe('files of commands', () => {
  test.each(['', '--help', '--version', 'bread', 'bread --help', 'sup', 'bread bak'])(
    'none is loaded for: kitchen %s',
    async (line) => {
      await run(line);
      expect(loaded).toEqual([]);
    },
  );

  test.each([
    ['soup', 'soup'],
    ['soup --help', 'soup'],
    ['bread slice', 'bread'],
    ['bread bake rye --help', 'bread'],
    ['bread bake --no-such-flag', 'bread'],
  ])('only that of the command is loaded for: kitchen %s', async (line, file) => {
    await run(line);
    expect(loaded).toEqual([file]);
  });

  test('a command that its file does not define is a defect, and not silence', async () => {
    await expect(run('stew')).rejects.toThrow('the file of stew does not define it');
    await expect(loadCommands(PROGRAM.catalog)).rejects.toThrow('the file of stew does not define it');
  });
});

test('flags are parsed, repeated ones are one list, and a missing one has its default', async () => {
  const { executed } = await run('bread bake rye wheat --size small --seed a --seed b --slow-fire');
  expect(executed).toEqual([
    {
      command: 'bread bake: Bakes bread.',
      input: {
        operands: ['rye', 'wheat'],
        values: { size: 'SMALL', seed: ['a', 'b'], slowFire: true, heat: 'warm', json: false },
      },
    },
  ]);
});

test.each([0, 2, 4, 70])('the exit code %i of a command is that of the program', async (exitCode) => {
  expect(await run('soup', exitCode)).toMatchObject({ code: exitCode });
});

test.each([
  ['tea', 'No command registered for `tea`'],
  ['sop', 'did you mean `soup`'],
  ['bread toast', 'No command registered for `toast`'],
  ['bread bake', 'Expected at least 1 argument'],
  ['bread bake a b c', 'Too many arguments'],
  ['bread bake rye --size', '--size'],
  ['bread bake rye --size huge', 'must not be huge'],
  ['bread bake rye --size a --size b', 'size'],
  ['bread bake rye --heat cold', 'cold'],
  ['bread bake rye --no-json', 'json'],
  ['bread bake rye --json=perhaps', 'perhaps'],
  ['soup cold', 'Too many arguments'],
  ['soup --size small', 'size'],
])('the words are refused with 2, and nothing is run: kitchen %s', async (line, says) => {
  const { code, error, executed } = await run(line);
  expect([code, executed, error]).toEqual([2, [], expect.stringContaining(says)]);
});

test('help shows briefs, details and every exit code', async () => {
  const { code, output } = await run('--help');
  expect(code).toBe(0);
  for (const each of ['Cooks soup.', 'Bread of all kinds.', 'It needs a stove.', '  4   Burnt.', '  70  Bug.']) {
    expect(output).toContain(each);
  }
  expect(await run('--version')).toMatchObject({ code: 0, output: '4.5.6\n' });
});

test.each([
  [['so'], ['soup']],
  [
    ['bread', ''],
    ['bake', 'slice'],
  ],
  [['bread', 'bake', 'r'], ['rye']],
  [['bread', 'bake', '--slo'], ['--slow-fire']],
  [['bread', 'bake', 'x'], []],
  [['nothing', ''], []],
])('a shell completes %j to %j', async (words, wanted) => {
  expect(await listCompletions(PROGRAM, words)).toEqual(wanted);
});

describe.each(Object.getOwnPropertyNames(Object.prototype))('the inherited name %s', (name) => {
  const kebab = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

  test.each([
    name,
    `--${name}`,
    `--${kebab}`,
    `--${name}=1`,
    `bread bake --${name} rye`,
    `bread bake rye --${kebab}=1`,
  ])('is neither a command nor a flag: %s', async (line) => {
    const { code, error, executed } = await run(line);
    expect([code, executed]).toEqual([2, []]);
    expect(error).toMatch(/^No (command|flag) registered for \S+$/m);
    expect(error).not.toMatch(/Object|undefined|native code| {4}at /);
  });
});
