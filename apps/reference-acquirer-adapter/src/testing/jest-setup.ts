import path from 'node:path';
import { startPostgres } from '@pos/dev-database/embedded-postgres';
import { registerServer } from '@pos/dev-database/jest-server';
import { createServerFolder } from '@pos/dev-database/scratch-folder';
import { SERVER_VARIABLE } from './test-database.js';

/** Starts one PostgreSQL for the whole jest run; each test file has a database on it. For `globalSetup`. */
export default async function setUp(): Promise<void> {
  const folder = createServerFolder('adapter-jest-');
  const server = await startPostgres({ dataDir: path.join(folder, 'postgres'), durable: false, afterExit: 'remove' });
  registerServer(server, folder);
  process.env[SERVER_VARIABLE] = server.url;
}
