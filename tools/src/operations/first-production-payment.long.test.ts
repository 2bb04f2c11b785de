import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { APP_ROLE, buildRoleUrl, VAULT_ROLE } from '@pos/store/migrations';
import {
  createDatabase,
  createServerFolder,
  type EmbeddedPostgres,
  requireTls,
  startPostgres,
} from '@pos/dev-database';
import { CertificateAuthority, writeFiles } from '@pos/service-kit/network';
import { findFreePorts } from '@pos/dev-database';
import { REPOSITORY } from '../repository/repository.js';
import { runPage } from './page-script.js';

const PAGE = 'docs/operate/first-production-payment.md';
const PASSWORD = 'a password for tests';
const SCRIPT_MS_MAX = 90_000;
/** The variables of the page that hold ports. */
const PORTS = [
  ...['API_PORT', 'VAULT_PORT', 'WORKER_PORT', 'GATEWAY_PORT', 'MACHINES_PORT', 'VAULT_GRPC_PORT'],
  ...['API_HEALTH', 'VAULT_HEALTH', 'WORKER_HEALTH', 'GATEWAY_HEALTH'],
  ...['GATEWAY_GRPC_PORT', 'PROCESSOR_PORT', 'WEBHOOK_PORT', 'ADAPTER_PORT'],
];

let folder: string;
let server: EmbeddedPostgres;
let adapterUrl: string;
// Each try gets an empty server.
beforeEach(async () => {
  folder = createServerFolder('first-payment-');
  server = await startPostgres({ dataDir: path.join(folder, 'postgres'), durable: false, afterExit: 'remove' });
  adapterUrl = await createDatabase(server, 'adapter');
  const authority = await CertificateAuthority.create('database');
  await writeFiles(folder, { 'database-ca.pem': authority.cert });
  await requireTls(server, await authority.issue({ names: ['localhost'] }));
});
afterEach(async () => {
  await server.remove();
  rmSync(folder, { recursive: true });
});

/** Only what the page names, and ports that are free. */
async function buildSettings(): Promise<Record<string, string>> {
  const ports = await findFreePorts(PORTS.length);
  const encrypt = (address: string): string => {
    const url = new URL(address);
    url.hostname = 'localhost';
    url.search = `sslmode=verify-full&sslrootcert=${path.join(folder, 'database-ca.pem')}`;
    return url.toString();
  };
  return {
    ...{ PATH: process.env['PATH'] ?? '', HOME: folder },
    ...Object.fromEntries(PORTS.map((name, index) => [name, String(ports[index])])),
    DATABASE_OWNER_URL: encrypt(server.url),
    DATABASE_URL: encrypt(buildRoleUrl(server.url, APP_ROLE, PASSWORD)),
    VAULT_DATABASE_URL: encrypt(buildRoleUrl(server.url, VAULT_ROLE, PASSWORD)),
    ADAPTER_DATABASE_URL: encrypt(adapterUrl),
    SERVICE_APP_PASSWORD: PASSWORD,
    SERVICE_VAULT_PASSWORD: PASSWORD,
  };
}

test(
  'the commands of the page lead from an empty PostgreSQL to captured production payments of a card machine and of a payer online, over TLS',
  async () => {
    const { found, shown } = await runPage({
      ...{ page: PAGE, cwd: REPOSITORY, env: await buildSettings(), limitMs: SCRIPT_MS_MAX },
      edit: (commands) => commands.replaceAll('./.data/', `${folder}/`),
    });
    expect(shown.length).toBeGreaterThan(10);
    expect(found).toEqual(shown);
  },
  2 * SCRIPT_MS_MAX,
);
