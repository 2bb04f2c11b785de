import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';
import { forgetWorld, buildOwnSettings, listProcesses, waitForReadyWorld, TestTerminal } from './testing.js';

const MINUTES = 60_000;
/** What a copy of the repository does not need, or has as a link. */
const NOT_COPIED = ['.git', '.data', 'node_modules', '.turbo'].map((name) => path.join(REPOSITORY, name));
const TITLES = 'packages/rest-contracts/src/operations/operations.ts';
const LIMITS = 'apps/api/src/request-checks/request-rate-limiter.ts';
const ASSERTIONS = 'packages/core/src/refusals/assert.ts';

let tree: string;
let settings: Record<string, string> & { DATA_DIR: string };
let terminal: TestTerminal;
let api: string;

// The test changes sources of a copy: other processes build and test those of the repository.
beforeAll(async () => {
  tree = mkdtempSync(path.join(tmpdir(), 'follow-'));
  cpSync(REPOSITORY, tree, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    filter: (file) => !NOT_COPIED.includes(file),
  });
  // The packages are linked, so an install in the copy would change those of the repository.
  const workspace = path.join(tree, 'pnpm-workspace.yaml');
  const wanted = readFileSync(workspace, 'utf8').replace('verifyDepsBeforeRun: install', 'verifyDepsBeforeRun: false');
  expect(wanted).toContain('verifyDepsBeforeRun: false');
  writeFileSync(workspace, wanted);
  symlinkSync(path.join(REPOSITORY, 'node_modules'), path.join(tree, 'node_modules'));
  settings = { ...(await buildOwnSettings()), WATCH: 'true', PROGRAMS: 'modules' };
  terminal = new TestTerminal('dev/start.js', settings, tree);
  const dev = await waitForReadyWorld(terminal, settings.DATA_DIR);
  api = dev.urls.api;
}, 3 * MINUTES);

afterAll(async () => {
  await terminal.end('SIGINT');
  await forgetWorld(settings.DATA_DIR);
  rmSync(tree, { recursive: true, force: true });
}, 2 * MINUTES);

test(
  'a saved file restarts the apps that load it, prints that, and restarts no others',
  async () => {
    const before = listProcesses(settings.DATA_DIR);
    change(LIMITS, (text) => `${text}\nexport const added = 1;\n`);
    await terminal.waitForOutput(
      /api changed: compiling\n.*api changed: restarting api\n.*api restarted \(\d+\.\d s\)/,
    );
    const after = listProcesses(settings.DATA_DIR);
    expect(after.filter((pid) => !before.includes(pid))).toHaveLength(1);

    change(TITLES, (text) => text.replace(/title: '[^']*'/, "title: 'Seen at once'"));
    await terminal.waitForOutput(/rest-contracts changed: api, .* restarted/);
    const document = (await (await fetch(`${api}/openapi.json`)).json()) as { info: { title: string } };
    expect(document.info.title).toBe('Seen at once');
  },
  2 * MINUTES,
);

test(
  'a syntax error is printed, and the apps keep running',
  async () => {
    const before = listProcesses(settings.DATA_DIR);
    const whole = change(LIMITS, (text) => `${text}\nconst broken: {\n`);
    await terminal.waitForOutput(
      new RegExp(`${escapeText(LIMITS)}:\\d+ .*expected\\.\n {2}Not compiled; the apps continue`),
    );
    expect(listProcesses(settings.DATA_DIR)).toEqual(before);
    expect((await fetch(`${api}/health/ready`)).status).toBe(200);
    change(LIMITS, () => whole);
    await terminal.waitForOutput(/Not compiled(.|\n)*api changed: no running app loads it/);
  },
  2 * MINUTES,
);

test(
  'a saved test restarts nothing',
  async () => {
    const before = listProcesses(settings.DATA_DIR);
    change('packages/core/src/money/money.test.ts', (text) => `${text}\n`);
    await terminal.waitForOutput(/core changed: tests only, nothing is restarted/);
    expect(listProcesses(settings.DATA_DIR)).toEqual(before);
  },
  MINUTES,
);

test(
  'an app that fails to start prints the reason, and starts when it is fixed',
  async () => {
    const whole = change(LIMITS, (text) => `${text}\nthrow new Error('no such luck');\n`);
    await terminal.waitForOutput(/api ended before it was ready(.|\n)*Error: no such luck/);
    change(LIMITS, () => whole);
    await terminal.waitForOutput(/no such luck(.|\n)*api restarted/);
    expect((await fetch(`${api}/health/ready`)).status).toBe(200);
  },
  2 * MINUTES,
);

test(
  'a type error is printed with file and line, and the saved file still runs',
  async () => {
    change(ASSERTIONS, (text) => `${text}\nexport const wrong: number = 'one';\n`);
    await terminal.waitForOutput(/core changed: api, .* restarted/);
    await terminal.waitForOutput(new RegExp(`type error: ${escapeText(ASSERTIONS)}:\\d+:\\d+ TS2322: .*'string'`));
    await terminal.waitForOutput(/types are not in order/);
  },
  4 * MINUTES,
);

const escapeText = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** Saves the file and returns its previous content. */
function change(name: string, by: (text: string) => string): string {
  const file = path.join(tree, name);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, by(text));
  return text;
}
