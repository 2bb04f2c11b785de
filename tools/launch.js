// The first step of `npm start` and `npm test`: installs what is missing, then runs one of our scripts. It prints each
// step before it starts. Plain JavaScript without packages, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const STILL_MS = 5_000;
const PARENT_POLL_MS = 500;
const root = fileURLToPath(new URL('..', import.meta.url));
const programs = path.join(root, 'node_modules/.bin');
const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const [what = 'start'] = process.argv.slice(2);

process.chdir(root);
// Turbo looks for the package manager on PATH. pnpm is one of our own packages, so it need not be installed globally.
process.env.PATH = `${programs}${path.delimiter}${process.env.PATH}`;
// The telemetry of Turborepo is off: sending it takes longer than a small run.
process.env.TURBO_TELEMETRY_DISABLED = '1';
endWithNpm();
const isInstalled = existsSync(path.join(root, 'node_modules/.modules.yaml'));
await step(isInstalled ? 'checking packages' : 'installing packages, which takes longest the first time', () =>
  // Before it runs a script, pnpm installs what is missing.
  run(...pnpm('--silent', 'run', 'installed')),
);
if (what === 'start') {
  const turbo = ['run', 'transpile', '--ui=stream', '--output-logs=errors-only'];
  await step('compiling', () => run('turbo', turbo));
  process.argv.splice(2, 1);
  await import(pathToFileURL(path.join(root, 'tools/dist/dev/start.js')).href);
} else {
  process.argv.splice(2, 1);
  await import(new URL('verify.js', import.meta.url).href);
}

/** Our own pnpm, which needs no network; npm fetches the same version where nothing is installed yet. */
function pnpm(...args) {
  const manifest = path.join(root, 'node_modules/pnpm/package.json');
  const installed = existsSync(manifest) ? `pnpm@${JSON.parse(readFileSync(manifest, 'utf8')).version}` : null;
  return installed === packageManager ? ['pnpm', args] : ['npx', ['--yes', packageManager, ...args]];
}

/**
 * Ends this process like SIGTERM when the npm that runs it is gone: a killed npm forwards no signal. A launcher that
 * was started by hand may outlive its shell.
 */
function endWithNpm() {
  const npm = process.ppid;
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_POLL_MS);
  timer.unref();
}

/** Prints when a step begins, while it runs and when it is done; ends the process when it fails. */
async function step(says, work) {
  const since = performance.now();
  const seconds = () => ((performance.now() - since) / 1000).toFixed(1);
  say(`${says} ...`);
  const timer = setInterval(() => say(`still ${says.replace(/,.*/, '')}, ${seconds()} s`), STILL_MS);
  const { code, output } = await work();
  clearInterval(timer);
  if (code === 0) return say(`${says.replace(/,.*/, '')}: done in ${seconds()} s`);
  process.stderr.write(
    `${output.trim()}\n\n  Could not finish ${says.replace(/,.*/, '')}; what went wrong is above.\n`,
  );
  process.exit(code ?? 1);
}

/** Runs a program without output, which is printed when it fails. A signal to us ends it and all its children. */
function run(program, args) {
  const isWindows = process.platform === 'win32';
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: isWindows,
    // Its own process group, so that a signal also reaches the children of turbo and pnpm.
    detached: !isWindows,
  });
  const stops = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => [signal, () => stop(child, signal)]);
  for (const [signal, listener] of stops) process.once(signal, listener);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk.toString()));
  return new Promise((resolve) => {
    const finish = (result) => {
      for (const [signal, listener] of stops) process.removeListener(signal, listener);
      resolve(result);
    };
    child.once('error', (error) => finish({ code: 1, output: error.message }));
    child.once('close', (code) => finish({ code, output }));
  });
}

function stop(child, signal) {
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
  process.exit(128 + { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal]);
}

function say(line) {
  process.stdout.write(`  ${line}\n`);
}
