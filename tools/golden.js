// `pnpm golden` runs the tests again and rewrites each golden and snapshot that differs from the result of the code.
// With `--filter=@pos/rest-contracts` it rewrites those of that package alone. Plain JavaScript, because a golden may
// break the build of the tools.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const given = process.argv.slice(2).filter((word) => word !== '--');
const filters = given.length > 0 ? given : ['--filter=./packages/*', '--filter=./apps/*', '--filter=@pos/tools'];
const stranger = filters.find((word) => !word.startsWith('--filter='));
if (stranger !== undefined) {
  process.stderr.write(`${stranger} is no filter; say --filter=@pos/rest-contracts, or nothing for all packages.\n`);
  process.exit(2);
}

// Packages that this one does not need may be broken at the moment; the tests of the tools need all of them.
const needed = filters.some((word) => word.includes('tools')) ? [] : filters;
// Builds may come from the cache. Tests may not, or a golden that was reverted would stay.
const isBuilt = turbo(['run', 'build', ...needed, '--ui=stream', '--output-logs=errors-only']);
const isFine = isBuilt && turbo([...['run', 'test', '--only', '--force', '--env-mode=loose'], ...filters, '--', '-u']);
const rewritten = changedFiles();
process.stdout.write(
  rewritten === ''
    ? '\nNo file differs from the last commit.\n'
    : `\nWhat differs from the last commit:\n${rewritten}\n`,
);
process.exit(isFine ? 0 : 1);

/** The changed files according to git, to show which goldens were rewritten; empty outside a checkout. */
function changedFiles() {
  const { stdout } = spawnSync('git', ['status', '--short'], { encoding: 'utf8' });
  return (stdout ?? '').trimEnd();
}

function turbo(words) {
  const PATH = `${path.join(process.cwd(), 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, UPDATE_GOLDEN: '1' };
  return spawnSync('turbo', words, { stdio: 'inherit', env, shell: process.platform === 'win32' }).status === 0;
}
