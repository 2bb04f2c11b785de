import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from './repository.js';

jest.setTimeout(120_000);

const FOUR = 'export function pay(a: number, b: number, c: number, d: number) { return a + b + c + d; }';
const INJECTED =
  'export class Captures { constructor(a: number, b: number, c: number, d: number) { use(a, b, c, d); } pay() {} }';
const SYNTAX = 'pos(banned-syntax)';
const IMPORTS = 'eslint(no-restricted-imports)';
const PROMISE = 'declare function pay(): Promise<void>;';
const ANY = 'declare const row: any;';

const REFUSED: readonly (readonly [file: string, says: string, rule: string])[] = [
  ['packages/store/src', 'await repository.save(row);', SYNTAX],
  ['apps/api/src', 'await repository.save(row);', SYNTAX],
  ['apps/api/src', "export const url = process.env['URL'];", SYNTAX],
  ['apps/api/src', 'export const url = process.env.URL;', SYNTAX],
  ['apps/api/src', "import { env } from 'node:process'; env.URL;", IMPORTS],
  ['packages/payments/src', 'export const now = new Date();', SYNTAX],
  ['packages/payments/src', 'export const now = Date();', SYNTAX],
  ['packages/core/src', 'export const now = Date.now();', SYNTAX],
  ['packages/store/src', 'export const chance = Math.random();', SYNTAX],
  ['packages/postgres/src', 'export const chance = Math.random();', SYNTAX],
  ['packages/core/src', 'setTimeout(pay, 1);', 'eslint(no-restricted-globals)'],
  ['packages/core/src', "import { randomBytes } from 'node:crypto'; randomBytes(1);", IMPORTS],
  ['packages/core/src', 'export const bill = row as Bill;', 'typescript(consistent-type-assertions)'],
  ['packages/core/src', 'export default 1;', SYNTAX],
  ['apps/checkout/src/main.ts', 'export default 1;', SYNTAX],
  ['packages/core/src', "export * from './money.js';", SYNTAX],
  ['packages/core/src', FOUR, SYNTAX],
  ['packages/core/src/four.test.ts', FOUR, SYNTAX],
  ['packages/core/src', 'export const pay = (a: A, b: B, c: C, d: D) => a;', SYNTAX],
  ['apps/api/src', "console.log('paid');", 'eslint(no-console)'],
  ['apps/api/src', 'export const isPaid = (due: number) => due == 0;', 'eslint(eqeqeq)'],
  ['apps/api/src', '// oxlint-disable-next-line no-console\nexport const paid = 1;', 'unused directive'],
  // Rules that need types, in sources and in tests of every folder.
  ...['packages/core/src', 'packages/core/src/$.test.ts', 'apps/api/src', 'tools/src'].flatMap((file) =>
    (
      [
        [`${PROMISE} pay();`, 'typescript(no-floating-promises)'],
        [`${PROMISE} export const paid = [1].filter(async () => pay());`, 'typescript(no-misused-promises)'],
        ['export const bill = (row: any) => 1;', 'typescript(no-explicit-any)'],
        [`${ANY} Math.abs(row);`, 'typescript(no-unsafe-argument)'],
        [
          `${ANY} export const bill: unknown[] = [row].map((one) => { const held = one; return 1; });`,
          'typescript(no-unsafe-assignment)',
        ],
        [`${ANY} row();`, 'typescript(no-unsafe-call)'],
        [`${ANY} row.due;`, 'typescript(no-unsafe-member-access)'],
        [`${ANY} export const bill = (): number => row;`, 'typescript(no-unsafe-return)'],
        ["export const day: number = 'one';", 'typescript(TS2322)'],
        [
          "export function pay(a: 'Open' | 'Paid') { switch (a) { case 'Open': return 1; } return 2; }",
          'typescript(switch-exhaustiveness-check)',
        ],
      ] as const
    ).map(([says, rule]) => [file, says, rule] as const),
  ),
];

const ALLOWED: readonly (readonly [file: string, says: string])[] = [
  ['apps/api/src/main.ts', 'export const settings = process.env;'],
  ['packages/service-kit/src/config/config.ts', 'export const settings = process.env;'],
  ['packages/store/src/relations/row-mapping.test.ts', 'export const now = new Date();'],
  ['packages/store/src/testing/jest-setup.ts', "export default function start() { process.env['X'] = '1'; }"],
  ['packages/core/src', 'export const noon = new Date(0);'],
  ['packages/core/src', "export const STATES = ['Paid'] as const;"],
  ['packages/service-kit/src', 'export const now = new Date();'],
  ['packages/payments/src', `declare function use(...all: number[]): void; ${INJECTED}`],
  [
    'packages/core/src/bills.test.ts',
    'declare const pay: (...all: number[]) => number; export const row = (a: number, b: number, c: number, d: number) => pay(a, b, c, d);',
  ],
  ['tools/src', "console.log('ready');"],
];

/** One run of the linter for all rows: every row is a file in a tree like ours, with our configuration. */
const tree = mkdtempSync(path.join(tmpdir(), 'lint-'));
const rows = [...REFUSED, ...ALLOWED].map(([place, says], n) => ({ file: fileOf(place, n), says }));
const findings = new Map<string, string[]>();

beforeAll(async () => {
  for (const name of ['oxlint.config.js', 'tsconfig.base.json', 'package.json', 'tools/lint-bans.js']) {
    cpSync(path.join(REPOSITORY, name), path.join(tree, name));
  }
  symlinkSync(path.join(REPOSITORY, 'node_modules'), path.join(tree, 'node_modules'));
  for (const { file, says } of rows) {
    const folder = file.slice(0, file.indexOf('/src/'));
    mkdirSync(path.join(tree, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(tree, file), `${says}\nexport {};\n`);
    const base = path.relative(path.join(tree, folder), path.join(tree, 'tsconfig.base.json'));
    writeFileSync(path.join(tree, folder, 'tsconfig.json'), JSON.stringify({ extends: base, include: ['src'] }));
  }
  for (const { filename, code } of await lint()) findings.set(filename, [...(findings.get(filename) ?? []), code]);
});

afterAll(() => {
  rmSync(tree, { recursive: true, force: true });
});

test.each(REFUSED.map(([place, says, rule], n) => [place, says, rule, fileOf(place, n)] as const))(
  '%s may not say %s',
  (_place, _says, rule, file) => {
    expect(findings.get(file)).toContain(rule);
  },
);

test.each(ALLOWED.map(([place, says], n) => [place, says, fileOf(place, REFUSED.length + n)] as const))(
  '%s may say %s',
  (_place, _says, file) => {
    expect(findings.get(file) ?? []).toEqual([]);
  },
);

/** A folder gets a file with the name of the row; a name with `$`, too. */
function fileOf(place: string, row: number): string {
  if (place.includes('$')) return place.replace('$', `row-${row}`);
  return place.endsWith('.ts') ? place : `${place}/row-${row}.ts`;
}

async function lint(): Promise<{ filename: string; code: string }[]> {
  const program = path.join(REPOSITORY, 'node_modules', '.bin', 'oxlint');
  const words = ['-c', 'oxlint.config.js', '--format', 'json', 'packages', 'apps', 'tools'];
  const { stdout } = await promisify(execFile)(program, words, { cwd: tree, maxBuffer: 64 << 20 }).catch(
    (error: unknown) => error as { stdout: string },
  );
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { filename: string; code?: string; message: string }[];
  };
  return diagnostics.map(({ filename, code, message }) => ({
    filename,
    code: code ?? (message.startsWith('Unused') ? 'unused directive' : message),
  }));
}
