// The tests of all packages in one run of jest: its workers keep the libraries and packages that they have compiled, and
// one database server serves all (docs/decisions/0150). A package whose inputs have passed before is not played again.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { HASHES_VARIABLE, PACKAGES_VARIABLE } from './projects.js';

/** The reports that the tasks of tests leave in a package. */
export const REPORTS = { test: 'jest.json', 'test:long': 'jest-long.json' };

/** Where a package has its report of a task. */
export function getReportFile(folder, task) {
  return path.join(folder, '.turbo', REPORTS[task]);
}

/** The report of a package; null where its tests never ran. */
export function readReport(folder, task) {
  const file = getReportFile(folder, task);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/**
 * Plays a task of tests in the packages where `isBuilt`, except in those whose last report has the same inputs and no
 * failure. `run` runs a program in the root and resolves with whether it succeeded. Resolves with the packages; one
 * without a report has failed.
 */
export async function playTests({ root, task, isBuilt, run }) {
  const isForced = process.env.TURBO_FORCE === 'true';
  const built = listTasks(root, task).filter(({ package: name }) => isBuilt(name));
  const packages = built.map(({ taskId, directory, hash }) => {
    const folder = path.join(root, directory);
    const report = readReport(folder, task);
    const isDone = !isForced && report?.hash === hash && report.failed === 0;
    if (!isDone) rmSync(getReportFile(folder, task), { force: true });
    return { taskId, directory, folder, hash, isDone };
  });
  const played = packages.filter(({ isDone }) => !isDone);
  console.log(`  ${task}: ${played.length} packages; ${packages.length - played.length} have passed as they are`);
  if (played.length === 0) return packages;
  const isFine = await run('jest', ['--passWithNoTests'], {
    ...(task === 'test:long' && { LONG: '1' }),
    [PACKAGES_VARIABLE]: played.map(({ directory }) => directory).join(','),
    [HASHES_VARIABLE]: JSON.stringify(Object.fromEntries(played.map(({ directory, hash }) => [directory, hash]))),
  });
  // What failed outside of a test, as a scan at the end, may be of any package.
  if (!isFine && played.every(({ folder }) => readReport(folder, task)?.failed === 0)) {
    for (const { folder } of played) rmSync(getReportFile(folder, task));
  }
  return packages;
}

/** The tasks of the packages with the hash of their inputs, as turbo computes it. */
function listTasks(root, task) {
  const words = ['run', task, '--dry=json'];
  const { stdout, status, stderr } = spawnSync('turbo', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: `${path.join(root, 'node_modules', '.bin')}${path.delimiter}${process.env.PATH}` },
  });
  if (status !== 0) throw new Error(`turbo cannot list the tests: ${stderr}`);
  const listed = JSON.parse(stdout.slice(stdout.indexOf('{')));
  const tasks = listed.tasks.filter((each) => each.task === task && each.command !== '<NONEXISTENT>');
  const other = tasks.find(({ command }) => !/^(LONG=1 )?jest\b/.test(command));
  if (other !== undefined) throw new Error(`${other.taskId} is no run of jest, which this run would leave out`);
  return tasks;
}
