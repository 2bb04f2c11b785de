import { createEmptyDatabase } from '@pos/dev-database';

/** The variable in which the setup stores the server's URL for the workers of jest, which are separate processes. */
export const SERVER_VARIABLE = 'ADAPTER_TEST_SERVER';

/**
 * Creates an empty database of one test file, and returns its URL. It is kept to the end of the run, when the files of
 * the server are scanned for card numbers.
 */
export async function createTestDatabase(): Promise<string> {
  const serverUrl = process.env[SERVER_VARIABLE];
  if (serverUrl === undefined) throw new Error('There is no test server: package.json names no services of jest.');
  return createEmptyDatabase(serverUrl);
}
