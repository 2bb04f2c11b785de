// The environment of a test file is the process itself, so that tests and programs have the same globals.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

export default class ProcessEnvironment {
  #exit = process.exit;

  constructor({ projectConfig }) {
    this.global = globalThis;
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.moduleMocker = new ModuleMocker(globalThis);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }

  async setup() {
    // Nothing: the process has all of it.
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    // Jest replaces it for each test file.
    process.exit = this.#exit;
  }
}
