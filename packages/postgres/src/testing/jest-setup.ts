import path from 'node:path';
import { createServerFolder, removeServer, startPostgres } from '@pos/dev-database';
import { SERVER_VARIABLE } from './test-database.js';

/** Starts one PostgreSQL for the whole jest run; each test file has a database on it. Returns its end. */
export default async function startServices(): Promise<() => Promise<void>> {
  const folder = createServerFolder('postgres-jest-');
  const server = await startPostgres({ dataDir: path.join(folder, 'postgres'), durable: false, afterExit: 'remove' });
  process.env[SERVER_VARIABLE] = server.url;
  return async () => removeServer(server, folder);
}
