// What `npm start` and `npm test` run first: it installs what is missing, then hands over to a script of ours.
// Says what it does before it does it. Plain JavaScript without packages, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const STILL_MS = 5_000;
const root = fileURLToPath(new URL('..', import.meta.url));
const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const [what = 'start', ...words] = process.argv.slice(2);

process.chdir(root);
const isInstalled = existsSync(path.join(root, 'node_modules/.modules.yaml'));
await step(isInstalled ? 'checking packages' : 'installing packages, which takes longest the first time', () =>
  // Before it runs a script, pnpm installs what is missing.
  run('npx', ['--yes', packageManager, '--silent', 'run', 'installed']),
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

/** Tells a step when it begins, while it lasts and when it is done; ends the process when it fails. */
async function step(says, work) {
  const since = performance.now();
  const seconds = () => ((performance.now() - since) / 1000).toFixed(1);
  say(`${says} ...`);
  const timer = setInterval(() => say(`still ${says.replace(/,.*/, '')}, ${seconds()} s`), STILL_MS);
  const { code, said } = await work();
  clearInterval(timer);
  if (code === 0) return say(`${says.replace(/,.*/, '')}: done in ${seconds()} s`);
  process.stderr.write(`${said.trim()}\n\n  Could not finish ${says.replace(/,.*/, '')}; what went wrong is above.\n`);
  process.exit(code ?? 1);
}

/** Runs a program quietly: what it says is of interest when it fails. */
function run(program, args) {
  const PATH = `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`;
  const child = spawn(program, args, {
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk.toString()));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, said: error.message }));
    child.once('close', (code) => resolve({ code, said }));
  });
}

function say(line) {
  process.stdout.write(`  ${line}\n`);
}
