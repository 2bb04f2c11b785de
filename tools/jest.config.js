import { fileURLToPath } from 'node:url';
// @boundaries-ignore one jest setup for the whole repository
import base from '../jest.config.base.js';

// Retries only here, where tests start many processes: elsewhere a test that fails once has found a defect.
export default {
  ...base,
  setupFilesAfterEnv: [fileURLToPath(new URL('./jest/retry.js', import.meta.url))],
  // Tests import the settings of the apps by their paths.
  testEnvironmentOptions: { packagesApart: true },
};
