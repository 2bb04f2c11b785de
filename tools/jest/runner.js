// The test runner: jest-circus, which jest runs by default, except that Node imports the test files, as it imports the
// programs in production (docs/decisions/0118). Jest's own runtime would load every module again for each test file.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';
import circus from 'jest-circus/runner';
import { setGlobals } from './globals.js';
import { isTypeScript, SWC_OPTIONS } from './typescript.js';

register('./hooks.js', import.meta.url);

const require = createRequire(import.meta.url);
const MAPS_FOLDER = fileURLToPath(new URL('../../node_modules/.cache/test-source-maps', import.meta.url));
/** Where circus keeps its listeners, which must not receive the events of the next test file. */
const LISTENERS = Symbol.for('EVENT_HANDLERS');
let runs = 0;

/** Runs a test file, by the interface of jest's `testRunner`. */
export default function runTestFile(globalConfig, config, environment, runtime, testPath, sendMessage) {
  const isWatching = globalConfig.watch || globalConfig.watchAll;
  // What circus asks of jest's runtime, answered by Node.
  Object.assign(runtime, {
    requireInternalModule: requireCircus,
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: async (file) => {
      setGlobals(runtime.requireModuleOrMock(file, '@jest/globals'));
      runs += 1;
      // Node keeps what it has imported. A watcher needs the changed sources, too: those are other modules each time.
      await import(`${pathToFileURL(file).href}?${isWatching ? 'variant=watched' : 'run='}${runs}`);
    },
  });
  // The formatter of stacks asks for a map when a failure needs it.
  runtime.getSourceMaps().get = (source) => (isTypeScript(source) ? writeSourceMap(source) : undefined);
  return circus.default(globalConfig, config, environment, runtime, testPath, sendMessage);
}

/** The part of circus that has the state of a test file is loaded again; the modules that it uses are not. */
function requireCircus(file) {
  delete globalThis[LISTENERS];
  delete require.cache[file];
  return require(file);
}

/** Returns the path of the source map. Kept for the next run: jest kills workers, which could not remove their own. */
function writeSourceMap(source) {
  const filename = source.startsWith('file:') ? fileURLToPath(source) : source;
  const code = readFileSync(filename, 'utf8');
  const place = path.join(MAPS_FOLDER, `${createHash('sha256').update(filename).update(code).digest('hex')}.json`);
  if (existsSync(place)) return place;
  const { map } = transformSync(code, { ...SWC_OPTIONS, filename, sourceMaps: true });
  mkdirSync(MAPS_FOLDER, { recursive: true });
  // Renamed when it is whole: the other worker may read it.
  writeFileSync(`${place}.${process.pid}`, map);
  renameSync(`${place}.${process.pid}`, place);
  return place;
}
