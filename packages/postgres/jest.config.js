// @boundaries-ignore one jest setup for the whole repository
import base from '../../jest.config.base.js';

// One PostgreSQL for the run; each test file has a database on it.
export default {
  ...base,
  testEnvironmentOptions: { services: './dist/testing/jest-setup.js' },
};
