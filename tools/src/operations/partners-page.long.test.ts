import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { createServerFolder, type EmbeddedPostgres, startPostgres } from '@pos/dev-database';
import { APP_ROLE, buildRoleUrl } from '@pos/store/migrations';
import { connectPlainClient } from '../bench/load/plain-pool.js';
import { REPOSITORY } from '../repository/repository.js';
import { runPage } from './page-script.js';

const PAGE = 'docs/operate/partners.md';
const ADMIN = path.join(REPOSITORY, 'apps/admin/dist/main.js');
const PASSWORD = 'a password for tests';
const ACCOUNT = 'acc_AaH8KwlxavakGwZZljrhYw';
const SCRIPT_MS_MAX = 120_000;

let folder: string;
let server: EmbeddedPostgres;
// Each try gets an empty server: a partner is registered once.
beforeEach(async () => {
  folder = createServerFolder('partners-page-');
  server = await startPostgres({ dataDir: path.join(folder, 'postgres'), durable: false, afterExit: 'remove' });
});
afterEach(async () => {
  await server.remove();
  rmSync(folder, { recursive: true });
});

function buildSettings(): Record<string, string> {
  return {
    ...{ PATH: process.env['PATH'] ?? '', HOME: folder, NODE_ENV: 'production' },
    DATABASE_OWNER_URL: server.url,
    DATABASE_URL: buildRoleUrl(server.url, APP_ROLE, PASSWORD),
    SERVICE_APP_PASSWORD: PASSWORD,
    SERVICE_VAULT_PASSWORD: PASSWORD,
    KEY_PEPPER: 'a pepper for tests',
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
}

/** A production payment of yesterday, from before the registry. */
async function insertOldPayment(): Promise<void> {
  const owner = await connectPlainClient(server.url);
  try {
    await owner.query(
      `insert into accounts (account_id, name, trading_name, location_id, merchant_id, settings, currencies, created_at)
       values ($1, 'oyster-shed', 'The Oyster Shed', 'loc_old', '526567001', '{}', '{GBP}', now())`,
      [ACCOUNT],
    );
    await owner.query(
      `insert into payment_intents (account_id, environment, id, version, status, capture_mode, currency, amount,
         authorized, captured, pending_capture, pending_refund, refunded, reference, metadata, details,
         card_holder_not_present, payment_methods, payment_source, expire_at, chain_head, chain_length,
         software_house_id, created_at, updated_at)
       select $1, 'production', 'pi_old', 1, 'Captured', 'Auto', 'GBP', 1000, 1000, 1000, 0, 0, 0, 'r', '{}', '{}',
         true, '{}', 'Online', at, '', 0, 'Order Pads', at, at
       from (select now() - interval '1 day' as at) yesterday`,
      [ACCOUNT],
    );
    await owner.query('update partner_registry set enforced = false');
  } finally {
    await owner.end();
  }
}

test(
  'the commands of the page register partners, take an older database to them, and report',
  async () => {
    const env = buildSettings();
    const migrated = spawnSync(process.execPath, [ADMIN, 'migrate', '--reason', 'a test'], { env, encoding: 'utf8' });
    expect([migrated.status, migrated.stderr]).toEqual([0, '']);
    await insertOldPayment();
    const { found, shown } = await runPage({
      ...{ page: PAGE, cwd: folder, env, limitMs: SCRIPT_MS_MAX },
      edit: (commands) => commands.replaceAll('apps/admin/dist/main.js', ADMIN),
    });
    expect(shown).toHaveLength(4);
    expect(found).toEqual(shown);
  },
  2 * SCRIPT_MS_MAX,
);
