// The environment of a test file is the process itself, so that tests and programs have the same globals.
import { AsyncLocalStorage } from 'node:async_hooks';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** In place of a context: jest compiles its own modules for it, and they become functions of the process. */
const PROCESS = {};

// Jest loads its own modules for each test file. The functions of a module serve all of them.
const { compileFunction } = vm;
const functions = new Map();
vm.compileFunction = function compileOnce(code, parameters, options) {
  if (options?.parsingContext !== PROCESS) return compileFunction(code, parameters, options);
  const { filename } = options;
  if (!functions.has(filename)) functions.set(filename, compileFunction(code, parameters, { filename }));
  return functions.get(filename);
};

// Before Node 24, a storage that was used once adds work to every promise of the process, also after its test file.
const storages = new Set();
const { _enable: enable } = AsyncLocalStorage.prototype;
if (enable !== undefined) {
  AsyncLocalStorage.prototype._enable = function enableAndRemember() {
    if (!this.enabled) storages.add(this);
    enable.call(this);
  };
}

export default class ProcessEnvironment extends TestEnvironment {
  #exit = process.exit;

  constructor(config, context) {
    super(config, context);
    const { projectConfig } = config;
    this.global = globalThis;
    const { constructor: FakeTimers } = this.fakeTimersModern;
    this.fakeTimersModern = new FakeTimers({ config: projectConfig, global: globalThis });
    const { constructor: ModuleMocker } = this.moduleMocker;
    this.moduleMocker = new ModuleMocker(globalThis);
  }

  getVmContext() {
    return PROCESS;
  }

  // Not that of jest, which removes the globals.
  async teardown() {
    this.fakeTimersModern.dispose();
    // Jest replaces it for each test file.
    process.exit = this.#exit;
    for (const storage of storages) storage.disable();
    storages.clear();
  }
}
