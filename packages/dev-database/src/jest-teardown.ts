import { removeServer } from './jest-server.js';

/** Stops the PostgreSQL of the jest run. For `globalTeardown`. */
// oxlint-disable-next-line pos/banned-syntax -- jest calls the default export
export default async function tearDown(): Promise<void> {
  await removeServer();
}
