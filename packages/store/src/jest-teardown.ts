import { removeServer } from './jest-server.js';

/** Stops the PostgreSQL of the jest run. For `globalTeardown`. */
// eslint-disable-next-line no-restricted-syntax -- jest calls the default export
export default async function tearDown(): Promise<void> {
  await removeServer();
}
