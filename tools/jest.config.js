import { fileURLToPath } from 'node:url';
// @boundaries-ignore one jest setup for the whole repository
import base from '../jest.config.base.js';

// Only here whole worlds of processes are started: elsewhere a test that fails once has found something.
export default { ...base, setupFilesAfterEnv: [fileURLToPath(new URL('./jest-retry.js', import.meta.url))] };
