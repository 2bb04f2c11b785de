// A runtime of jest that has Node import the tests, as Node imports the programs in production. The runtime of jest
// loads every module again for each test file, in a context of its own: a quarter of the processor time of all tests
// (docs/decisions/0118). It is CommonJS, because jest requires it.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { register } = require('node:module');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { transformSync } = require('@swc/core');
const { default: JestRuntime } = require('jest-runtime');
const { isTypeScript, SWC_OPTIONS } = require('./typescript.cjs');

register('./hooks.js', pathToFileURL(__filename));

const MAPS_FOLDER = path.join(__dirname, '../../node_modules/.cache/test-source-maps');
let runs = 0;

class Runtime extends JestRuntime {
  #isWatching;

  constructor(...words) {
    super(...words);
    const { watch, watchAll } = words.at(-1);
    this.#isWatching = watch || watchAll;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(from) {
    const { setGlobals } = await import('./globals.js');
    setGlobals(this.requireModuleOrMock(from, '@jest/globals'));
    runs += 1;
    // Node keeps what it has imported. A watcher needs the changed sources, too, so those are other modules each time.
    await import(`${pathToFileURL(from).href}?${this.#isWatching ? 'variant=watched' : 'run='}${runs}`);
  }

  getSourceMaps() {
    return new SourceMaps();
  }
}

/** Where the source map of a file is, for the stacks of failures. It makes a map when a failure needs it. */
class SourceMaps extends Map {
  get(source) {
    if (isTypeScript(source) && !this.has(source)) this.set(source, writeSourceMap(source));
    return super.get(source);
  }
}

/** Kept for the next run: jest kills workers, which could not remove a folder of their own. */
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

module.exports = { __esModule: true, default: Runtime };
