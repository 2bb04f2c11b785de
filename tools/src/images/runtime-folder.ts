import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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
const OWN_SCOPE = '@pos';
/** The notes of pnpm about the machine that made the folder. */
const NOTE = /^(pnpm-lock\.yaml|pnpm-workspace\.yaml|lock\.yaml|\.modules\.yaml|\.pnpm-workspace-state.*\.json)$/;

const READABLE_FILE = 0o644;
const READABLE_FOLDER = 0o755;

/**
 * Makes the folder of files that an app needs at run time: its own, those of our packages and of the libraries.
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
      filter: (source) => isRuntimeFile(path.relative(deployed, source)),
    });
  } finally {
    rmSync(deployed, { recursive: true, force: true });
  }
  cpSync(HEALTH_CHECK, path.join(folder, path.basename(HEALTH_CHECK)));
  makeReadable(folder);
}

/** Whether a running app may need the file or folder; `file` is its path in the folder of the app. */
export function isRuntimeFile(file: string): boolean {
  const names = file.split(path.sep);
  const name = names.at(-1) ?? '';
  if (NOTE.test(name) || UNUSED_FILE.test(name)) return false;
  if (TEXT.test(name)) return LICENCE.test(name);
  const inPackages = names.slice(names.indexOf('node_modules') + 1);
  // Our packages have such folders too, and their files say what they contain: the documents of the API have examples.
  if (!names.includes('node_modules') || inPackages.includes(OWN_SCOPE)) return true;
  return !inPackages.some((each) => UNUSED_FOLDER.test(each));
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
