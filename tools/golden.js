// `pnpm golden`: the tests again, each golden and snapshot that is not what the code makes is written anew. With
// `--filter=@pos/rest-contracts` those of that package alone. Plain JavaScript: a golden may stop a build of the tools.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const given = process.argv.slice(2).filter((word) => word !== '--');
const filters = given.length > 0 ? given : ['--filter=./packages/*', '--filter=./apps/*', '--filter=@pos/tools'];
const stranger = filters.find((word) => !word.startsWith('--filter='));
if (stranger !== undefined) {
  process.stderr.write(`${stranger} is no filter; say --filter=@pos/rest-contracts, or nothing for all packages.\n`);
  process.exit(2);
}

// What a package does not need may be broken meanwhile; the tools' tests look at everybody.
const needed = filters.some((word) => word.includes('tools')) ? [] : filters;
// The builds may come from the cache; the tests may not, or a golden that was put back would stay as it is.
const isBuilt = turbo(['run', 'build', ...needed, '--ui=stream', '--output-logs=errors-only']);
const isFine = isBuilt && turbo([...['run', 'test', '--only', '--force', '--env-mode=loose'], ...filters, '--', '-u']);
const rewritten = changedFiles();
process.stdout.write(
  rewritten === ''
    ? '\nNo file differs from the last commit.\n'
    : `\nWhat differs from the last commit:\n${rewritten}\n`,
);
process.exit(isFine ? 0 : 1);

/** What git sees as changed, so that nobody has to ask which golden it was; nothing outside a checkout. */
function changedFiles() {
  const { stdout } = spawnSync('git', ['status', '--short'], { encoding: 'utf8' });
  return (stdout ?? '').trimEnd();
}

function turbo(words) {
  const PATH = `${path.join(process.cwd(), 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, UPDATE_GOLDEN: '1' };
  return spawnSync('turbo', words, { stdio: 'inherit', env, shell: process.platform === 'win32' }).status === 0;
}
