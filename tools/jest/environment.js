// The environment of a test file is the process itself, so that tests and programs have the same globals.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { appendFileSync, readFileSync } from 'node:fs';
function kids() {
  const f = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return Number(f[13]) + Number(f[14]);
}

export default class ProcessEnvironment {
  #exit = process.exit;

  constructor({ projectConfig }, { testPath }) {
    this.m = { testPath, self: process.cpuUsage(), kids: kids(), at: Date.now() };
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
    const u = process.cpuUsage(this.m.self);
    appendFileSync(
      '/var/tmp/cpu.jsonl',
      JSON.stringify({
        f: this.m.testPath,
        self: (u.user + u.system) / 1e6,
        kids: (kids() - this.m.kids) / 100,
        wall: (Date.now() - this.m.at) / 1000,
        at: this.m.at,
        pid: process.pid,
      }) + '\n',
    );
    // Jest replaces it for each test file.
    process.exit = this.#exit;
  }
}
