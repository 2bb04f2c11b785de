import { afterAll, expect, jest, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from './repository.js';
import { makeRepository, type Scripts, writeTo } from './repository-copy.js';

jest.setTimeout(60_000);

const roots: string[] = [];

afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

/** The scripts of a package. `tests` writes the files of our jest reporter, and exits like jest. */
const tests = (passed: number, failed: number): string =>
  `node -e "fs.mkdirSync('.turbo',{recursive:true});fs.writeFileSync('.turbo/jest.json','{\\"passed\\":${passed},\\"failed\\":${failed}}')" && exit ${failed === 0 ? 0 : 1}`;

test.each([
  ['all green', { core: { test: tests(7, 0) }, store: { test: tests(5, 0) } }, '12 passed, 0 failed', 0],
  [
    'one package has failing tests',
    { core: { test: tests(7, 2) }, store: { test: tests(5, 0) } },
    '12 passed, 2 failed',
    1,
  ],
  [
    'tests crash before their results are counted',
    { core: { test: 'exit 1' }, store: { test: tests(5, 0) } },
    '5 passed, 1 failed',
    1,
  ],
  [
    'lint fails, tests pass',
    { core: { test: tests(7, 0), lint: 'exit 1' }, store: { test: tests(5, 0) } },
    '12 passed, 1 failed',
    1,
  ],
  [
    'a build fails',
    { core: { test: tests(7, 0), build: 'exit 2' }, store: { test: tests(5, 0) } },
    '5 passed, 1 failed',
    1,
  ],
  [
    'turbo is stopped while tests run',
    { core: { test: 'kill -TERM $(ps -o ppid= -p $PPID) && sleep 10' } },
    '0 passed, 1 failed',
    1,
  ],
  [
    'a check other than jest passes',
    { core: { test: 'exit 0' }, store: { test: tests(5, 0) } },
    '5 passed, 0 failed',
    0,
  ],
])('%s', (_name, packages, lastLine, exitCode) => {
  const { printed, status } = verify(getRepository(packages));
  expect(printed.at(-1)).toBe(lastLine);
  expect(status).toBe(exitCode);
});

test('tests that a machine could not run are listed before the last line, of a cached run too', () => {
  const counts = JSON.stringify({ passed: 1, failed: 0, notShown: ['there is no browser'] });
  const leave = `fs.mkdirSync('.turbo',{recursive:true});fs.writeFileSync('.turbo/jest.json',${JSON.stringify(counts)})`;
  const root = getRepository({ core: { test: `node -e ${JSON.stringify(leave)}` }, store: { test: tests(2, 0) } });
  for (let run = 0; run < 2; run += 1) {
    expect(verify(root).printed.slice(-2)).toEqual(['not shown here: there is no browser', '3 passed, 0 failed']);
  }
});

test('each failed test is named with its file and its failure, no matter what was printed before', () => {
  const failures = [{ file: 'src/bill.test.ts', title: 'a bill is paid once', message: 'Expected: 1\nReceived: 2' }];
  const counts = JSON.stringify({ passed: 1, failed: 1, failures });
  const leave = `fs.mkdirSync('.turbo',{recursive:true});fs.writeFileSync('.turbo/jest.json',${JSON.stringify(counts)});process.exit(1)`;
  const root = getRepository({ core: { test: `node -e ${JSON.stringify(leave)}` } });
  const named = ['failed: @pos/core#test src/bill.test.ts: a bill is paid once', '    Expected: 1', '    Received: 2'];
  expect(verify(root).printed.join('\n')).toContain([...named, 'failed: @pos/core#test'].join('\n'));
});

test('long tests are left out by default, which is said before the last line', () => {
  const { printed } = verify(getLongRepository());
  expect(printed.filter((line) => line.startsWith('left out'))).toEqual([
    'left out: 2 files *.long.test.ts, which watch the edges; `pnpm test:all` runs them, too',
  ]);
  expect(printed.at(-1)).toBe('7 passed, 0 failed');
});

test('of everything, the long tests are run and counted, and a failed one fails the run', () => {
  const { printed, status } = verify(getLongRepository(), ['--all']);
  expect(printed.filter((line) => line.startsWith('left out'))).toEqual([]);
  expect([status, printed.at(-1)]).toEqual([1, '11 passed, 1 failed']);
  expect(printed).toContain('failed: @pos/core#test:long');
});

test('the longest parts of the run are printed with their seconds', () => {
  const root = getRepository({ core: { test: tests(7, 0) }, store: { test: `sleep 1.6 && ${tests(1, 0)}` } });
  const { printed } = verify(root);
  expect(printed.at(-2)).toMatch(/^longest parts of \d+ s: @pos\/store#test \d+ s/);
});

test('a cached run counts the same tests again', () => {
  const root = getRepository({ core: { test: tests(7, 0) } });
  expect(verify(root).printed.at(-1)).toBe('7 passed, 0 failed');
  rmSync(path.join(root, 'packages/core/.turbo'), { recursive: true });
  const second = verify(root);
  expect(second.printed.join('\n')).toContain('FULL TURBO');
  expect(second.printed.at(-1)).toBe('7 passed, 0 failed');
});

test('counts of an earlier run are not used for a run that crashed', () => {
  const root = getRepository({ core: { test: tests(7, 0) } });
  verify(root);
  writeTo(root, 'packages/core/package.json', { name: '@pos/core', scripts: { test: 'exit 1' } });
  const { printed, status } = verify(root);
  expect([status, printed.at(-1)]).toEqual([1, '0 passed, 1 failed']);
});

test('a badly formatted file fails the run', () => {
  const root = getRepository({ core: { test: tests(7, 0) } });
  writeFileSync(path.join(root, 'packages/core/bill.js'), 'const  bill=1');
  const { printed, status } = verify(root);
  expect([status, printed.at(-1)]).toEqual([1, '7 passed, 1 failed']);
});

function getRepository(packages: Scripts): string {
  const named = Object.entries(packages).map(([name, scripts]) => [`packages/${name}`, scripts] as const);
  const root = makeRepository(Object.fromEntries(named));
  roots.push(root);
  return root;
}

/** A package with two files of long tests, of which one test fails. */
function getLongRepository(): string {
  const long = tests(4, 1).replace('jest.json', 'jest-long.json');
  const root = getRepository({ core: { test: tests(7, 0), 'test:long': long } });
  for (const name of ['bill.long.test.ts', 'deep/tip.long.test.ts', 'bill.test.ts']) {
    writeTo(root, `packages/core/src/${name}`, {});
  }
  writeFileSync(path.join(root, '.oxfmtrc.json'), JSON.stringify({ ignorePatterns: ['*.json', '*.yaml', '*.ts'] }));
  return root;
}

function verify(root: string, words: readonly string[] = []): { printed: string[]; status: number | null } {
  const script = path.join(REPOSITORY, 'tools/verify.js');
  // The variables of the outer turbo must not reach the inner one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TURBO_')));
  const { stdout, stderr, status } = spawnSync('node', [script, ...words], {
    cwd: root,
    encoding: 'utf8',
    env,
    timeout: 50_000,
  });
  return { printed: `${stderr}${stdout}`.trim().split('\n'), status };
}
