// The test runner: jest-circus, which jest runs by default, except that Node imports the bundle of the test file, as it
// imports programs in production (docs/decisions/0144). Jest's own runtime would load every module again for each file.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import { findBundle } from './bundle-folder.js';
import { setGlobals } from './globals.js';

const require = createRequire(import.meta.url);
/** Where circus keeps its listeners, which must not receive the events of the next test file. */
const LISTENERS = Symbol.for('EVENT_HANDLERS');
let runs = 0;

/** Runs a test file, by the interface of jest's `testRunner`. */
export default function runTestFile(globalConfig, config, environment, runtime, testPath, sendMessage) {
  // What circus asks of jest's runtime, answered by Node.
  Object.assign(runtime, {
    requireInternalModule: requireCircus,
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: async (file) => {
      setGlobals(runtime.requireModuleOrMock(file, '@jest/globals'));
      runs += 1;
      const module = file === testPath ? findBundle(config.rootDir, file) : file;
      // Node keeps what it has imported: a test file that runs again is another module.
      await import(`${pathToFileURL(module).href}?run=${runs}`);
    },
  });
  // The formatter of stacks asks for a map when a failure needs it.
  runtime.getSourceMaps().get = findSourceMap;
  return circus.default(globalConfig, config, environment, runtime, testPath, sendMessage);
}

/** The part of circus that has the state of a test file is loaded again; the modules that it uses are not. */
function requireCircus(file) {
  delete globalThis[LISTENERS];
  delete require.cache[file];
  return require(file);
}

/** The path of the source map of a module, as a stack names it. */
function findSourceMap(source) {
  const [place] = source.split('?');
  const map = `${place.startsWith('file:') ? fileURLToPath(place) : place}.map`;
  return existsSync(map) ? map : undefined;
}
