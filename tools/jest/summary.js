// A jest reporter. It writes the test counts of a package where turbo caches them, so that a cached run still counts,
// the titles that begin with NOT RUN, which this machine could not test, those of failed tests with the begin of their
// failure, and the seconds of each test file.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { HASHES_VARIABLE, REPOSITORY } from './projects.js';

/** Characters of a failed test's failure that are kept. */
const FAILURE_LENGTH = 1500;

export default class JestSummary {
  #rootDir;

  constructor(globalConfig) {
    this.#rootDir = globalConfig.rootDir;
  }

  onRunComplete(_contexts, results) {
    const hashes = this.#readHashes();
    for (const [folder, hash] of Object.entries(hashes)) {
      const own = results.testResults.filter(({ testFilePath }) => testFilePath.startsWith(`${folder}${path.sep}`));
      const file = path.join(folder, '.turbo', process.env.LONG === '1' ? 'jest-long.json' : 'jest.json');
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ hash, ...describeResults(folder, own) }));
    }
  }

  /** The hashes of the packages whose tests run whole. A part of the tests, run by hand, must not be reported as all of them. */
  #readHashes() {
    const hashes = process.env[HASHES_VARIABLE];
    if (this.#rootDir === REPOSITORY) {
      const entries = Object.entries(hashes === undefined ? {} : JSON.parse(hashes));
      return Object.fromEntries(entries.map(([folder, hash]) => [path.join(REPOSITORY, folder), hash]));
    }
    return process.env.TURBO_HASH === undefined ? {} : { [this.#rootDir]: process.env.TURBO_HASH };
  }
}

function describeResults(folder, testResults) {
  const nameFile = ({ testFilePath }) => path.relative(folder, testFilePath);
  const tests = testResults.flatMap((result) => result.testResults);
  const failures = testResults.flatMap((result) => {
    const file = nameFile(result);
    // A file that could not be loaded has no failed test, but it failed.
    if (result.testExecError != null) {
      return [{ file, title: 'could not be loaded', message: result.failureMessage ?? '' }];
    }
    return result.testResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        file,
        title: fullName,
        message: failureMessages.join('\n').slice(0, FAILURE_LENGTH),
      }));
  });
  const seconds = testResults.map((result) => [
    nameFile(result),
    (result.perfStats.end - result.perfStats.start) / 1000,
  ]);
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failures.length,
    failures,
    notShown: tests.flatMap(({ title }) => /^NOT RUN: (.*)$/.exec(title)?.[1] ?? []),
    seconds: Object.fromEntries(seconds.sort(([, first], [, second]) => second - first)),
  };
}
