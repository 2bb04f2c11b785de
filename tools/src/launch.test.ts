import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from './repository.js';

jest.setTimeout(60_000);

/** A tree with the launcher, in which npx and turbo take as long as a test says. */
let root = '';

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'launch-'));
  write('package.json', '{ "type": "module", "packageManager": "pnpm@12.21.0" }');
  cpSync(path.join(REPOSITORY, 'tools/launch.js'), path.join(root, 'tools/launch.js'));
  write('tools/dist/dev/start.js', "console.log(`starting ${process.argv.slice(2).join(' ')}`);");
  program('turbo', 'exit 0');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('it says at once what it does, and that it still does it', async () => {
  program('npx', 'sleep 6');
  const { lines } = await launch();
  expect(lines[0]?.text).toContain('installing packages, which takes longest the first time ...');
  // How fast a busy machine is cannot be promised; that it speaks before the install can.
  expect(lines[0]?.ms).toBeLessThan(lines[1]?.ms ?? 0);
  expect(lines.map(({ text }) => text.trim().replaceAll(/\d+\.\d s/g, 'n s'))).toEqual([
    'installing packages, which takes longest the first time ...',
    'still installing packages, n s',
    'installing packages: done in n s',
    'compiling ...',
    'compiling: done in n s',
    'starting --types',
  ]);
});

test.each([
  ['npx', 'installing packages'],
  ['turbo', 'compiling'],
])('what %s said is shown when it fails', async (name, step) => {
  program('npx', 'exit 0');
  program(name, 'echo "no space left"; exit 3');
  const { code, lines } = await launch();
  const said = lines.map(({ text }) => text).join('\n');
  expect(code).toBe(3);
  expect(said).toContain('no space left');
  expect(said).toContain(`Could not finish ${step}; what went wrong is above.`);
  expect(said).not.toContain('starting');
});

function program(name: string, script: string): void {
  write(`node_modules/.bin/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(root, 'node_modules/.bin', name), 0o755);
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

async function launch(): Promise<{ code: number | null; lines: { text: string; ms: number }[] }> {
  const since = performance.now();
  const child = spawn(process.execPath, [path.join(root, 'tools/launch.js'), 'start', '--types']);
  const lines: { text: string; ms: number }[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      const texts = chunk.toString().trimEnd().split('\n');
      lines.push(...texts.map((text) => ({ text, ms: performance.now() - since })));
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, lines };
}
