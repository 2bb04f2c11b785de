import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { createServerFolder, disableCompression, removeServer, retainWal, startPostgres } from '@pos/dev-database';
import { migrate } from '../migrations/migrate.js';
import { TEST_SERVER_VARIABLE, type TestServer } from './test-database.js';

const TEMPLATE = 'template_pos';

/** Starts one PostgreSQL for the whole jest run and migrates one template, which each test file clones. Returns its end. */
export default async function startServices(): Promise<() => Promise<void>> {
  const folder = createServerFolder('pos-jest-');
  const server = await startPostgres({ dataDir: path.join(folder, 'postgres'), durable: false, afterExit: 'remove' });
  await retainWal(server);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  const templateUrl = new URL(server.url);
  templateUrl.pathname = `/${TEMPLATE}`;
  const appPassword = randomBytes(16).toString('hex');
  const vaultPassword = randomBytes(16).toString('hex');
  await migrate(templateUrl.href, { appPassword, vaultPassword });
  await disableCompression(templateUrl.href);
  const testServer: TestServer = { ownerUrl: server.url, template: TEMPLATE, appPassword, vaultPassword };
  process.env[TEST_SERVER_VARIABLE] = JSON.stringify(testServer);
  return async () => removeServer(server, folder);
}
