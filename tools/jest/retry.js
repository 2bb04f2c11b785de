import { jest } from './globals.js';

// Machines are shared and noisy: a test that timed out gets a second and a third try, and each failure is shown.
jest.retryTimes(2, { logErrorsBeforeRetry: true });
