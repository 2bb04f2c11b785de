// A jest reporter. It writes the test counts of a package where turbo caches them, so that a cached run still counts,
// the titles that begin with NOT RUN, which this machine could not test, those of failed tests with the begin of their
// failure, and the seconds of each test file.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Characters of a failed test's failure that are kept. */
const FAILURE_LENGTH = 1500;

export default class JestSummary {
  #rootDir;

  constructor(globalConfig) {
    this.#rootDir = globalConfig.rootDir;
  }

  onRunComplete(_contexts, results) {
    // A part of the tests, run by hand, must not be reported as all of them.
    if (process.env.TURBO_HASH === undefined) return;
    const file = path.join(this.#rootDir, '.turbo', process.env.LONG === '1' ? 'jest-long.json' : 'jest.json');
    mkdirSync(path.dirname(file), { recursive: true });
    // A file that could not be loaded has no failed test, but it failed.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const notShown = results.testResults
      .flatMap(({ testResults }) => testResults)
      .flatMap(({ title }) => /^NOT RUN: (.*)$/.exec(title)?.[1] ?? []);
    const failures = results.testResults.flatMap(({ testFilePath, failureMessage, testResults, testExecError }) => {
      const file = path.relative(this.#rootDir, testFilePath);
      if (testExecError !== undefined) return [{ file, title: 'could not be loaded', message: failureMessage ?? '' }];
      const failedTests = testResults.filter(({ status }) => status === 'failed');
      return failedTests.map(({ fullName, failureMessages }) => ({
        file,
        title: fullName,
        message: failureMessages.join('\n').slice(0, FAILURE_LENGTH),
      }));
    });
    const files = results.testResults.map(({ testFilePath, perfStats: { start, end } }) => [
      path.relative(this.#rootDir, testFilePath),
      (end - start) / 1000,
    ]);
    const seconds = Object.fromEntries(files.sort(([, first], [, second]) => second - first));
    writeFileSync(file, JSON.stringify({ passed: results.numPassedTests, failed, failures, notShown, seconds }));
  }
}
