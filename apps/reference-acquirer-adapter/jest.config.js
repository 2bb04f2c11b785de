// @boundaries-ignore one jest setup for the whole repository
import base from '../../jest.config.base.js';

// One PostgreSQL for the run; each test file has a database on it.
export default {
  ...base,
  globalSetup: './dist/testing/jest-setup.js',
  globalTeardown: '@pos/dev-database/jest-teardown',
};
