// Test support for packages and apps: a log that detects leaks, response coverage, network cuts and long runs.
export { TestLog } from './test-log.js';
export {
  expectCovered,
  findUncalledOperations,
  findUntestedRefusals,
  formatStateTable,
  formatStatusTable,
  getSuccessStatus,
} from './coverage.js';
export { CuttableProxy } from './cuttable-proxy.js';
export { defineInLongRun, isLongRun, selectRows, testEvery } from './long-run.js';
