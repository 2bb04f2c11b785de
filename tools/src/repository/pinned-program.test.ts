import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from './repository.js';

/** Stands in for npm: installs a package whose program is the lock file, once as many processes as `PEERS` install. */
const NPM = `#!/bin/sh
[ -n "$FAILURE" ] && { echo "npm error code $FAILURE" >&2; echo 'npm error A complete log is elsewhere' >&2; exit 1; }
touch "$MEETING/$$"
while [ $(ls "$MEETING" | wc -l) -lt "$PEERS" ]; do sleep 0.05; done
mkdir -p node_modules/tool && cp package-lock.json node_modules/tool/program
`;
const SYSTEM = `${process.platform}-${process.arch}`;

let scratch: string;
let folder: string;

beforeEach(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'pinned-program-'));
  folder = path.join(scratch, 'tool');
  for (const each of ['bin', 'meeting', 'tool']) mkdirSync(path.join(scratch, each));
  writeFileSync(path.join(scratch, 'bin/npm'), NPM, { mode: 0o755 });
  pinVersion('1.0.0');
});
afterEach(() => {
  rmSync(scratch, { recursive: true, force: true });
});

function pinVersion(version: string): void {
  const dependencies = { tool: version };
  const packages = { '': { dependencies }, 'node_modules/tool': { version } };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ dependencies }));
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages }));
}

/** Fetches the program in a process of its own. Returns its answer: null, or the reason of a failure. */
async function fetchTool(env: Readonly<Record<string, string>> = {}, system = SYSTEM): Promise<string | null> {
  const script = `
    import { renameSync } from 'node:fs';
    import { fetchProgram } from ${JSON.stringify(path.join(REPOSITORY, 'tools/pinned-program.js'))};
    const unpack = (packages, target) => renameSync(packages + '/node_modules/tool/program', target + '/program');
    const folder = ${JSON.stringify(folder)};
    console.log(JSON.stringify(await fetchProgram({ folder, name: 'Tool', unpack, system: '${system}' })));
  `;
  const PATH = `${path.join(scratch, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH, MEETING: path.join(scratch, 'meeting'), PEERS: '1', ...env },
  });
  let output = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  await once(child, 'close');
  return JSON.parse(output) as string | null;
}

/** The versions that are there, and nothing that a fetch left behind. */
function listVersions(): string[] {
  const unpacked = path.join(folder, 'unpacked');
  return existsSync(unpacked) ? readdirSync(unpacked).sort() : [];
}

function readVersion(version: string): string {
  const lock = readFileSync(path.join(folder, 'unpacked', version, 'program'), 'utf8');
  return (JSON.parse(lock) as { packages: Record<string, { version: string }> }).packages['node_modules/tool']!.version;
}

test('a version is fetched once, and another one after the lock file changes', async () => {
  expect([await fetchTool(), listVersions()]).toEqual([null, ['1.0.0']]);
  expect([await fetchTool({ FAILURE: 'ENOTFOUND' }), listVersions()]).toEqual([null, ['1.0.0']]);
  pinVersion('1.1.0');
  expect([await fetchTool(), listVersions()]).toEqual([null, ['1.0.0', '1.1.0']]);
  expect([readVersion('1.0.0'), readVersion('1.1.0')]).toEqual(['1.0.0', '1.1.0']);
});

test('processes that fetch a version at once all have it', async () => {
  const answers = await Promise.all(Array.from({ length: 3 }, () => fetchTool({ PEERS: '3' })));
  expect([answers, listVersions()]).toEqual([[null, null, null], ['1.0.0']]);
});

test('a failure is one line of npm, and leaves nothing', async () => {
  expect(await fetchTool({ FAILURE: 'ENOTFOUND' })).toBe('Tool could not be fetched: npm error code ENOTFOUND');
  expect(listVersions()).toEqual([]);
});

test('on another system nothing is fetched', async () => {
  const reason = `the package registry has no Tool for ${process.platform} on ${process.arch}`;
  expect([await fetchTool({}, 'plan9-x64'), listVersions()]).toEqual([reason, []]);
});
