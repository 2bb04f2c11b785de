import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from './repository.js';

jest.setTimeout(120_000);

/** A tree with one package, with the real compiler options. */
let root = '';

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'transpile-'));
  const base = path.join(REPOSITORY, 'tsconfig.base.json');
  const folders = { rootDir: 'src', outDir: 'dist', tsBuildInfoFile: 'dist/.tsbuildinfo' };
  write('package.json', JSON.stringify({ type: 'module' }));
  write(
    'tsconfig.json',
    JSON.stringify({ extends: base, compilerOptions: { ...folders, types: [] }, include: ['src'] }),
  );
  write('src/bill.ts', getBill(1));
  write(
    'src/tip.ts',
    "import { type Bill, bill } from './bill.js';\nexport const tip: Bill = { total: bill.total / 8 };\n",
  );
  write('src/bill.test.ts', "import { bill } from './bill.js';\nif (bill.total < 0) throw new Error('owed');\n");
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

test('the transpiled files equal those of a build, without declarations and tests', () => {
  expect(transpile().status).toBe(0);
  const transpiled = contents();
  expect(Object.keys(transpiled)).toEqual(['bill.js', 'bill.js.map', 'tip.js', 'tip.js.map']);

  build();
  const built = contents();
  expect(built).toMatchObject(transpiled);
  expect(Object.keys(built)).toEqual(expect.arrayContaining(['bill.d.ts', 'bill.test.js', 'tip.d.ts']));
});

test('built files are not changed', () => {
  build();
  const built = contents();
  const before = statSync(path.join(root, 'packages/core/dist/bill.js')).mtimeMs;
  expect(transpile().status).toBe(0);
  expect(contents()).toEqual(built);
  expect(existsSync(path.join(root, 'packages/core/dist/.tsbuildinfo'))).toBe(true);
  expect(statSync(path.join(root, 'packages/core/dist/bill.js')).mtimeMs).toBe(before);
});

test('a source that is deleted and restored between two builds is compiled', () => {
  build();
  write('src/bill.ts', getBill(2));
  transpile();
  expect(contents()['bill.js']).toContain('total: 2');
  write('src/bill.ts', getBill(1));
  build();
  expect(contents()['bill.js']).toContain('total: 1');
});

test('an up-to-date file is not compiled again until its source or output is written', () => {
  transpile();
  const made = path.join(root, 'packages/core/dist/bill.js');
  const then = new Date('2026-01-01T00:00:00Z');
  utimesSync(made, then, then);
  transpile();
  const marked = readFileSync(made, 'utf8').replace('total: 1', 'total: 7');
  writeFileSync(made, marked);
  utimesSync(made, then, then);
  transpile();
  expect(contents()['bill.js']).toContain('total: 7');
  writeFileSync(made, marked);
  transpile();
  expect(contents()['bill.js']).toContain('total: 1');
  write('src/bill.ts', getBill(2));
  transpile();
  expect(contents()['bill.js']).toContain('total: 2');
});

test('named sources are compiled alone', () => {
  transpile();
  write('src/bill.ts', getBill(2));
  write('src/tip.ts', 'export const tip = 5;\n');
  transpile('packages/core/src/tip.ts');
  expect(contents()['bill.js']).toContain('total: 1');
  expect(contents()['tip.js']).toContain('tip = 5');
});

test('types are checked by the build only: code with type errors still runs', () => {
  write(
    'src/bill.ts',
    "export const bill = { total: 1 };\nexport type Bill = typeof bill;\nconst n: number = 'one';\nn;\n",
  );
  expect(transpile().status).toBe(0);
  expect(contents()['bill.js']).toContain('total: 1');
});

test('code that cannot run is reported', () => {
  write('src/bill.ts', 'export const bill = {\n');
  expect(transpile()).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^packages\/core\/src\/bill\.ts:\d+ /),
  });
  expect(existsSync(path.join(root, 'packages/core/dist/bill.js'))).toBe(false);
  expect(transpile().status).toBe(1);
});

function getBill(total: number): string {
  return `export interface Bill {\n  readonly total: number;\n}\nexport const bill: Bill = { total: ${total} };\n`;
}

function write(file: string, text: string): void {
  const target = path.join(root, 'packages/core', file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function transpile(...files: readonly string[]): { status: number | null; stderr: string } {
  const script = path.join(REPOSITORY, 'tools/transpile.js');
  return spawnSync(process.execPath, [script, root, ...files], { encoding: 'utf8' });
}

function build(): void {
  const { status, stdout } = spawnSync('tsc', { cwd: path.join(root, 'packages/core'), encoding: 'utf8' });
  expect(`${status ?? 'killed'} ${stdout}`).toBe('0 ');
}

/** The files in the dist folder of the package, by name. */
function contents(): Record<string, string> {
  const dist = path.join(root, 'packages/core/dist');
  const names = readdirSync(dist).filter((name) => !name.startsWith('.'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(dist, name), 'utf8')]));
}
