import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';
import { listFolderEntries } from './folder-entries.js';

/** Programs for authors of adapters and for integrators, who run them from the repository. */
const PARTNER_PROGRAMS: ReadonlySet<string> = new Set([
  'acquirer-tester',
  'cli',
  'processor-simulator',
  'reference-acquirer-adapter',
]);

/** The apps with an image. */
export const IMAGE_APPS = readdirSync(path.join(REPOSITORY, 'apps'))
  .filter((app) => !PARTNER_PROGRAMS.has(app))
  .sort();

/** Those that end by themselves: their image is the target `command` of the Dockerfile. */
export const COMMAND_APPS: readonly string[] = ['admin'];

/** The health check of images, which is in every runtime folder. */
const HEALTH_CHECK = path.join(REPOSITORY, 'deploy/docker/health-check.js');

/** What only compilers, debuggers and tests read. Licences stay. */
const UNUSED_FILE = /\.(d\.[cm]?ts|[cm]?tsx?|map|tsbuildinfo|flow)$|\.(test|spec)\.[cm]?js$/;
const TEXT = /\.(md|markdown)$/i;
const LICENCE = /licen[cs]e|notice|copying/i;
const UNUSED_FOLDER = /^(\.bin|\.github|tests?|__tests__|benchmarks?|examples?)$/;
/** Libraries with machine code, which no bundle contains. */
const NATIVE_SCOPE = '@node-rs';
const CODE = /\.(c|m)?js$|\.json$/;
/** What a browser loads, by its folder in the app. */
const WEB_FOLDERS: ReadonlySet<string> = new Set(['card-fields', 'site', 'web']);
/** The notes of pnpm about the machine that made the folder. */
const NOTE = /^(pnpm-lock\.yaml|pnpm-workspace\.yaml|lock\.yaml|\.modules\.yaml|\.pnpm-workspace-state.*\.json)$/;

const READABLE_FILE = 0o644;
const READABLE_FOLDER = 0o755;

/**
 * Makes the folder of files that an app needs at run time: its bundle as `dist`, what browsers load, native libraries, and
 * the names, versions and licences of the others.
 * Every package must be built. The folder must not exist.
 */
export function makeRuntimeFolder(app: string, folder: string): void {
  if (!IMAGE_APPS.includes(app)) throw new Error(`there is no app ${app}; there are ${IMAGE_APPS.join(', ')}`);
  const deployed = `${folder}.deployed`;
  rmSync(deployed, { recursive: true, force: true });
  try {
    runPnpm(['--filter', readPackageName(app), 'deploy', '--prod', '--prefer-offline', deployed]);
    // A copy: the deployed files are links into the store of pnpm, whose modes must not change.
    cpSync(deployed, folder, {
      recursive: true,
      verbatimSymlinks: true,
      errorOnExist: true,
      force: false,
      filter: (source) => isDeployedFile(deployed, source),
    });
    // In its folder the bundle is the program of the app.
    const bundle = path.join(deployed, 'bundle');
    cpSync(bundle, path.join(folder, 'dist'), { recursive: true });
    removeEmptyFolders(path.join(folder, 'node_modules'));
  } finally {
    rmSync(deployed, { recursive: true, force: true });
  }
  cpSync(HEALTH_CHECK, path.join(folder, path.basename(HEALTH_CHECK)));
  makeReadable(folder);
}

/** Whether what `pnpm deploy` has made stays: what browsers load, native libraries, and the notes of the others. */
function isDeployedFile(deployed: string, source: string): boolean {
  const file = path.relative(deployed, source);
  const [first, second] = file.split(path.sep);
  if (first === 'bundle' || (first === 'dist' && second !== undefined && !WEB_FOLDERS.has(second))) return false;
  return lstatSync(source).isDirectory() || isRuntimeFile(file);
}

/**
 * Whether a running app may need the file, by its path in the folder of the app. The bundle has the code of libraries, so
 * their names, versions and licences are left of them; native ones are whole.
 */
export function isRuntimeFile(file: string): boolean {
  const names = file.split(path.sep);
  const name = names.at(-1) ?? '';
  if (NOTE.test(name) || UNUSED_FILE.test(name)) return false;
  if (TEXT.test(name)) return LICENCE.test(name);
  if (!names.includes('node_modules')) return true;
  const inPackage = names.slice(names.lastIndexOf('node_modules') + 1);
  if (inPackage.some((each) => UNUSED_FOLDER.test(each))) return false;
  return inPackage[0] === NATIVE_SCOPE || name === 'package.json' || (!CODE.test(name) && LICENCE.test(name));
}

function removeEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(path.join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

function readPackageName(app: string): string {
  const manifest = readFileSync(path.join(REPOSITORY, 'apps', app, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { readonly name: string }).name;
}

function runPnpm(words: readonly string[]): void {
  const pnpm = path.join(REPOSITORY, 'node_modules/.bin/pnpm');
  const { status, stdout, stderr, error } = spawnSync(pnpm, words, { cwd: REPOSITORY, encoding: 'utf8' });
  if (status !== 0) throw new Error(`pnpm ${words.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`);
}

/** Every user may read the folder, and only its owner may change it. */
function makeReadable(folder: string): void {
  chmodSync(folder, READABLE_FOLDER);
  for (const { place, entry } of listFolderEntries(folder)) {
    if (entry.isSymbolicLink()) continue;
    chmodSync(place, entry.isDirectory() ? READABLE_FOLDER : READABLE_FILE);
  }
}
