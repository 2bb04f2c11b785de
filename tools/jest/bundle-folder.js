// Where the bundles of a run are: each run has a folder of its own, so that two runs do not meet.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from './projects.js';

/** Names the folder to the workers of the run. */
const VARIABLE = 'TEST_BUNDLES';

/** Creates the folder of this run, and removes those of killed runs. */
export function createBundleFolder() {
  const runs = path.join(REPOSITORY, 'node_modules', '.cache', 'test-bundles');
  mkdirSync(runs, { recursive: true });
  for (const run of readdirSync(runs)) if (!isRunning(Number(run))) rmSync(path.join(runs, run), { recursive: true });
  process.env[VARIABLE] = path.join(runs, String(process.pid));
  return process.env[VARIABLE];
}

/** Removes the folder of this run. */
export function removeBundleFolder() {
  rmSync(process.env[VARIABLE], { recursive: true, force: true });
}

/** The bundle of a test file. */
export function findBundle(testFile) {
  return `${path.join(process.env[VARIABLE], getBundleName(testFile))}.js`;
}

/** The path of a test file's bundle in the folder, without its ending. */
export function getBundleName(testFile) {
  return path.relative(REPOSITORY, testFile).replace(/\.ts$/, '');
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
