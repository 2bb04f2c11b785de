// A runtime of jest that has Node import the tests, as Node imports the programs in production. The runtime of jest
// loads every module again for each test file, in a context of its own: a quarter of the processor time of all tests
// (docs/decisions/0118). It is CommonJS, because jest requires it.
const { createHash } = require('node:crypto');
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { register } = require('node:module');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { transformSync } = require('@swc/core');
const { default: JestRuntime } = require('jest-runtime');
const { isTypeScript, SWC_OPTIONS } = require('./typescript.cjs');

register('./hooks.js', pathToFileURL(__filename));

let runs = 0;
/** Source maps of this process; null until a failure needs one. */
let mapsFolder = null;

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

function writeSourceMap(source) {
  mapsFolder ??= makeFolder();
  const filename = source.startsWith('file:') ? fileURLToPath(source) : source;
  const place = path.join(mapsFolder, `${createHash('sha256').update(filename).digest('hex')}.json`);
  const { map } = transformSync(readFileSync(filename, 'utf8'), { ...SWC_OPTIONS, filename, sourceMaps: true });
  writeFileSync(place, map);
  return place;
}

function makeFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'source-maps-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

module.exports = { __esModule: true, default: Runtime };
