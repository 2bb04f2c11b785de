// A jest reporter: leaves the counts of a package's tests where turbo caches them, so that a cached run still counts, and
// what its machine could not show: the titles that begin with NOT RUN.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export default class JestSummary {
  #rootDir;

  constructor(globalConfig) {
    this.#rootDir = globalConfig.rootDir;
  }

  onRunComplete(_contexts, results) {
    // Part of the tests run by hand must not stand for all of them.
    if (process.env.TURBO_HASH === undefined) return;
    const file = path.join(this.#rootDir, '.turbo', 'jest.json');
    mkdirSync(path.dirname(file), { recursive: true });
    // A file that could not even be loaded has no failed test in it, yet it failed.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const notShown = results.testResults
      .flatMap(({ testResults }) => testResults)
      .flatMap(({ title }) => /^NOT RUN: (.*)$/.exec(title)?.[1] ?? []);
    writeFileSync(file, JSON.stringify({ passed: results.numPassedTests, failed, notShown }));
  }
}
