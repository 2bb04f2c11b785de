// Where the tests find a browser: the named one, the system's, or the fetched one. Plain JavaScript without packages,
// because `npm test` calls it before the build.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { getProgramFolder } from '../pinned-program.js';

const SYSTEM_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The folder of a fetched browser: the program, fonts, and libraries for systems that lack them. */
const FETCHED_FOLDER = getProgramFolder(import.meta.dirname);
const FETCHED_CHROMIUM = path.join(FETCHED_FOLDER, 'chromium');

/**
 * The path of this machine's Chromium or Chrome; null when it has none. Throws when `CHROMIUM` names a file that does not
 * exist.
 */
export function findChromium({ CHROMIUM: named = '' }) {
  if (named === '') return [...SYSTEM_PLACES, FETCHED_CHROMIUM].find((place) => existsSync(place)) ?? null;
  if (existsSync(named)) return named;
  throw new Error(`CHROMIUM names ${named}, which does not exist`);
}

/**
 * The environment of a browser: a fetched one needs its own fonts, and its own libraries where the system lacks them.
 */
export function chromiumEnvironment(executable, env) {
  if (executable !== FETCHED_CHROMIUM) return env;
  const withFonts = { ...env, FONTCONFIG_FILE: path.join(FETCHED_FOLDER, 'fonts/fonts.conf') };
  const runs = spawnSync(executable, ['--version'], { env: withFonts, stdio: 'ignore' }).status === 0;
  return runs ? withFonts : { ...withFonts, LD_LIBRARY_PATH: path.join(FETCHED_FOLDER, 'al2023/lib') };
}
