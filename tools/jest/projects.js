// The packages whose tests one run of jest plays together, each with the configuration of its own runs.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
/** Names the folders of the packages, separated by commas; all of them where it is not set. */
export const PACKAGES_VARIABLE = 'TEST_PACKAGES';
/** Has the hash of the inputs of each package, by its folder; its report keeps it. */
export const HASHES_VARIABLE = 'TEST_HASHES';
/** What jest takes for a whole run only. */
const OF_RUN = ['reporters', 'maxWorkers', 'testTimeout', 'workerIdleMemoryLimit'];

/** The configurations of the packages as jest's `projects`. */
export async function listProjects() {
  const named = process.env[PACKAGES_VARIABLE]?.split(',');
  const folders = ['packages', 'apps'].flatMap((group) =>
    readdirSync(path.join(REPOSITORY, group)).map((name) => `${group}/${name}`),
  );
  const chosen = [...folders, 'tools'].filter(
    (folder) => existsSync(path.join(REPOSITORY, folder, 'jest.config.js')) && (named?.includes(folder) ?? true),
  );
  return Promise.all(chosen.map(readProject));
}

async function readProject(folder) {
  const rootDir = path.join(REPOSITORY, folder);
  const { default: config } = await import(pathToFileURL(path.join(rootDir, 'jest.config.js')).href);
  const own = Object.fromEntries(Object.entries(config).filter(([name]) => !OF_RUN.includes(name)));
  return { testEnvironmentOptions: {}, ...own, rootDir, displayName: folder };
}
