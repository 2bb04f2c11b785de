import { expect, jest, test } from '@jest/globals';
import { ESLint, Linter } from 'eslint';
import path from 'node:path';
import tseslint from 'typescript-eslint';
import { REPOSITORY } from './repository.js';

jest.setTimeout(30_000);

const FOUR = 'export function pay(a: number, b: number, c: number, d: number) { return a + b + c + d; }';
const INJECTED = 'export class Captures { constructor(a: A, b: B, c: C, d: D) { use(a, b, c, d); } }';

test.each([
  // file                                  says                                             refused by
  ['packages/store/src/bills.ts', 'await repository.save(row);', 'no-restricted-syntax'],
  ['apps/api/src/bills.ts', 'await repository.save(row);', 'no-restricted-syntax'],
  ['apps/api/src/bills.ts', "export const url = process.env['URL'];", 'no-restricted-syntax'],
  ['apps/api/src/bills.ts', 'export const url = process.env.URL;', 'no-restricted-syntax'],
  ['apps/api/src/bills.ts', "import { env } from 'node:process'; env.URL;", 'no-restricted-imports'],
  ['packages/payments/src/bills.ts', 'export const now = new Date();', 'no-restricted-syntax'],
  ['packages/core/src/bills.ts', 'export const now = Date.now();', 'no-restricted-syntax'],
  ['packages/store/src/bills.ts', 'export const chance = Math.random();', 'no-restricted-syntax'],
  ['packages/core/src/bills.ts', 'setTimeout(pay, 1);', 'no-restricted-globals'],
  ['packages/core/src/bills.ts', "import { randomBytes } from 'node:crypto'; randomBytes(1);", 'no-restricted-imports'],
  ['packages/core/src/bills.ts', 'export const bill = row as Bill;', '@typescript-eslint/consistent-type-assertions'],
  ['packages/core/src/bills.ts', 'export default 1;', 'no-restricted-syntax'],
  ['apps/api/src/main.ts', 'export default 1;', 'no-restricted-syntax'],
  ['packages/core/src/bills.ts', "export * from './money.js';", 'no-restricted-syntax'],
  ['packages/core/src/bills.ts', FOUR, 'no-restricted-syntax'],
  ['packages/core/src/bills.test.ts', FOUR, 'no-restricted-syntax'],
  ['packages/core/src/bills.ts', 'export const pay = (a: A, b: B, c: C, d: D) => a;', 'no-restricted-syntax'],
  ['apps/api/src/bills.ts', "console.log('paid');", 'no-console'],
  ['apps/api/src/bills.ts', 'export const bill = (row: any) => row;', '@typescript-eslint/no-explicit-any'],
])('%s may not say %s', async (file, says, rule) => {
  expect(await refusalsOf(file, says)).toContain(rule);
});

test.each([
  ['apps/api/src/main.ts', 'export const settings = process.env;'],
  ['packages/service-kit/src/config.ts', 'export const settings = process.env;'],
  ['packages/store/src/rows.test.ts', 'export const now = new Date();'],
  ['packages/store/src/jest-setup.ts', "export default function start() { process.env['X'] = '1'; }"],
  ['packages/core/src/bills.ts', 'export const noon = new Date(0);'],
  ['packages/core/src/bills.ts', "export const STATES = ['Paid'] as const;"],
  ['packages/service-kit/src/log.ts', 'export const now = new Date();'],
  ['packages/payments/src/captures.ts', INJECTED],
  [
    'packages/core/src/bills.test.ts',
    'test.each([])(title, (held, taken, asked, then) => pay(held, taken, asked, then));',
  ],
  ['tools/src/seed.ts', "console.log('ready');"],
])('%s may say %s', async (file, says) => {
  expect(await refusalsOf(file, says)).toEqual([]);
});

test.each([
  '@typescript-eslint/no-floating-promises',
  '@typescript-eslint/no-misused-promises',
  '@typescript-eslint/no-explicit-any',
  '@typescript-eslint/no-unsafe-argument',
  '@typescript-eslint/no-unsafe-assignment',
  '@typescript-eslint/no-unsafe-call',
  '@typescript-eslint/no-unsafe-member-access',
  '@typescript-eslint/no-unsafe-return',
  '@typescript-eslint/switch-exhaustiveness-check',
])('%s is an error in sources and tests of every folder', async (rule) => {
  for (const file of [
    'packages/core/src/a.ts',
    'packages/core/src/a.test.ts',
    'apps/api/src/main.ts',
    'tools/src/a.ts',
  ]) {
    expect(severityOf(await rulesOf(file), rule)).toBe(2);
  }
});

test('what the compiler refuses is an error, in tests too', async () => {
  const filePath = path.join(REPOSITORY, 'packages/core/src/timespan.test.ts');
  const [found] = await eslint.lintText("export const day: number = 'one';", { filePath });
  expect(found?.messages.map(({ ruleId, line, message }) => [ruleId, line, message])).toEqual([
    ['compiler/type-errors', 1, expect.stringMatching(/^TS2322: .*'string'.*'number'/)],
  ]);
});

/** The rules that need no types, exactly as the repository's configuration sets them for that file. */
async function refusalsOf(file: string, says: string): Promise<(string | null)[]> {
  const rules = Object.entries(await rulesOf(file)).filter(([name]) =>
    /^no-|consistent-type-assertions|no-explicit-any/.test(name),
  );
  const messages = new Linter({ cwd: REPOSITORY }).verify(
    says,
    [
      {
        files: ['**/*.ts'],
        languageOptions: { parser: tseslint.parser },
        plugins: { '@typescript-eslint': tseslint.plugin },
        rules: Object.fromEntries(rules),
      },
    ],
    { filename: file },
  );
  return messages.map((message) => message.ruleId);
}

const eslint = new ESLint({ cwd: REPOSITORY });

async function rulesOf(file: string): Promise<Linter.RulesRecord> {
  const config = (await eslint.calculateConfigForFile(path.join(REPOSITORY, file))) as { rules: Linter.RulesRecord };
  return config.rules;
}

function severityOf(rules: Linter.RulesRecord, rule: string): unknown {
  const entry = rules[rule];
  return Array.isArray(entry) ? entry[0] : entry;
}
