// The packages whose tests one run of jest plays together, each with the configuration of its own runs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import preset from '../../jest.config.base.js';

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
/** Names the folders of the packages, separated by commas; all of them where it is not set. */
export const PACKAGES_VARIABLE = 'TEST_PACKAGES';
/** Has the hash of the inputs of each package, by its folder; its report keeps it. */
export const HASHES_VARIABLE = 'TEST_HASHES';
/** What jest takes for a run only, and not for a package of it. */
const OF_RUN = ['preset', 'reporters', 'maxWorkers', 'testTimeout', 'workerIdleMemoryLimit'];

/** The configurations of the packages as jest's `projects`. */
export function listProjects() {
  const named = process.env[PACKAGES_VARIABLE]?.split(',');
  const folders = ['packages', 'apps'].flatMap((group) =>
    readdirSync(path.join(REPOSITORY, group)).map((name) => `${group}/${name}`),
  );
  return [...folders, 'tools'].filter((folder) => named?.includes(folder) ?? true).flatMap(readProject);
}

/** The configuration of a package's own runs: the preset, and the key of its package.json. */
function readProject(folder) {
  const rootDir = path.join(REPOSITORY, folder);
  const manifest = path.join(rootDir, 'package.json');
  const { jest } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {};
  if (jest === undefined) return [];
  const own = Object.fromEntries(Object.entries({ ...preset, ...jest }).filter(([name]) => !OF_RUN.includes(name)));
  return [{ testEnvironmentOptions: {}, ...own, rootDir, displayName: folder }];
}
