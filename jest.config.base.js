import { totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const isLong = process.env.LONG === '1';

const jestPart = (name) => fileURLToPath(new URL(`./tools/jest/${name}`, import.meta.url));

// The preset of each package, which its package.json names. Node imports the tests, bundled with all that they import.
// `testEnvironmentOptions.services` of a package names the module that starts what its tests need: one PostgreSQL for the
// run, on which each test file has a database. Failed tests are repeated only in tools, where they start many processes:
// elsewhere a test that fails once has found a defect.
export default {
  globalSetup: jestPart('set-up.js'),
  globalTeardown: jestPart('tear-down.js'),
  testEnvironment: jestPart('environment.js'),
  testRunner: jestPart('runner.js'),
  // Jest's own modules are not transformed, and tests are not loaded by it.
  transform: {},
  rootDir: process.cwd(),
  roots: ['<rootDir>/src'],
  // `*.long.test.ts` watch the edges; the task `test:long` runs them alone, and `*.wide.test.ts` with more rows.
  testRegex: isLong ? '\\.(long|wide)\\.test\\.ts$' : '(?<!\\.long)\\.test\\.ts$',
  reporters: ['default', jestPart('summary.js')],
  // Tests wait for the database and for other processes half of their time: two workers leave the cores idle.
  maxWorkers: 4,
  // A busy machine is no failure; what hangs is found all the same.
  testTimeout: 60_000,
  // A worker that ends takes the libraries with it that it has compiled; eight run at once.
  workerIdleMemoryLimit: Math.min(2 ** 30, Math.floor(totalmem() / 12)),
};
