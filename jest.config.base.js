import { totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const isLong = process.env.LONG === '1';

// Tests are ESM like the code: swc only strips types, node's own module loader does the rest.
export default {
  testEnvironment: fileURLToPath(new URL('./tools/jest-environment.js', import.meta.url)),
  rootDir: process.cwd(),
  roots: ['<rootDir>/src'],
  testMatch: ['**/*.test.ts'],
  // Scenarios that take minutes and mostly deepen what a shorter one shows: `LONG=1 npm test` runs them, too.
  testPathIgnorePatterns: ['/node_modules/', ...(isLong ? [] : ['\\.long\\.test\\.ts$'])],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  reporters: ['default', fileURLToPath(new URL('./tools/jest-summary.js', import.meta.url))],
  maxWorkers: 2,
  // A busy machine is no failure; what hangs is found all the same.
  testTimeout: 60_000,
  // A worker that ends takes the libraries with it that it has compiled; four run at once.
  workerIdleMemoryLimit: Math.min(2 ** 30, Math.floor(totalmem() / 8)),
};
