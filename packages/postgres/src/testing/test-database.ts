import { createEmptyDatabase } from '@pos/dev-database';

/** The variable in which the setup stores the URL of its server for the workers of jest. */
export const SERVER_VARIABLE = 'POSTGRES_TEST_SERVER';

/** Creates the empty database of a test file, and returns its URL with the login of its owner. */
export async function createTestDatabase(): Promise<string> {
  const serverUrl = process.env[SERVER_VARIABLE];
  if (serverUrl === undefined) throw new Error('There is no test database: the jest setup has not run.');
  return createEmptyDatabase(serverUrl);
}
