// @boundaries-ignore one jest setup for the whole repository
import base from '../../jest.config.base.js';

// One PostgreSQL for the run; each test file clones the migrated template.
export default {
  ...base,
  testEnvironmentOptions: { services: '@pos/store/testing/jest-setup' },
  // A scenario may hold a dozen payments, and other packages' tests share the cores.
  testTimeout: 30_000,
};
