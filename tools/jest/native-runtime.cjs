// A jest runtime that imports tests like Node does. Jest's own one loads all modules again for each test file, in a
// context of its own, which took more than a third of the processor time of a run (docs/decisions/0117).
const { register } = require('node:module');
const { pathToFileURL } = require('node:url');
const { default: Runtime } = require('jest-runtime');

register('./typescript-hooks.js', pathToFileURL(__filename));

let imports = 0;

module.exports = {
  __esModule: true,
  default: class NativeRuntime extends Runtime {
    unstable_shouldLoadAsEsm() {
      return true;
    }

    async unstable_importModule(from) {
      globalThis[Symbol.for('pos.jest.globals')] = this.requireModuleOrMock(from, '@jest/globals');
      imports += 1;
      await import(`${pathToFileURL(from).href}?run=${imports}`);
    }
  },
};
