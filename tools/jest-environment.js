// Runs each test file in node's environment, like jest, but does work only once that jest repeats for every file.
// Measured on the tests of the api: a third of the processor time of their process.
import { AsyncLocalStorage } from 'node:async_hooks';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { compileFunction, Script, SourceTextModule } = vm;
const DYNAMIC_IMPORT = /\bimport\s*\(/;

// jest compiles a library once per test file, in the context of the file. A script has no context, so the functions
// that the first file compiles serve the next ones.
const scripts = new Map();
vm.compileFunction = function compileOnce(code, parameters, options) {
  const { filename = '', parsingContext } = options ?? {};
  const isLibrary = filename.includes('/node_modules/') && parsingContext !== undefined;
  // The callback of a dynamic import belongs to one test file.
  if (!isLibrary || DYNAMIC_IMPORT.test(code)) return compileFunction(code, parameters, options);
  const script = scripts.get(filename) ?? new Script(`(function (${parameters.join(',')}) {${code}\n})`, { filename });
  scripts.set(filename, script);
  return script.runInContext(parsingContext);
};

const modules = new Map();
vm.SourceTextModule = class extends SourceTextModule {
  constructor(code, options = {}) {
    const known = modules.get(options.identifier);
    const isKnown = known?.code === code && !DYNAMIC_IMPORT.test(code);
    try {
      super(code, isKnown ? { ...options, cachedData: known.data } : options);
      if (isKnown) return;
    } catch (error) {
      // A test that sets a flag of V8 makes it refuse everything that was compiled before.
      if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
      super(code, options);
    }
    if (options.identifier !== undefined) modules.set(options.identifier, { code, data: this.createCachedData() });
  }
};

// Before Node 24, a storage that was used once adds work to every promise of the process, also after its test file.
const storages = new Set();
const { _enable: enable } = AsyncLocalStorage.prototype;
if (enable !== undefined) {
  AsyncLocalStorage.prototype._enable = function enableKnown() {
    if (!this.enabled) storages.add(this);
    enable.call(this);
  };
}

export default class extends TestEnvironment {
  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    await super.teardown();
  }
}
