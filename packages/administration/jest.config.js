// @boundaries-ignore one jest setup for the whole repository
import base from '../../jest.config.base.js';

// One PostgreSQL for the run; each test file clones the migrated template.
export default {
  ...base,
  // Scenarios of many transactions each, on a machine that may be busy with other packages.
  testTimeout: 30_000,
  testEnvironmentOptions: { services: '@pos/store/testing/jest-setup' },
};
