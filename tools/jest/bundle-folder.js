// Where the bundles of a run are: each run has a folder of its own, so that two runs of one package do not meet.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Names the folder to the workers of the run. */
const VARIABLE = 'TEST_BUNDLES';

/** Creates the folder of this run in the package, whose dependencies are found from there, and removes those of killed runs. */
export function createBundleFolder(rootDir) {
  const runs = path.join(rootDir, 'node_modules', '.cache', 'test-bundles');
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
export function findBundle(rootDir, testFile) {
  return path.join(process.env[VARIABLE], path.relative(path.join(rootDir, 'src'), testFile).replace(/\.ts$/, '.js'));
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
