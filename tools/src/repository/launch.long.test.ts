import { afterAll, afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listLivingProcesses, pollUntil } from '../dev/testing.js';
import { REPOSITORY } from './repository.js';
import { linkPackages, makeRepository, MANIFEST, writeTo } from './repository-copy.js';

jest.setTimeout(120_000);

/** A repository with the launcher and a world that only prints its arguments. Its path contains a space. */
let root = '';
let opened: ChildProcess[] = [];

beforeEach(() => {
  root = makeRepository({ tools: { transpile: 'exit 0', dev: DEV, test: LEAVES_COUNTS } });
  opened = [];
  for (const file of ['launch.js', 'verify.js'])
    cpSync(path.join(REPOSITORY, 'tools', file), path.join(root, 'tools', file));
  writeTo(root, 'tools/dist/dev/start.js', WORLD);
});

/** pnpm's record of the installed packages. */
const INSTALLED = path.join(REPOSITORY, 'node_modules/.pnpm-workspace-state-v1.json');
const installed = readFileSync(INSTALLED, 'utf8');
afterAll(() => {
  // A pnpm that finds another repository there reinstalls all packages, while tests in parallel use them.
  expect(readFileSync(INSTALLED, 'utf8')).toBe(installed);
});

afterEach(() => {
  for (const child of opened) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** Starts it like the tools of the repository do. */
const DEV = 'exec node dist/dev/start.js --types';
const LEAVES_COUNTS =
  'mkdir -p .turbo && node -e "fs.writeFileSync(\'.turbo/jest.json\', JSON.stringify({ passed: 3, failed: 0 }))"';
/** Ends like a world does: not at once, and only after a message. */
const WORLD = `
process.stdout.write(\`world \${process.pid} \${process.argv.slice(2).join(' ')}\\n\`);
if (process.env.WORLD === 'stays') {
  setInterval(() => undefined, 1000);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => setTimeout(() => { process.stdout.write('stopped\\n'); process.exit(0); }, 200));
  }
}
`;

test('it prints at once what it does, and that it is still running', async () => {
  program('npx', 'sleep 6');
  program('turbo', 'exit 0');
  const { lines } = await launch();
  expect(lines[0]?.text).toContain('installing packages, which takes longest the first time ...');
  // The speed of a busy machine is not known, but the first message comes before the install.
  expect(lines[0]?.ms).toBeLessThan(lines[1]?.ms ?? 0);
  expect(
    lines.map(({ text }) =>
      text
        .trim()
        .replace(/\d+\.\d s/g, 'n s')
        .replace(/world \d+/, 'world'),
    ),
  ).toEqual([
    'installing packages, which takes longest the first time ...',
    'still installing packages, n s',
    'installing packages: done in n s',
    'compiling ...',
    'compiling: done in n s',
    'world --types',
  ]);
});

test.each([
  ['npx', 'installing packages'],
  ['turbo', 'compiling'],
])('the output of %s is shown when it fails', async (name, title) => {
  program('npx', 'exit 0');
  program(name, 'echo "no space left"; exit 3');
  const { code, lines } = await launch();
  const output = lines.map(({ text }) => text).join('\n');
  expect(code).toBe(3);
  expect(output).toContain('no space left');
  expect(output).toContain(`Could not finish ${title}; what went wrong is above.`);
  expect(output).not.toContain('world');
});

test.each([
  ['the pinned pnpm, once installed, is used without npx', MANIFEST.packageManager, 0],
  ['another pnpm than the pinned one is not used', 'pnpm@9.0.0', 9],
])('%s', async (_, installed, code) => {
  writeTo(root, 'node_modules/pnpm/package.json', { version: installed.replace('pnpm@', '') });
  for (const [name, script] of [
    ['pnpm', 'exit 0'],
    ['npx', 'exit 9'],
    ['turbo', 'exit 0'],
  ] as const)
    program(name, script);
  expect((await launch()).code).toBe(code);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s in the middle of a step ends the step, too', async (signal) => {
  program('npx', 'echo $$ > step.pid; sleep 600');
  const child = open(process.execPath, [path.join(root, 'tools/launch.js'), 'start']);
  await pollUntil(() => existsSync(path.join(root, 'step.pid')), 'the step does not begin');
  const step = Number(spawnSync('cat', [path.join(root, 'step.pid')], { encoding: 'utf8' }).stdout);
  child.kill(signal);
  await ended(child);
  await pollUntil(() => listLivingProcesses([step]).length === 0, 'the step outlives the launcher');
});

// A machine with Node and npm only: turbo finds no pnpm on its PATH.
test('npm start and npm test need no pnpm, turbo or corepack on PATH', () => {
  linkPackages(root);
  const env = bareEnvironment();
  for (const absent of ['pnpm', 'turbo', 'corepack']) expect(readdirSync(env.PATH)).not.toContain(absent);
  const start = spawnSync('npm', ['start'], { cwd: root, env, encoding: 'utf8' });
  expect(`${start.stdout}${start.stderr}`).toMatch(/compiling: done in [\d.]+ s\nworld \d+/);
  for (let run = 0; run < 2; run += 1) {
    const verify = spawnSync('npm', ['test'], { cwd: root, env, encoding: 'utf8' });
    expect(`${verify.stdout}${verify.stderr}`).toContain('3 passed, 0 failed');
    expect(verify.status).toBe(0);
  }
});

test.each([
  ['SIGTERM to npm', 'npm start', 'SIGTERM', 1],
  ['SIGINT to npm, which a script started in the background', 'trap "" INT; npm start', 'SIGINT', 1],
  ['SIGKILL to npm', 'npm start', 'SIGKILL', 1],
  ['Ctrl-C, which goes to the whole group of npm start', 'npm start', 'SIGINT', -1],
  ['Ctrl-C on pnpm turbo dev', 'pnpm turbo dev', 'SIGINT', -1],
  ['SIGTERM to pnpm turbo dev', 'pnpm turbo dev', 'SIGTERM', 1],
] as const)('%s ends the world', async (_, command, signal, whole) => {
  linkPackages(root);
  const env = { ...bareEnvironment(), WORLD: 'stays', NPM_CONFIG_UPDATE_NOTIFIER: 'false' };
  const PATH = command.startsWith('pnpm') ? `${path.join(root, 'node_modules/.bin')}:${env.PATH}` : env.PATH;
  const child = open('sh', ['-c', command.replace(/(p?npm.*)$/, 'exec $1')], { env: { ...env, PATH }, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await pollUntil(() => /world \d+/.test(output), 'the world does not start');
  const world = Number(/world (\d+)/.exec(output)?.[1]);
  process.kill((child.pid ?? 0) * whole, signal);
  await pollUntil(() => listLivingProcesses([world]).length === 0, `the world outlives ${command}: ${output}`);
});

/** The environment of a machine that has only its system and Node. */
function bareEnvironment(): { readonly PATH: string; readonly HOME: string } {
  bareBin ??= makeBareBin();
  return { PATH: bareBin, HOME: path.join(root, 'home') };
}

/** The programs of the system and of Node in one folder, for all tests: there are more than a thousand. */
let bareBin: string | null = null;
afterAll(() => {
  if (bareBin !== null) rmSync(bareBin, { recursive: true, force: true });
});

function makeBareBin(): string {
  const bin = mkdtempSync(path.join(tmpdir(), 'bare bin '));
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter).filter((each) => existsSync(each))) {
    for (const name of readdirSync(folder)) {
      const target = path.join(folder, name);
      const isOurs = ['node', 'npm', 'npx'].includes(name);
      if (existsSync(path.join(bin, name)) || ['pnpm', 'pnpx', 'turbo', 'corepack'].includes(name)) continue;
      if (!isOurs && /node_modules|corepack/.test(getRealPath(target))) continue;
      symlinkSync(getRealPath(target), path.join(bin, name));
    }
  }
  return bin;
}

function getRealPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return readlinkSync(file);
  }
}

function program(name: string, script: string): void {
  writeTo(root, `node_modules/.bin/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(root, 'node_modules/.bin', name), 0o755);
}

function open(command: string, args: readonly string[], more: object = {}): ChildProcess {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...more });
  opened.push(child);
  return child;
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', resolve));
}

async function launch(): Promise<{ code: number | null; lines: { text: string; ms: number }[] }> {
  const since = performance.now();
  const child = open(process.execPath, [path.join(root, 'tools/launch.js'), 'start', '--types']);
  const lines: { text: string; ms: number }[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      const texts = chunk.toString().trimEnd().split('\n');
      lines.push(...texts.map((text) => ({ text, ms: performance.now() - since })));
    });
  }
  return { code: await ended(child), lines };
}
