import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from './repository.js';

/** Folders of packages with their scripts: `packages/core` → `{ test: 'exit 0' }`. */
export type Scripts = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Manifest {
  readonly version: string;
  readonly packageManager: string;
  readonly scripts: Readonly<Record<string, string>>;
}

/** The scripts and the package manager of the repository itself. */
export const MANIFEST = readJson('package.json') as Manifest;

/** A small repository with our tasks, and the packages of a test. Its path contains a space. */
export function makeRepository(packages: Scripts): string {
  const root = mkdtempSync(path.join(tmpdir(), 'small repository '));
  spawnSync('git', ['init', '--quiet'], { cwd: root });
  const { tasks } = readJson('turbo.json') as { tasks: Record<string, object> };
  const { tasks: ofTools } = readJson('tools/turbo.json') as { tasks: Record<string, object> };
  // They need packages that are not here.
  const dev = { ...ofTools['dev'], dependsOn: [] };
  const transpile = { ...ofTools['transpile'], dependsOn: [] };
  const { '//#lint:all': _, ...own } = tasks;
  writeTo(root, 'turbo.json', { tasks: { ...own, dev, transpile } });
  const { packageManager, scripts } = MANIFEST;
  writeTo(root, 'package.json', { name: 'small', private: true, type: 'module', packageManager, scripts });
  const folders = Object.keys(packages);
  // Its packages are linked and not installed, so pnpm has nothing to verify and nothing to install.
  const settings = ['pmOnFail: ignore', 'verifyDepsBeforeRun: false', ''];
  const yaml = ['packages:', ...folders.map((folder) => `  - ${folder}`), ...settings];
  writeTo(root, 'pnpm-workspace.yaml', yaml.join('\n'));
  const lock = [`lockfileVersion: '9.0'`, 'importers:', '  .: {}', ...folders.map((folder) => `  ${folder}: {}`)];
  writeTo(root, 'pnpm-lock.yaml', lock.join('\n'));
  writeTo(root, '.gitignore', 'node_modules\n.turbo\n');
  writeTo(root, '.oxfmtrc.json', { ignorePatterns: ['*.json', '*.yaml', 'tools'] });
  for (const [folder, own] of Object.entries(packages)) {
    writeTo(root, `${folder}/package.json`, { name: `@pos/${path.basename(folder)}`, type: 'module', scripts: own });
  }
  return root;
}

/**
 * Gives a repository our packages, like an install. Each is linked separately: through a link to the whole folder pnpm
 * would overwrite its record of our packages with that of the small repository, and reinstall ours while its tests run.
 */
export function linkPackages(root: string): void {
  const [installed, linked] = [REPOSITORY, root].map((each) => path.join(each, 'node_modules')) as [string, string];
  mkdirSync(path.join(linked, '.bin'), { recursive: true });
  const isPackage = (name: string): boolean => !name.startsWith('.');
  const programs = readdirSync(path.join(installed, '.bin')).map((name) => path.join('.bin', name));
  for (const name of [...readdirSync(installed).filter(isPackage), ...programs]) {
    symlinkSync(path.join(installed, name), path.join(linked, name));
  }
  copyFileSync(path.join(installed, '.modules.yaml'), path.join(linked, '.modules.yaml'));
}

/** Writes a file of a repository, and its folders: text unchanged, anything else as JSON. */
export function writeTo(root: string, file: string, content: string | object): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), typeof content === 'string' ? content : JSON.stringify(content));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(path.join(REPOSITORY, file), 'utf8').replace(/^\s*\/\/.*$/gm, ''));
}
