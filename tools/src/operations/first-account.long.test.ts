import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { APP_ROLE, buildRoleUrl } from '@pos/store/migrations';
import { createServerFolder, type EmbeddedPostgres, startPostgres } from '@pos/dev-database';
import { getInternalTls } from '@pos/service-kit/testing';
import { findFreePorts } from '@pos/dev-database';
import { REPOSITORY } from '../repository/repository.js';
import { runPage } from './page-script.js';

const PAGE = 'docs/operate/first-account.md';
const PASSWORD = 'a password for tests';
const SCRIPT_MS_MAX = 120_000;

let folder: string;
let server: EmbeddedPostgres;
// Each try gets an empty server.
beforeEach(async () => {
  folder = createServerFolder('first-account-');
  server = await startPostgres({ dataDir: path.join(folder, 'postgres'), durable: false, afterExit: 'remove' });
});
afterEach(async () => {
  await server.remove();
  rmSync(folder, { recursive: true });
});

/** Only what the page names, and ports that are free. */
async function buildSettings(): Promise<Record<string, string>> {
  const [port] = await findFreePorts(1);
  return {
    ...{ PATH: process.env['PATH'] ?? '', HOME: folder, NODE_ENV: 'production', HTTP_PORT: String(port) },
    DATABASE_OWNER_URL: server.url,
    DATABASE_URL: buildRoleUrl(server.url, APP_ROLE, PASSWORD),
    SERVICE_APP_PASSWORD: PASSWORD,
    SERVICE_VAULT_PASSWORD: PASSWORD,
    KEY_PEPPER: 'a pepper for tests',
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ACQUIRER_ADDRESS_PRODUCTION: '127.0.0.1:1',
    CARD_VAULT_ADDRESS: '127.0.0.1:1',
    CHECKOUT_BASE_URL: 'https://pay.example',
    ...getInternalTls('api'),
  };
}

test(
  'the commands of the page lead from an empty PostgreSQL to a production key that an api process accepts',
  async () => {
    const { found, shown } = await runPage({
      ...{ page: PAGE, cwd: folder, env: await buildSettings(), limitMs: SCRIPT_MS_MAX },
      edit: (commands) => commands.replaceAll(/apps\/(?=api\/|admin\/)/g, `${REPOSITORY}/apps/`),
    });
    expect(shown.length).toBeGreaterThan(4);
    expect(found).toEqual(shown);
  },
  2 * SCRIPT_MS_MAX,
);
