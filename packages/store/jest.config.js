// @boundaries-ignore one jest setup for the whole repository
import base from '../../jest.config.base.js';

// One PostgreSQL for the run, from the built setup; each test file clones the migrated template.
export default {
  ...base,
  testEnvironmentOptions: { services: './dist/testing/jest-setup.js' },
};
