// `pnpm images` and the like: builds what changed, then runs a program of tools with the arguments. Without a program it
// only builds.
import { spawnSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [program, ...args] = process.argv.slice(2);
const turbo = ['run', 'build', '--ui=stream', '--output-logs=errors-only'];
const { status } = spawnSync('turbo', turbo, { stdio: 'inherit', shell: process.platform === 'win32' });
if (status !== 0) process.exit(status ?? 1);
if (program !== undefined) {
  const file = fileURLToPath(new URL(`dist/${program}.js`, import.meta.url));
  process.setSourceMapsEnabled(true);
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}
