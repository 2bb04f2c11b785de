import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '../repository.js';

/** Builds what is out of date, and tells what turbo and the compiler said. */
export function rebuild(signal: AbortSignal): Promise<{ readonly isFine: boolean; readonly said: string }> {
  const words = [
    'run',
    'build',
    '--filter=./packages/*',
    '--filter=./apps/*',
    '--ui=stream',
    '--output-logs=errors-only',
  ];
  const PATH = `${path.join(REPOSITORY, 'node_modules/.bin')}${path.delimiter}${process.env['PATH'] ?? ''}`;
  const child = spawn('turbo', words, {
    cwd: REPOSITORY,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    signal,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ isFine: false, said: error.message }));
    child.once('close', (code) => resolve({ isFine: code === 0, said }));
  });
}

/** A word for everything an app's process would load: its own compiled files and those of the packages it names. */
export async function loadedBy(folder: string): Promise<string> {
  const folders = await withDependencies(folder);
  const hash = createHash('sha256');
  for (const each of [...folders].sort()) {
    for (const made of ['dist', 'migrations']) {
      const files = await readdir(path.join(each, made), { recursive: true, withFileTypes: true }).catch(() => []);
      const names = files.filter(
        (file) => file.isFile() && /\.(js|sql)$/.test(file.name) && !file.name.endsWith('.test.js'),
      );
      for (const file of names.map(({ parentPath, name }) => path.join(parentPath, name)).sort()) {
        hash.update(file).update(await readFile(file));
      }
    }
  }
  return hash.digest('hex');
}

async function withDependencies(folder: string): Promise<Set<string>> {
  const known = new Set<string>();
  const open = [path.join(REPOSITORY, folder)];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (known.has(each)) continue;
    known.add(each);
    const manifest = JSON.parse(await readFile(path.join(each, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    const names = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@pos/'));
    open.push(...names.map((name) => path.join(REPOSITORY, 'packages', name.slice('@pos/'.length))));
  }
  return known;
}
