import { existsSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '../../repository/repository.js';
import { runQuietly } from './quiet-program.js';

/** Tests and files that only tests load. */
const OF_TESTS = /(\.test|[\\/]testing[\w-]*)\.(ts|js)$/;
/** Sources of a page, in the folder that its bundler reads. */
const OF_PAGES = /^(apps\/[^/]+)\/src\/(?:[^/]+\/)*page\//;
const GENERATE = ['run', 'generate', '--filter=@pos/grpc-contracts', '--ui=stream', '--output-logs=errors-only'];

export function isTestFile(file: string): boolean {
  return OF_TESTS.test(file);
}

/** Transpiles these sources without a type check. Returns invalid TypeScript as `file:line message`. */
export async function compile(
  files: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly isFine: boolean; readonly output: string }> {
  const isWire = files.some((file) => file.endsWith('.proto'));
  if (isWire) {
    const generated = await runQuietly({ program: 'turbo', words: GENERATE, signal });
    if (!generated.isFine) return generated;
  }
  // Only its generator can find the files that depend on a contract, so everything that is out of date is compiled.
  const sources = isWire ? [] : files.filter((file) => file.endsWith('.ts'));
  const words = [path.join(REPOSITORY, 'tools/transpile.js'), REPOSITORY, ...sources];
  if (isWire || sources.length > 0) {
    const transpiled = await runQuietly({ program: process.execPath, words, signal });
    if (!transpiled.isFine) return transpiled;
  }
  return bundlePages(files, signal);
}

/** Bundles the pages of browsers that the files belong to. */
async function bundlePages(
  files: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly isFine: boolean; readonly output: string }> {
  for (const folder of listBundledApps(files)) {
    const config = path.join(REPOSITORY, folder, 'vite.config.js');
    const words = [path.join(REPOSITORY, folder, 'node_modules/vite/bin/vite.js'), 'build', '--config', config];
    const bundled = await runQuietly({ program: process.execPath, words, signal });
    if (!bundled.isFine) return bundled;
  }
  return { isFine: true, output: '' };
}

/** The apps whose bundled page these files belong to: `apps/checkout`. */
export function listBundledApps(files: readonly string[]): string[] {
  const apps = files.flatMap((file) => {
    const [, app] = OF_PAGES.exec(path.relative(REPOSITORY, file).split(path.sep).join('/')) ?? [];
    return app === undefined || !existsSync(path.join(REPOSITORY, app, 'vite.config.js')) ? [] : [app];
  });
  return [...new Set(apps)];
}

/**
 * A fingerprint of all files that an app would load: its own compiled files and those of the packages it depends on.
 */
export async function listLoadedFiles(folder: string): Promise<string> {
  const folders = await addDependencies(folder);
  const hash = createHash('sha256');
  for (const each of [...folders].sort()) {
    for (const made of ['dist', 'migrations']) {
      const files = await readdir(path.join(each, made), { recursive: true, withFileTypes: true }).catch(() => []);
      const names = files.filter((file) => file.isFile() && /\.(js|css|html|sql)$/.test(file.name));
      const paths = names
        .map(({ parentPath, name }) => path.join(parentPath, name))
        .filter((file) => !isTestFile(file));
      for (const file of paths.sort()) hash.update(file).update(await readFile(file));
    }
  }
  return hash.digest('hex');
}

async function addDependencies(folder: string): Promise<Set<string>> {
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
